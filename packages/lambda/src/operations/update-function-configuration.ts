import type { Scope } from '@hashrange/engine'
import type { FunctionConfigurationInput } from '../api/inputs.ts'
import { describeFunction } from '../functions/describe-function.ts'
import { readConfiguration } from '../functions/read-function.ts'
import type { Lambda } from '../lambda.ts'
import { changeFunction } from './change-function.ts'

export async function updateFunctionConfiguration(
  lambda: Lambda,
  scope: Scope,
  input: FunctionConfigurationInput,
): Promise<object> {
  const changed = await changeFunction(
    lambda,
    scope,
    input.FunctionName,
    (current) => ({ ...current, ...readConfiguration(input, current) }),
    input.RevisionId,
  )
  return describeFunction(changed)
}
