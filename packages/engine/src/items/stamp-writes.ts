import { itemStampKey, tombstoneKey } from '../layout/replication-keys.ts'
import { decodeItemStamp, encodeItemStamp, stampOfWrite, type ItemStamp } from '../stamps/item-stamp.ts'
import type { Key, Value, Write } from '../store/store.ts'
import type { Moment } from '../time/store-clock.ts'
import type { ItemChange } from './change-plan.ts'
import { keyOfItem } from './check-schema.ts'

/** What a replica stores for a change of an item. */
export interface StampedChange {
  /** The item with its stamp; undefined if it is deleted. */
  readonly value: Value | undefined
  readonly writes: readonly Write[]
}

/** Stamps a change of an item in a replica of a global table. The stamp is in the item. If the item is deleted, it stays
 *  as a tombstone, so that an older write that arrives later does not bring the item back. */
export function stampedChange(change: ItemChange, stampsId: number, at: Moment): StampedChange {
  const { table, key, next, replicated, stamp: found } = change
  const before = change.stampBefore ?? (found && decodeItemStamp(found.value))
  const { stamp, seen } = replicated ?? stampOfWrite(before, at.nowMs, table.definition.region)
  if (next === undefined) {
    const tombstone = { keys: keysOf(change), atSteadyMs: Math.trunc(at.steadyMs) }
    return { value: undefined, writes: tombstoneWrites(stampsId, key, before, { stamp, seen, tombstone }) }
  }
  const value =
    change.isStamped === true
      ? next.restampedValue(stampsId)
      : next.stampedValue(stampsId, encodeItemStamp({ stamp, seen }))
  return { value, writes: found?.isApart === true ? stampEnd(stampsId, key, before) : noWrites }
}

/** With strong consistency, nothing older can arrive: a deletion leaves nothing behind. */
export function strongStampWrite(stampsId: number, itemKey: Key, stamp: ItemStamp | undefined): Write {
  const key = itemStampKey(stampsId, itemKey)
  return stamp === undefined ? { kind: 'delete', key } : { kind: 'put', key, value: encodeItemStamp(stamp) }
}

function tombstoneWrites(
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

/** The item has its stamp in it from now on. */
function stampEnd(stampsId: number, itemKey: Key, before: ItemStamp | undefined): readonly Write[] {
  const end: Write = { kind: 'delete', key: itemStampKey(stampsId, itemKey) }
  if (before?.tombstone === undefined) return [end]
  return [end, { kind: 'delete', key: tombstoneKey(stampsId, before.tombstone.atSteadyMs, itemKey) }]
}

const noWrites: readonly Write[] = []

/** ON DISK: the key says it all. */
const nothing: Value = Buffer.of(0)

function keysOf({ table, previous, replicated }: ItemChange): Buffer {
  if (replicated?.tombstone !== undefined) return replicated.tombstone.keys
  if (previous === undefined) throw new Error('an item that is deleted was there')
  return Buffer.from(JSON.stringify(keyOfItem(table.keySchema, previous.item)))
}
