import type { Key, KeyPlacement } from '@hashrange/engine'

/** Part of a range that is read from one place. */
export interface Segment {
  readonly kind: 'entries' | 'kept' | 'counters'
  readonly from: Key
  readonly to: Key
}

export interface ShardSpan {
  readonly first: number
  /** Inclusive. */
  readonly last: number
  readonly isOrdered: boolean
}

/** Where keys lie in this database. */
export class Placement {
  readonly shards: number
  readonly #isDistributed: boolean
  readonly #keys: KeyPlacement
  readonly #shift: number
  readonly #everywhere: ShardSpan
  readonly #anchor: (() => number) | undefined
  /** What is stored apart from the other entries, in key order. */
  readonly #apart: readonly Segment[]

  /** `shards` is a power of two. If they are on several nodes, what concerns an item is in the shard of the item, as
   *  far as possible: a write of one node needs no agreement between nodes. For a node alone, `anchor` is a shard that it
   *  has: there it reads what every shard has, and adds to what may be in any. */
  constructor(keys: KeyPlacement, shards: number, isDistributed: boolean, anchor?: () => number) {
    this.#anchor = anchor
    this.shards = shards
    this.#isDistributed = isDistributed
    this.#keys = keys
    this.#shift = 16 - Math.log2(shards)
    this.#apart = [
      ...keys.counterRanges.map((range): Segment => ({ kind: 'counters', ...range })),
      { kind: 'kept' as const, ...keys.keptRange },
      ...(isDistributed ? [{ kind: 'entries' as const, ...keys.copiedRange }] : []),
    ].toSorted((a, b) => compare(a.from, b.from))
    this.#everywhere = { first: 0, last: shards - 1, isOrdered: shards === 1 }
  }

  shardOf(key: Key): number {
    if (this.#anchor !== undefined && (this.isCopied(key) || this.isScattered(key))) return this.#anchor()
    return this.#keys.shardBits(key) >>> this.#shift
  }

  /** Where a transaction at home in some shard reads the key, or adds to it. */
  shardFrom(home: number, key: Key): number {
    if (this.#anchor !== undefined) return this.shardOf(key)
    return this.isCopied(key) || this.isScattered(key) ? home : this.shardOf(key)
  }

  /** Whether every shard has the entry. */
  isCopied(key: Key): boolean {
    const { from, to } = this.#keys.copiedRange
    return this.#isDistributed && compare(key, from) >= 0 && compare(key, to) < 0
  }

  /** Whether every shard may have a part of the counter. */
  isScattered(key: Key): boolean {
    return this.#isDistributed && this.#keys.isScattered(key)
  }

  isCounter(key: Key): boolean {
    return this.#keys.isCounter(key)
  }

  /** The table that holds an entry. */
  tableOf(key: Key): 'entries' | 'kept' {
    return this.#keys.isKept(key) ? 'kept' : 'entries'
  }

  /** The shards that a range covers. If `isOrdered`, each contains a part of the range, one after another. */
  shardsBetween(from: Key, to: Key): ShardSpan {
    if (this.isCopied(from)) return { first: 0, last: 0, isOrdered: true }
    const placed = this.#keys.placedBytes(from)
    if (!Number.isFinite(placed)) return this.#everywhere
    const first = padded(from, placed)
    const last = padded(to, placed)
    // The end of a range is exclusive: truncated to a prefix, it may refer to the next place.
    if (to.length <= placed) decrement(last)
    const shard = this.shardOf(first)
    if (first.equals(last)) return { first: shard, last: shard, isOrdered: true }
    if (!this.#keys.isOrdered(from) || first.compare(last, 0, 5, 0, 5) !== 0) return this.#everywhere
    return { first: shard, last: this.shardOf(last), isOrdered: true }
  }

  /** Not everything is in one table, so a range may have to be read in pieces. In key order. */
  segments(from: Key, to: Key): readonly Segment[] {
    const segments: Segment[] = []
    let start = from
    for (const apart of this.#apart) {
      if (compare(apart.to, start) <= 0 || compare(apart.from, to) >= 0) continue
      if (compare(start, apart.from) < 0) segments.push({ kind: 'entries', from: start, to: apart.from })
      segments.push({ kind: apart.kind, from: higher(start, apart.from), to: lower(to, apart.to) })
      start = higher(start, apart.to)
    }
    if (compare(start, to) < 0) segments.push({ kind: 'entries', from: start, to })
    return segments
  }
}

function padded(key: Key, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.set(key.subarray(0, length))
  return bytes
}

/** As a number of so many bytes. */
function decrement(bytes: Buffer): void {
  for (let index = bytes.length - 1; index >= 0; index--) {
    const byte = bytes[index] ?? 0
    bytes[index] = (byte + 255) & 0xff
    if (byte > 0) return
  }
}

function compare(a: Key, b: Key): number {
  return Buffer.compare(a, b)
}

function higher(a: Key, b: Key): Key {
  return compare(a, b) > 0 ? a : b
}

function lower(a: Key, b: Key): Key {
  return compare(a, b) < 0 ? a : b
}
