import type { ReplicationDefinition } from '../definitions/table-definition.ts'
import { itemStampKey, tombstoneKey } from '../layout/replication-keys.ts'
import { decodeItemStamp, encodeItemStamp, stampOfWrite, type ItemStamp } from '../stamps/item-stamp.ts'
import type { Key, Value, Write } from '../store/store.ts'
import type { Moment } from '../time/store-clock.ts'
import type { ItemChange } from './change-plan.ts'
import { keyOfItem } from './check-schema.ts'

/** Stamps a change of an item in a replica of a global table. If the item is deleted, its stamp stays as a tombstone,
 *  so that an older write that arrives later does not bring it back. */
export function stampWrites(change: ItemChange, { stampsId }: ReplicationDefinition, at: Moment): readonly Write[] {
  const { table, key, next, replicated, strong } = change
  if (strong !== undefined) return [strongStampWrite(stampsId, key, next === undefined ? undefined : strong)]
  const before = change.stampBefore ?? (change.stamp && decodeItemStamp(change.stamp))
  const { stamp, seen } = replicated ?? stampOfWrite(before, at.nowMs, table.definition.region)
  const keys = next === undefined ? keysOf(change) : undefined
  const after: ItemStamp = {
    stamp,
    seen,
    ...(keys !== undefined && { tombstone: { keys, atSteadyMs: Math.trunc(at.steadyMs) } }),
  }
  return writesOf(stampsId, key, before, after)
}

/** With strong consistency, nothing older can arrive: a deletion leaves nothing behind. */
function strongStampWrite(stampsId: number, itemKey: Key, stamp: ItemStamp | undefined): Write {
  const key = itemStampKey(stampsId, itemKey)
  return stamp === undefined ? { kind: 'delete', key } : { kind: 'put', key, value: encodeItemStamp(stamp) }
}

/** Replaces the stamp of an item. */
export function writesOf(
  stampsId: number,
  itemKey: Key,
  before: ItemStamp | undefined,
  after: ItemStamp,
): readonly Write[] {
  const writes: Write[] = []
  if (before?.tombstone !== undefined && before.tombstone.atSteadyMs !== after.tombstone?.atSteadyMs) {
    writes.push({ kind: 'delete', key: tombstoneKey(stampsId, before.tombstone.atSteadyMs, itemKey) })
  }
  if (after.tombstone !== undefined) {
    writes.push({ kind: 'put', key: tombstoneKey(stampsId, after.tombstone.atSteadyMs, itemKey), value: nothing })
  }
  writes.push({ kind: 'put', key: itemStampKey(stampsId, itemKey), value: encodeItemStamp(after) })
  return writes
}

/** ON DISK: the key says it all. */
const nothing: Value = Buffer.of(0)

function keysOf({ table, previous, replicated }: ItemChange): Buffer {
  if (replicated?.tombstone !== undefined) return replicated.tombstone.keys
  if (previous === undefined) throw new Error('an item that is deleted was there')
  return Buffer.from(JSON.stringify(keyOfItem(table.keySchema, previous.item)))
}
