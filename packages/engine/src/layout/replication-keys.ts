import { createHash } from 'node:crypto'
import { keySpace, movedItemKey, spaceRange } from './key-space.ts'

/** Which write an item of a replica comes from. Sorted like the items. */
export function itemStampKey(stampsId: number, itemKey: Uint8Array): Buffer {
  return movedItemKey(keySpace.itemStamp, stampsId, itemKey)
}

/** `tombstone space · stamps id · when it was written (steady ms, 8 bytes) · the item's key in its table`. Sorted by
 *  time, so that the cost of removing tombstones depends on what is removed. */
export function tombstoneKey(stampsId: number, steadyMs: number, itemKey: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(tombstoneHeaderBytes + itemKey.length - itemHeaderBytes)
  key[0] = keySpace.tombstone
  key.writeUInt32BE(stampsId, 1)
  key.writeBigUInt64BE(BigInt(Math.max(0, Math.trunc(steadyMs))), itemHeaderBytes)
  key.set(itemKey.subarray(itemHeaderBytes), tombstoneHeaderBytes)
  return key
}

/** The tombstones that were written before `steadyMs`. */
export function tombstonesBefore(stampsId: number, steadyMs: number): { from: Buffer; to: Buffer } {
  const noKey = new Uint8Array(itemHeaderBytes)
  return { from: tombstoneKey(stampsId, 0, noKey), to: tombstoneKey(stampsId, steadyMs, noKey) }
}

/** The key of the item that a tombstone stands for. */
export function itemKeyOfTombstone(tableId: number, key: Uint8Array): Buffer {
  const itemKey = Buffer.allocUnsafe(itemHeaderBytes + key.length - tombstoneHeaderBytes)
  itemKey[0] = keySpace.item
  itemKey.writeUInt32BE(tableId, 1)
  itemKey.set(key.subarray(tombstoneHeaderBytes), itemHeaderBytes)
  return itemKey
}

/** How much of the change log of a replica has been sent to another region. */
export function replicationCursorKey(tableId: number, toRegion: string): Buffer {
  const key = Buffer.allocUnsafe(itemHeaderBytes + Buffer.byteLength(toRegion))
  key[0] = keySpace.replicationCursor
  key.writeUInt32BE(tableId, 1)
  key.write(toRegion, itemHeaderBytes)
  return key
}

/** How much of the change log of a replica in another store has been received. The name of a region has no such sign. */
export function receivedCursorKey(tableId: number, fromRegion: string): Buffer {
  return replicationCursorKey(tableId, `<${fromRegion}`)
}

/** The space, and the identifier. */
const itemHeaderBytes = 5
const tombstoneHeaderBytes = itemHeaderBytes + 8

/** A write that lost against another: `conflict space · stamps id · its microseconds (8 bytes) · eight bytes of a hash of
 *  its region and the item's key`. Sorted by time. The same in all replicas, but for the identifier. */
export function conflictKey(stampsId: number, micros: number, region: string, itemKey: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(itemHeaderBytes + 16)
  key[0] = keySpace.conflict
  key.writeUInt32BE(stampsId, 1)
  key.writeBigUInt64BE(BigInt(Math.max(0, Math.trunc(micros))), itemHeaderBytes)
  const hash = createHash('sha256').update(region).update(itemKey.subarray(itemHeaderBytes)).digest()
  hash.copy(key, itemHeaderBytes + 8, 0, 8)
  return key
}

/** Which regions are isolated, slow or down. */
export function regionConditionsKey(): Buffer {
  return Buffer.of(keySpace.regionConditions)
}

/** Whether a replica of a strongly consistent global table has missed writes; absent if it has not. */
export function strongStateKey(stampsId: number): Buffer {
  return spaceRange(keySpace.missedWrite, stampsId).from
}

/** An item whose last write a replica has missed. Sorted like the items, after the state of the replica. */
export function missedWriteKey(stampsId: number, itemKey: Uint8Array): Buffer {
  return movedItemKey(keySpace.missedWrite, stampsId, itemKey)
}

/** All items whose last write a replica has missed. */
export function missedWrites(stampsId: number): { from: Buffer; to: Buffer } {
  const { from, to } = spaceRange(keySpace.missedWrite, stampsId)
  return { from: Buffer.concat([from, Buffer.of(0)]), to }
}
