import type { CancellationReason } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'
import type { Connection, Meter, Request } from './connection.ts'
import type { StoredItem } from './entity-runtime.ts'
import type { WriteAction } from './write-action.ts'
import { singleRequest, transactItem } from './write-action.ts'

export type Sent =
  | { readonly isDone: true; readonly attributes: StoredItem | undefined }
  /** `isWorthRetrying`: someone else was faster, and what was read may be read again. */
  | { readonly isDone: false; readonly error: ModelError; readonly isWorthRetrying: boolean }

/** One request if there is one action, one transaction if there are several. */
export async function sendWrites(
  connection: Connection,
  actions: readonly WriteAction[],
  meter: Meter,
  options: { readonly token?: string | undefined; readonly isTransaction?: boolean } = {},
): Promise<Sent> {
  const request = writeRequest(connection, actions, options)
  try {
    if (request.operation === 'TransactWriteItems') {
      await connection.send('TransactWriteItems', request.input, meter)
      return { isDone: true, attributes: undefined }
    }
    const { Attributes } = await connection.send(request.operation, request.input, meter)
    return { isDone: true, attributes: Attributes }
  } catch (error) {
    return refusalOf(error, actions)
  }
}

export type WriteRequest = Extract<
  Request,
  { operation: 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'TransactWriteItems' }
>

export function writeRequest(
  connection: Connection,
  actions: readonly WriteAction[],
  { token, isTransaction = false }: { readonly token?: string | undefined; readonly isTransaction?: boolean },
): WriteRequest {
  const [only] = actions
  if (only !== undefined && actions.length === 1 && !isTransaction) return singleRequest(only, connection.capacity)
  if (actions.length > 100) {
    throw new ModelError(
      'NEEDS_TRANSACTION',
      `The transaction has ${actions.length} actions, including those for unique constraints and index items. DynamoDB allows 100. Split it.`,
    )
  }
  return {
    operation: 'TransactWriteItems',
    input: {
      TransactItems: actions.map(transactItem),
      ReturnConsumedCapacity: connection.capacity,
      ...(token !== undefined && { ClientRequestToken: token }),
    },
  }
}

/** Other errors of the service are passed on unchanged. */
export function refusalOf(error: unknown, actions: readonly WriteAction[]): Sent {
  if (!(error instanceof Error)) throw error
  if (error.name === 'ConditionalCheckFailedException') {
    const [action] = actions
    if (action === undefined) throw error
    return refused(action, (error as { Item?: StoredItem }).Item, error)
  }
  if (error.name !== 'TransactionCanceledException') throw error
  return canceled(error, reasonsOf(error), actions)
}

export function reasonsOf(error: Error): readonly CancellationReason[] {
  return (error as { CancellationReasons?: readonly CancellationReason[] }).CancellationReasons ?? []
}

/** Why a transaction was canceled, or the part of one that these reasons are about. */
export function canceled(
  error: Error,
  reasons: readonly CancellationReason[],
  actions: readonly WriteAction[],
): Sent {
  const failed = reasons.flatMap(({ Code, Item }, i) => {
    const action = actions[i]
    return Code === 'ConditionalCheckFailed' && action !== undefined ? [{ action, found: Item }] : []
  })
  // Where the plan itself was out of date, whatever else failed may have failed because of that.
  const first = failed.find(({ action, found }) => action.isStale(found)) ?? failed[0]
  if (first !== undefined) return refused(first.action, first.found, error)
  if (reasons.some(({ Code }) => Code === 'TransactionConflict')) {
    const message = 'Another transaction was writing the same items. Retry a little later.'
    return { isDone: false, isWorthRetrying: true, error: new ModelError('CONFLICT', message, { cause: error }) }
  }
  throw error
}

function refused(action: WriteAction, found: StoredItem | undefined, cause: Error): Sent {
  const { code, message, entity, attribute, item } = action.failure(found)
  const error = new ModelError(code, message, { entity, attribute, item, cause })
  return { isDone: false, isWorthRetrying: action.isStale(found), error }
}
