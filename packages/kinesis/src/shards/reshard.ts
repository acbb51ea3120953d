import type { ShardDefinition } from '../streams/stream-definition.ts'
import { hashKeys, uniformBounds } from './hash-key.ts'

/** A set of shards that is being changed. All of it is decided in one transaction: earlier records of a hash key are in
 *  the parent, later ones in the child. */
export class Resharding {
  readonly #shards: ShardDefinition[]
  readonly #places: Map<number, number>
  readonly #closesAt: bigint
  #nextShard: number

  /** `closesAt` is the last sequence of shards that are closed now; the records of their children are above it. */
  constructor(shards: readonly ShardDefinition[], nextShard: number, closesAt: bigint) {
    this.#shards = [...shards]
    this.#places = new Map(shards.map(({ shard }, place) => [shard, place]))
    this.#nextShard = nextShard
    this.#closesAt = closesAt
  }

  get shards(): readonly ShardDefinition[] {
    return this.#shards
  }

  get nextShard(): number {
    return this.#nextShard
  }

  /** Where the records of new shards begin. */
  get opensAt(): bigint {
    return this.#closesAt + 1n
  }

  /** The second child begins with the hash key `at`. */
  split({ shard, fromHash, toHash }: ShardDefinition, at: bigint): readonly [ShardDefinition, ShardDefinition] {
    this.#close(shard)
    const below = this.#add({ parent: shard, fromHash, toHash: (at - 1n).toString() })
    return [below, this.#add({ parent: shard, fromHash: at.toString(), toHash })]
  }

  /** The ranges of both are adjacent, `below` being the lower; `parent` is one of them. */
  merge(below: ShardDefinition, above: ShardDefinition, parent = below): ShardDefinition {
    const adjacent = parent === below ? above : below
    this.#close(below.shard)
    this.#close(above.shard)
    return this.#add({
      parent: parent.shard,
      adjacentParent: adjacent.shard,
      fromHash: below.fromHash,
      toHash: above.toHash,
    })
  }

  /** Splits and merges until there are `count` equal ranges. A shard has at most two parents, so some shards only live
   *  for the length of the transaction, and stay empty. */
  toUniform(count: number): void {
    const bounds = uniformBounds(count)
    const wanted = new Set(bounds.map(String))
    let merged: ShardDefinition | undefined
    for (const piece of this.#cutAt(bounds)) {
      merged = merged === undefined || wanted.has(piece.fromHash) ? piece : this.merge(merged, piece)
    }
  }

  /** The open shards in the order of their hash keys, after those that a bound falls into have been split there. */
  #cutAt(bounds: readonly bigint[]): readonly ShardDefinition[] {
    const pieces: ShardDefinition[] = []
    let next = 0
    for (const shard of inOrder(this.#shards)) {
      const end = BigInt(shard.toHash)
      let rest = shard
      for (let bound = bounds[next]; bound !== undefined && bound <= end; bound = bounds[++next]) {
        if (bound === BigInt(rest.fromHash)) continue
        const [below, above] = this.split(rest, bound)
        pieces.push(below)
        rest = above
      }
      pieces.push(rest)
    }
    return pieces
  }

  #close(shard: number): void {
    const place = this.#places.get(shard)
    const found = place === undefined ? undefined : this.#shards[place]
    if (place === undefined || found === undefined || found.closedAt !== undefined) {
      throw new Error('a shard is closed that is not open')
    }
    const isNew = BigInt(found.openedAt) > this.#closesAt
    this.#shards[place] = { ...found, closedAt: isNew ? found.openedAt : this.#closesAt.toString() }
  }

  #add(shard: Pick<ShardDefinition, 'parent' | 'adjacentParent' | 'fromHash' | 'toHash'>): ShardDefinition {
    const added = { shard: this.#nextShard++, ...shard, openedAt: this.opensAt.toString() }
    this.#places.set(added.shard, this.#shards.length)
    this.#shards.push(added)
    return added
  }
}

function inOrder(shards: readonly ShardDefinition[]): readonly ShardDefinition[] {
  return shards
    .filter(({ closedAt }) => closedAt === undefined)
    .map((shard) => ({ shard, from: BigInt(shard.fromHash) }))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1))
    .map(({ shard }) => shard)
}

/** The shards of a new stream. */
export function firstShards(count: number, openedAt: bigint): readonly ShardDefinition[] {
  const bounds = uniformBounds(count)
  return bounds.slice(0, -1).map((fromHash, shard) => ({
    shard,
    fromHash: fromHash.toString(),
    toHash: ((bounds[shard + 1] ?? hashKeys) - 1n).toString(),
    openedAt: openedAt.toString(),
  }))
}
