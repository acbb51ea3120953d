import type { TableDefinition } from '../definitions/table-definition.ts'
import { keyOfItem } from '../items/check-schema.ts'
import { sameStored } from '../items/same-item.ts'
import { parseStored } from '../items/stored-item.ts'
import { conflictKey } from '../layout/replication-keys.ts'
import type { ItemStamp } from '../stamps/item-stamp.ts'
import type { Key, Value, Write } from '../store/store.ts'

/** One side of a conflict. */
export interface ItemState {
  readonly stamp: ItemStamp
  /** The stored item; undefined if the write deleted it. */
  readonly item: Value | undefined
}

/** What is remembered of a conflict. ON DISK as JSON. */
export interface StoredConflict {
  readonly key: unknown
  readonly foundAtMs: number
  readonly winner: StoredWrite
  readonly loser: StoredWrite
}

export interface StoredWrite {
  readonly region: string
  readonly micros: number
  readonly deleted?: boolean
  /** What the loser has written; absent if it is too large to be kept, or a deletion. */
  readonly item?: unknown
}

/** Larger items are not kept. */
const mostItemBytes = 64 * 1024

/** Remembers that a write lost against one that had not seen it; undefined if both wrote the same, so that nothing was
 *  lost. */
export function conflictWrite(
  { replication, keySchema }: TableDefinition,
  itemKey: Key,
  winner: ItemState,
  loser: ItemState,
  nowMs: number,
): Write | undefined {
  // What was there before the table had replicas was nobody's write.
  if (replication === undefined || loser.stamp.stamp.micros === 0) return undefined
  if (isSame(winner.item, loser.item)) return undefined
  const { micros, region } = loser.stamp.stamp
  const item = loser.item ?? winner.item
  const conflict: StoredConflict = {
    key: item === undefined ? {} : keyOfItem(keySchema, parseStored(item)),
    foundAtMs: nowMs,
    winner: { ...winner.stamp.stamp, ...(winner.item === undefined && { deleted: true }) },
    loser: {
      region,
      micros,
      ...(loser.item === undefined && { deleted: true }),
      ...(loser.item !== undefined && loser.item.length <= mostItemBytes && { item: parseStored(loser.item) }),
    },
  }
  const key = conflictKey(replication.stampsId, micros, region, itemKey)
  return { kind: 'put', key, value: Buffer.from(JSON.stringify(conflict)) }
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one === undefined || other === undefined ? one === other : sameStored(one, other)
}
