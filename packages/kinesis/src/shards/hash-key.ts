import { createHash } from 'node:crypto'
import { invalidArgument } from '../streams/stream-errors.ts'
import type { ShardDefinition } from '../streams/stream-definition.ts'

/** Hash keys are below this. */
export const hashKeys = 2n ** 128n

/** The MD5 hash of the partition key as a number, or the number that was sent instead. */
export function hashKeyOf({
  PartitionKey,
  ExplicitHashKey,
}: {
  readonly PartitionKey: string
  readonly ExplicitHashKey?: string
}): bigint {
  if (ExplicitHashKey === undefined) {
    return BigInt(`0x${createHash('md5').update(PartitionKey, 'utf8').digest('hex')}`)
  }
  const hash = BigInt(ExplicitHashKey)
  if (hash >= hashKeys) {
    throw invalidArgument(
      `Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. Specified value was ${ExplicitHashKey}`,
    )
  }
  return hash
}

/** Finds the shard of a hash key among open ones, in the order of their ranges, which leave no gap. */
export class ShardRouter {
  readonly #shards: readonly ShardDefinition[]
  readonly #starts: readonly bigint[]

  constructor(open: readonly ShardDefinition[]) {
    const ordered = open.map((shard) => ({ shard, start: BigInt(shard.fromHash) }))
    ordered.sort((one, other) => (one.start < other.start ? -1 : 1))
    this.#shards = ordered.map(({ shard }) => shard)
    this.#starts = ordered.map(({ start }) => start)
  }

  shardOf(hash: bigint): ShardDefinition {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0n) <= hash) low = middle
      else high = middle - 1
    }
    const shard = this.#shards[low]
    if (shard === undefined) throw new Error('a stream has no open shard')
    return shard
  }
}

/** The routers of streams, made when they are first written to. A changed definition is another object. */
export function routerOf(definition: { readonly shards: readonly ShardDefinition[] }): ShardRouter {
  let router = routers.get(definition.shards)
  if (router === undefined) {
    router = new ShardRouter(definition.shards.filter(({ closedAt }) => closedAt === undefined))
    routers.set(definition.shards, router)
  }
  return router
}

const routers = new WeakMap<readonly ShardDefinition[], ShardRouter>()

/** The bounds of `count` equal ranges: the first hash key of each, and the end of all. */
export function uniformBounds(count: number): readonly bigint[] {
  const width = hashKeys / BigInt(count)
  return [...Array.from({ length: count }, (_, part) => width * BigInt(part)), hashKeys]
}
