import type { Item } from '@hashrange/core'
import type { Value } from '../store/store.ts'
import { RawJson } from '../wire/raw-json.ts'

/** One change of one item, as the change log keeps it. */
export interface ChangeRecord {
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE'
  /** Whether the database itself deleted the item because it expired. */
  readonly expired: boolean
  /** Whether another region made it, and this replica only followed. */
  readonly replicated: boolean
  readonly atMs: number
  /** The item's key attributes. */
  readonly keys: RawJson
  /** Absent if the log does not keep them, or if there was no item. */
  readonly oldImage: RawJson | undefined
  readonly newImage: RawJson | undefined
  /** Sizes by the service's rules for items. */
  readonly keysSizeBytes: number
  readonly oldSizeBytes: number
  readonly newSizeBytes: number
}

const format = 1
const headerBytes = 35
const events = ['INSERT', 'MODIFY', 'REMOVE'] as const
const insertEvent = events.indexOf('INSERT')

const expiredFlag = 1
const replicatedFlag = 2
const mostFlags = expiredFlag | replicatedFlag

/** Whether a record is of a change that another region made, without decoding the rest. */
export function isReplicatedRecord(value: Value): boolean {
  return ((value[2] ?? 0) & replicatedFlag) !== 0
}

/** format, event, flags (1: the item expired; 2: another region made the change), time (8 bytes), three lengths and three sizes (4 bytes each), then keys, old image and new image
 *  as JSON. An absent image has the length 0. ON DISK. */
export function encodeChangeRecord(record: ChangeRecord): Value {
  const { keys, oldImage, newImage } = record
  const lengths = [keys.length, oldImage?.length ?? 0, newImage?.length ?? 0] as const
  const value = Buffer.allocUnsafe(headerBytes + lengths[0] + lengths[1] + lengths[2])
  value[0] = format
  value[1] = events.indexOf(record.event)
  value[2] = (record.expired ? expiredFlag : 0) | (record.replicated ? replicatedFlag : 0)
  value.writeDoubleBE(record.atMs, 3)
  value.writeUInt32BE(lengths[0], 11)
  value.writeUInt32BE(lengths[1], 15)
  value.writeUInt32BE(lengths[2], 19)
  value.writeUInt32BE(record.keysSizeBytes, 23)
  value.writeUInt32BE(record.oldSizeBytes, 27)
  value.writeUInt32BE(record.newSizeBytes, 31)
  keys.copyTo(value, headerBytes)
  oldImage?.copyTo(value, headerBytes + lengths[0])
  newImage?.copyTo(value, headerBytes + lengths[0] + lengths[1])
  return value
}

/** The record that a replica makes of a change that it follows, from the one of the region that made the change. Undefined
 *  if that one does not have exactly these images. */
export function followedChangeRecord(
  source: Value,
  oldImage: RawJson | undefined,
  newImage: RawJson,
  atMs: number,
): Value | undefined {
  const [keysLength, oldLength] = lengthsIn(source)
  const oldStart = headerBytes + keysLength
  const newStart = oldStart + oldLength
  if (!newImage.isBetween(source, newStart, source.length)) return undefined
  const isFollowed =
    oldImage === undefined ? source[1] === insertEvent : oldImage.isBetween(source, oldStart, newStart)
  if (!isFollowed) return undefined
  const value = Buffer.from(source)
  value[2] = replicatedFlag
  value.writeDoubleBE(atMs, 3)
  return value
}

export function decodeChangeRecord(value: Value): ChangeRecord {
  const bytes = value
  const keysEnd = headerBytes + bytes.readUInt32BE(11)
  const oldEnd = keysEnd + bytes.readUInt32BE(15)
  const newEnd = oldEnd + bytes.readUInt32BE(19)
  return {
    event: events[bytes[1] ?? 0] ?? 'MODIFY',
    expired: ((bytes[2] ?? 0) & expiredFlag) !== 0,
    replicated: isReplicatedRecord(value),
    atMs: bytes.readDoubleBE(3),
    keys: new RawJson(bytes.subarray(headerBytes, keysEnd)),
    oldImage: oldEnd > keysEnd ? new RawJson(bytes.subarray(keysEnd, oldEnd)) : undefined,
    newImage: newEnd > oldEnd ? new RawJson(bytes.subarray(oldEnd, newEnd)) : undefined,
    keysSizeBytes: bytes.readUInt32BE(23),
    oldSizeBytes: bytes.readUInt32BE(27),
    newSizeBytes: bytes.readUInt32BE(31),
  }
}

/** When a change was made, and the key attributes of its item, without decoding the rest. */
export function changedKeyOf(value: Value): { readonly atMs: number; readonly keys: Item } {
  const keys = value.toString('utf8', headerBytes, headerBytes + value.readUInt32BE(11))
  return { atMs: value.readDoubleBE(3), keys: JSON.parse(keys) as Item }
}

/** Why bytes are not a valid record of a change; undefined if they are. The JSON in them is not checked. */
export function changeRecordDamage(value: Value): string | undefined {
  if (value.length < headerBytes) return 'it is cut short'
  if (value[0] !== format) return `its format ${value[0]} is unknown`
  if ((value[1] ?? 0) >= events.length || (value[2] ?? 0) > mostFlags) return 'its event or its flags are unknown'
  const [keys, oldImage, newImage] = lengthsIn(value)
  if (headerBytes + keys + oldImage + newImage !== value.length) return 'its parts do not have its length'
  return undefined
}

/** The JSON of a record's parts, as stored. */
export function changeRecordParts(value: Value): {
  readonly keys: Buffer
  readonly oldImage: Buffer | undefined
  readonly newImage: Buffer | undefined
} {
  const [keys, oldImage, newImage] = lengthsIn(value)
  const oldStart = headerBytes + keys
  const newStart = oldStart + oldImage
  return {
    keys: value.subarray(headerBytes, oldStart),
    oldImage: oldImage === 0 ? undefined : value.subarray(oldStart, newStart),
    newImage: newImage === 0 ? undefined : value.subarray(newStart, newStart + newImage),
  }
}

function lengthsIn(value: Value): readonly [keys: number, oldImage: number, newImage: number] {
  return [value.readUInt32BE(11), value.readUInt32BE(15), value.readUInt32BE(19)]
}

export function jsonOf(item: Item): RawJson {
  return new RawJson(Buffer.from(JSON.stringify(item)))
}
