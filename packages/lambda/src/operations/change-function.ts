import { randomUUID } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { FunctionRecord } from '../functions/function-record.ts'
import type { LambdaFunction } from '../functions/lambda-function.ts'
import type { Lambda } from '../lambda.ts'

/** Changes a function in the store. One that the operator has declared is changed where it is declared. */
export async function changeFunction(
  lambda: Lambda,
  scope: Scope,
  functionName: string,
  change: (current: FunctionRecord) => FunctionRecord,
  revisionId?: string,
): Promise<LambdaFunction> {
  const { name } = await requireStored(lambda, scope, functionName)
  const newRevision = randomUUID()
  const modifiedAtMs = lambda.nowMs()
  await lambda.functions.records.change(scope, [name], (current) => {
    if (current === undefined) return undefined
    if (revisionId !== undefined && revisionId !== current.revisionId) {
      throw new ServiceError(
        'PreconditionFailedException',
        'The RevisionId provided does not match the latest RevisionId. Call the GetFunction/GetAlias API to retrieve the latest RevisionId',
      )
    }
    return { ...change(current), modifiedAtMs, revisionId: newRevision }
  })
  return lambda.functions.require(scope, functionName)
}

export async function requireStored(lambda: Lambda, scope: Scope, functionName: string): Promise<LambdaFunction> {
  const found = await lambda.functions.require(scope, functionName)
  if (found.code.kind === 'stored') return found
  throw new ServiceError(
    'ResourceConflictException',
    `The function ${found.name} was declared where the server was started, and can only be changed there.`,
  )
}
