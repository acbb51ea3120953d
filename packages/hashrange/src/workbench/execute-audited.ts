import { randomUUID } from 'node:crypto'
import type { Scope } from '@hashrange/engine'
import { wireServices } from '../open-engine.ts'
import type { ApiCall, WorkbenchContext } from './api-handler.ts'

/** An operation of the service, in the records like one that came over the API. */
export async function executeAudited(
  { audit }: WorkbenchContext,
  { request, visitor }: Pick<ApiCall, 'request' | 'visitor'>,
  scope: Scope,
  target: string,
  operation: string,
  input: object,
): Promise<unknown> {
  const service = wireServices.find((one) => one.target === target)?.signingName ?? 'dynamodb'
  if (audit?.wants(service, operation) !== true) return visitor.execute(scope, target, operation, input)
  const call = { request, service, operation, scope, input, requestId: randomUUID() }
  try {
    const answer = await visitor.execute(scope, target, operation, input)
    audit.record({ ...call, answer })
    return answer
  } catch (error) {
    audit.record({ ...call, error })
    throw error
  }
}
