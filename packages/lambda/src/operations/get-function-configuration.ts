import type { Scope } from '@hashrange/engine'
import type { FunctionInput } from '../api/inputs.ts'
import { describeFunction } from '../functions/describe-function.ts'
import type { Lambda } from '../lambda.ts'

export async function getFunctionConfiguration(
  lambda: Lambda,
  scope: Scope,
  input: FunctionInput,
): Promise<object> {
  return describeFunction(await lambda.functions.require(scope, input.FunctionName))
}
