import type { Scope } from '@hashrange/engine'
import type { FunctionInput } from '../api/inputs.ts'
import type { Lambda } from '../lambda.ts'
import { requireStored } from './change-function.ts'

export async function deleteFunction(lambda: Lambda, scope: Scope, input: FunctionInput): Promise<undefined> {
  const { name } = await requireStored(lambda, scope, input.FunctionName)
  await lambda.functions.records.change(scope, [name], () => undefined)
  await lambda.code.keepOnly(scope, name, undefined)
  await lambda.stopFunction({ scope, name })
}
