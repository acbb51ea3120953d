import type { StoredItem } from '../client/entity-runtime.ts'
import { ModelError } from '../errors.ts'
import type { DerivedRuntime } from './derived-runtime.ts'
import type { ScanCursor } from './scan-tables.ts'

export interface RebuildState {
  /** Of the derived items when it is done. */
  readonly epoch: number
  /** How many of its steps are done. */
  readonly step: number
  readonly cursor: ScanCursor | undefined
  readonly isDone: boolean
}

/** Not the name of any item. */
const source = 'rebuild'

/** Where the last rebuild is; undefined if there was none. ON DISK: an item of the entity of marks. */
export async function readState(runtime: DerivedRuntime): Promise<RebuildState | undefined> {
  if (runtime.marks === undefined) return undefined
  const item = await runtime.read(runtime.marks, runtime.marks.keyOf({ source }))
  const text = item?.['state']?.S
  return text === undefined ? undefined : (JSON.parse(text) as RebuildState)
}

/** Two rebuilds at once would each think that the other's work was theirs. */
export async function writeState(
  runtime: DerivedRuntime,
  previous: RebuildState | undefined,
  state: RebuildState,
): Promise<void> {
  const { marks } = runtime
  if (marks === undefined) return
  const item: StoredItem = marks.addKeys({
    source: { S: source },
    position: { S: '0' },
    epoch: { N: String(state.epoch) },
    contributions: { S: '[]' },
    state: { S: JSON.stringify(state) },
  })
  const condition =
    previous === undefined
      ? { ConditionExpression: 'attribute_not_exists(#state)' }
      : {
          ConditionExpression: '#state = :previous',
          ExpressionAttributeValues: { ':previous': { S: JSON.stringify(previous) } },
        }
  try {
    const input = {
      TableName: marks.tableName,
      Item: item,
      ExpressionAttributeNames: { '#state': 'state' },
      ReturnConsumedCapacity: runtime.connection.capacity,
      ...condition,
    }
    await runtime.connection.send('PutItem', input, runtime.meter)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error
    throw new ModelError('CONFLICT', 'Another rebuild is running. Wait until it is done, or stop it.', {
      cause: error,
    })
  }
}
