import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import { Placeholders } from '../client/placeholders.ts'
import { isSameStored } from '../client/stored-equal.ts'
import { always, conflict, unchangedText } from '../client/write-action.ts'
import type { WriteAction } from '../client/write-action.ts'
import type { MigrationPair } from './migration-pair.ts'

export type Outcome =
  /** It was as it should be. */
  | 'same'
  | 'written'
  /** Its key is that of neither form. */
  | 'strange'
  /** A unique value of it belongs to another item. */
  | 'taken'
  /** Others changed it whenever it was tried: the next pass tries again. */
  | 'busy'

/** `retry`: someone else was faster. */
export type Tried = Outcome | 'retry'

export async function send(pair: MigrationPair, actions: readonly WriteAction[]): Promise<Tried> {
  const sent = await pair.writes.send(actions)
  if (sent.isDone) return 'written'
  if (sent.error.code === 'NOT_UNIQUE') return 'taken'
  if (sent.isWorthRetrying) return 'retry'
  throw sent.error
}

/** A condition alone: whatever else is done depends on it. `read` is what is stored, which may lack what is in its key. */
export function unchanged(form: EntityRuntime, Key: StoredItem, read: StoredItem): WriteAction {
  const placeholders = new Placeholders(form.storedNames)
  const ConditionExpression = unchangedText(form, read, placeholders)
  return {
    kind: 'ConditionCheck',
    input: { TableName: form.tableName, Key, ConditionExpression, ...placeholders.members() },
    failure: () => conflict(form),
    isStale: always,
  }
}

/** Whether two items are the same in everything. */
export function isSameItem(a: StoredItem, b: StoredItem): boolean {
  return isSameStored({ M: a }, { M: b })
}
