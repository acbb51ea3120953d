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
  const { [region]: _, ...others } = { ...seen, [stamp.region]: stamp.micros }
  return others
}

const format = 1

/** format, flags (1: a tombstone), the write's microseconds (8 bytes) and region, the number of regions whose writes it
 *  has seen, and for each its microseconds and its name; a tombstone continues with its time (8 bytes) and the item's
 *  key attributes as JSON. The names of regions begin with their length, a byte. ON DISK. */
export function encodeItemStamp({ stamp, seen, tombstone }: ItemStamp): Value {
  const others = Object.entries(seen)
  const parts = [Buffer.of(format, tombstone === undefined ? 0 : 1), moment(stamp.micros), name(stamp.region)]
  parts.push(Buffer.of(others.length))
  for (const [region, micros] of others) parts.push(moment(micros), name(region))
  if (tombstone !== undefined) parts.push(moment(tombstone.atSteadyMs), tombstone.keys)
  return Buffer.concat(parts)
}

export function decodeItemStamp(value: Value): ItemStamp {
  let at = 2
  const readMoment = (): number => Number(value.readBigUInt64BE((at += 8) - 8))
  const readName = (): string => {
    const length = value[at++] ?? 0
    return value.toString('utf8', at, (at += length))
  }
  const stamp = { micros: readMoment(), region: readName() }
  const seen: Record<string, number> = {}
  for (let count = value[at++] ?? 0; count > 0; count--) {
    const micros = readMoment()
    seen[readName()] = micros
  }
  if (value[1] !== 1) return { stamp, seen }
  const atSteadyMs = readMoment()
  return { stamp, seen, tombstone: { keys: value.subarray(at), atSteadyMs } }
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

function moment(time: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(BigInt(Math.max(0, Math.trunc(time))))
  return bytes
}

function name(region: string): Buffer {
  const text = Buffer.from(region)
  return Buffer.concat([Buffer.of(text.length), text])
}
