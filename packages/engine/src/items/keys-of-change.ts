import type { Table } from '../catalog/table.ts'
import { collectionKey } from '../layout/item-keys.ts'
import { itemStampKey } from '../layout/replication-keys.ts'
import type { Key, Value } from '../store/store.ts'

/** The keys that a change of an item reads: the item; the size of its collection, if the table limits it; its stamp, if
 *  the table is a replica of a global table. */
export function keysOfChange({ definition }: Table, key: Key): readonly Key[] {
  const { localIndexes, replication } = definition
  if (replication === undefined) return localIndexes.length === 0 ? [key] : [key, collectionKey(key)]
  const stampKey = itemStampKey(replication.stampsId, key)
  return localIndexes.length === 0 ? [key, stampKey] : [key, collectionKey(key), stampKey]
}

/** What was read under the keys of a change. */
export interface FoundForChange {
  readonly item: Value | undefined
  readonly collection: Value | undefined
  readonly stamp: Value | undefined
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
  if (key === undefined || idIn(key) !== replication.stampsId) throw new KeysOutdated()
  return { item, collection, stamp: values[start + at] }
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

function idIn(key: Key): number {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUInt32BE(1)
}
