import type { Table } from '../catalog/table.ts'
import { collectionKey } from '../layout/item-keys.ts'
import { idOfKey } from '../layout/key-space.ts'
import { itemStampKey } from '../layout/replication-keys.ts'
import type { IsSpare, Key, Value } from '../store/store.ts'
import { hasStampInside, stampInside } from './stored-item.ts'

/** The keys that a change of an item reads: the item; the size of its collection, if the table limits it; its stamp, if
 *  the table is a replica of a global table. */
export function keysOfChange({ definition }: Table, key: Key): readonly Key[] {
  const { localIndexes, replication } = definition
  if (replication === undefined) return localIndexes.length === 0 ? [key] : [key, collectionKey(key)]
  const stampKey = itemStampKey(replication.stampsId, key)
  return localIndexes.length === 0 ? [key, stampKey] : [key, collectionKey(key), stampKey]
}

/** Which of the keys of one or more changes need not be read: the key of a stamp, if the stamp is in the item. */
export function spareKeys({ definition: { localIndexes, replication } }: Table): IsSpare | undefined {
  if (replication === undefined) return undefined
  const { stampsId } = replication
  const perChange = localIndexes.length === 0 ? 2 : 3
  return (position, before) => {
    if (position % perChange !== perChange - 1) return false
    const item = before[position - perChange + 1]
    return item !== undefined && hasStampInside(item, stampsId)
  }
}

/** What was read under the keys of a change. */
export interface FoundForChange {
  readonly item: Value | undefined
  readonly collection: Value | undefined
  readonly stamp: FoundStamp | undefined
}

/** What a replica knows about the writes of an item so far. */
export interface FoundStamp {
  /** Encoded. */
  readonly value: Value
  /** Whether it has a key of its own: it stands in place of a deleted item, the table is strongly consistent, or an
   *  earlier version has written it. Otherwise it is in the item. */
  readonly isApart: boolean
}

/** Tells apart what was read: `keys` are those of one change, and their values begin at `start`. Throws
 *  KeysOutdated if the table has become a replica since the keys were chosen. */
export function foundForChange(
  { definition }: Table,
  keys: readonly Key[],
  values: readonly (Value | undefined)[],
  start = 0,
): FoundForChange {
  const { localIndexes, replication } = definition
  const item = values[start]
  const collection = localIndexes.length === 0 ? undefined : values[start + 1]
  if (replication === undefined) return { item, collection, stamp: undefined }
  const at = localIndexes.length === 0 ? 1 : 2
  const key = keys[at]
  if (key === undefined || idOfKey(key) !== replication.stampsId) throw new KeysOutdated()
  return { item, collection, stamp: foundStamp(replication.stampsId, item, values[start + at]) }
}

/** The stamp of an item as it was read; `apart` is what has its stamp's key. */
export function foundStamp(
  stampsId: number,
  item: Value | undefined,
  apart: Value | undefined,
): FoundStamp | undefined {
  if (apart !== undefined) return { value: apart, isApart: true }
  const value = item && stampInside(item, stampsId)
  return value && { value, isApart: false }
}

/** A decision needs more than was read for it. */
export class KeysOutdated extends Error {
  constructor() {
    super('the table has become a replica, or has other replicas')
    this.name = 'KeysOutdated'
  }
}

/** Runs a change, and once more with other keys if the table has become a replica meanwhile. */
export async function withCurrentKeys<T>(change: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof KeysOutdated)) throw error
    }
  }
}

export function isKeysOutdated(error: unknown): boolean {
  return error instanceof KeysOutdated
}
