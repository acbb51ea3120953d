import type { Value } from '../store/store.ts'
import { nextStamp, type Stamp } from './stamp.ts'

/** What a replica remembers of an item's writes, beside the item or in its place. */
export interface ItemStamp {
  /** The write that the item is from, or that deleted it. */
  readonly stamp: Stamp
  /** The last writes of other regions that this write has seen, in microseconds: neither side of a conflict has seen
   *  the other. */
  readonly seen: Readonly<Record<string, number>>
  /** If the item was deleted. */
  readonly tombstone?: Tombstone
}

export interface Tombstone {
  /** The item's key attributes, as JSON: they cannot be read from its key. */
  readonly keys: Buffer
  /** When this replica wrote it, in steady time. */
  readonly atSteadyMs: number
}

/** What a write in `region` makes of an item's stamp. */
export function stampOfWrite(
  before: ItemStamp | undefined,
  nowMs: number,
  region: string,
): Pick<ItemStamp, 'stamp' | 'seen'> {
  const stamp = nextStamp(before?.stamp, nowMs, region)
  return { stamp, seen: before === undefined ? nothingSeen : seenWithout(region, before) }
}

/** Whether whoever made the write `one` had seen the write `other`. */
export function hasSeen(one: Pick<ItemStamp, 'stamp' | 'seen'>, other: Stamp): boolean {
  if (one.stamp.region === other.region) return one.stamp.micros >= other.micros
  return (one.seen[other.region] ?? -1) >= other.micros
}

/** A replica that knows two writes of an item has seen what both have seen. */
export function mergedSeen(
  kept: Pick<ItemStamp, 'stamp' | 'seen'>,
  other: Pick<ItemStamp, 'stamp' | 'seen'>,
): ItemStamp['seen'] {
  if (other.seen === nothingSeen && other.stamp.region === kept.stamp.region) return kept.seen
  const merged: Record<string, number> = { ...kept.seen }
  for (const [region, micros] of [
    ...Object.entries(other.seen),
    [other.stamp.region, other.stamp.micros] as const,
  ]) {
    if (region !== kept.stamp.region) merged[region] = Math.max(merged[region] ?? 0, micros)
  }
  return merged
}

const nothingSeen: ItemStamp['seen'] = {}

function seenWithout(region: string, { stamp, seen }: ItemStamp): ItemStamp['seen'] {
  if (stamp.region === region && seen === nothingSeen) return nothingSeen
  const { [region]: _, ...others } = { ...seen, [stamp.region]: stamp.micros }
  return others
}

const format = 1
const regionStart = 10

/** format, flags (1: a tombstone), the write's microseconds (8 bytes) and region, the number of regions whose writes it
 *  has seen, and for each its microseconds and its name; a tombstone continues with its time (8 bytes) and the item's
 *  key attributes as JSON. The names of regions begin with their length, a byte. ON DISK. */
export function encodeItemStamp({ stamp, seen, tombstone }: ItemStamp): Value {
  const others = Object.keys(seen)
  let length = 2 + 8 + nameBytes(stamp.region).length + 1
  for (const region of others) length += 8 + nameBytes(region).length
  if (tombstone !== undefined) length += 8 + tombstone.keys.length
  const value = Buffer.allocUnsafe(length)
  value[0] = format
  value[1] = tombstone === undefined ? 0 : 1
  let at = writeName(value, writeMoment(value, 2, stamp.micros), stamp.region)
  value[at++] = others.length
  for (const region of others) at = writeName(value, writeMoment(value, at, seen[region] ?? 0), region)
  if (tombstone !== undefined) value.set(tombstone.keys, writeMoment(value, at, tombstone.atSteadyMs))
  return value
}

export function decodeItemStamp(value: Value): ItemStamp {
  const stamp = { micros: momentAt(value, 2), region: nameAt(value, regionStart) }
  let at = nameEnd(value, regionStart)
  let seen = nothingSeen
  for (let count = value[at++] ?? 0; count > 0; count--) {
    seen = { ...seen, [nameAt(value, at + momentBytes)]: momentAt(value, at) }
    at = nameEnd(value, at + momentBytes)
  }
  if (value[1] !== 1) return { stamp, seen }
  return { stamp, seen, tombstone: { keys: value.subarray(at + momentBytes), atSteadyMs: momentAt(value, at) } }
}

const momentBytes = 8

function momentAt(value: Value, at: number): number {
  return value.readUInt32BE(at) * 2 ** 32 + value.readUInt32BE(at + 4)
}

/** Where the name that begins at `at` ends. */
function nameEnd(value: Value, at: number): number {
  const end = at + 1 + (value[at] ?? 0)
  if (end > value.length) throw new RangeError('a name is cut short')
  return end
}

/** Most stamps name the region of the one before. */
let lastName = { bytes: Buffer.alloc(0), text: '' }

function nameAt(value: Value, at: number): string {
  const from = at + 1
  const to = nameEnd(value, at)
  if (!hasAt(value, from, to, lastName.bytes)) {
    lastName = { bytes: Buffer.from(value.subarray(from, to)), text: value.toString('utf8', from, to) }
  }
  return lastName.text
}

function hasAt(value: Value, from: number, to: number, bytes: Buffer): boolean {
  if (to - from !== bytes.length) return false
  for (let index = 0; index < bytes.length; index++) if (value[from + index] !== bytes[index]) return false
  return true
}

/** Whether an encoded stamp is of a write in `region`. */
export function isStampOf(value: Value, region: string): boolean {
  const name = nameBytes(region)
  const end = regionStart + name.length
  return end <= value.length && value.compare(name, 0, name.length, regionStart, end) === 0
}

/** Why bytes are not a stamp; undefined if they are. */
export function itemStampDamage(value: Value): string | undefined {
  if (value[0] !== format) return `its format ${value[0]} is unknown`
  if ((value[1] ?? 2) > 1) return 'its flags are unknown'
  try {
    const { stamp, tombstone } = decodeItemStamp(value)
    if (stamp.region === '') return 'it names no region'
    if (tombstone !== undefined) JSON.parse(tombstone.keys.toString('utf8'))
    return undefined
  } catch {
    return 'it cannot be read'
  }
}

function writeMoment(value: Buffer, at: number, time: number): number {
  const whole = Math.max(0, Math.trunc(time))
  value.writeUInt32BE(Math.floor(whole / 2 ** 32), at)
  return value.writeUInt32BE(whole % 2 ** 32, at + 4)
}

function writeName(value: Buffer, at: number, region: string): number {
  const bytes = nameBytes(region)
  value.set(bytes, at)
  return at + bytes.length
}

/** Stamps are encoded with every write, and there are few regions. */
const namesInBytes = new Map<string, Buffer>()
const mostNames = 64

function nameBytes(region: string): Buffer {
  const known = namesInBytes.get(region)
  if (known !== undefined) return known
  const text = Buffer.from(region)
  const bytes = Buffer.concat([Buffer.of(text.length), text])
  if (namesInBytes.size < mostNames) namesInBytes.set(region, bytes)
  return bytes
}
