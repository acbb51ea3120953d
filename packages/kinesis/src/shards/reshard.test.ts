import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShardDefinition } from '../streams/stream-definition.ts'
import { hashKeyOf, hashKeys, ShardRouter, uniformBounds } from './hash-key.ts'
import { firstShards, Resharding } from './reshard.ts'

const hashes = fc.bigInt({ min: 0n, max: hashKeys - 1n })

/** Open shards have every hash key once; every shard but the first ones has parents whose ranges hold its own. */
function assertSound(shards: readonly ShardDefinition[]): void {
  const open = shards.filter(({ closedAt }) => closedAt === undefined)
  const sorted = open.toSorted((one, other) => (BigInt(one.fromHash) < BigInt(other.fromHash) ? -1 : 1))
  let next = 0n
  for (const { fromHash, toHash } of sorted) {
    expect(BigInt(fromHash)).toBe(next)
    next = BigInt(toHash) + 1n
  }
  expect(next).toBe(hashKeys)
  const byNumber = new Map(shards.map((shard) => [shard.shard, shard]))
  for (const { parent, adjacentParent, openedAt, fromHash, toHash } of shards) {
    for (const number of [parent, adjacentParent]) {
      if (number === undefined) continue
      const found = byNumber.get(number)
      expect(found?.closedAt).toBeDefined()
      expect(BigInt(found?.closedAt ?? 0)).toBeLessThanOrEqual(BigInt(openedAt))
      expect(
        BigInt(found?.fromHash ?? -1) <= BigInt(toHash) && BigInt(found?.toHash ?? -1) >= BigInt(fromHash),
      ).toBe(true)
    }
  }
}

test('whatever is done to shards, each hash key has one open shard', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('split' as const), at: hashes }),
      fc.record({ kind: fc.constant('merge' as const), at: hashes }),
      fc.record({ kind: fc.constant('uniform' as const), count: fc.integer({ min: 1, max: 40 }) }),
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), steps, fc.array(hashes, { maxLength: 20 }), (count, all, keys) => {
      let shards = firstShards(count, 1n)
      let nextShard = count
      let sequence = 10n
      for (const step of all) {
        const resharding = new Resharding(shards, nextShard, sequence)
        const open = shards.filter(({ closedAt }) => closedAt === undefined)
        const router = new ShardRouter(open)
        if (step.kind === 'uniform') resharding.toUniform(step.count)
        else {
          const shard = router.shardOf(step.at)
          const below = open.find(({ toHash }) => BigInt(toHash) + 1n === BigInt(shard.fromHash))
          if (step.kind === 'split' && step.at > BigInt(shard.fromHash)) resharding.split(shard, step.at)
          if (step.kind === 'merge' && below !== undefined) resharding.merge(below, shard)
        }
        ;({ shards, nextShard } = resharding)
        sequence += 10n
        assertSound(shards)
        if (step.kind === 'uniform') {
          const starts = shards.filter(({ closedAt }) => closedAt === undefined).map(({ fromHash }) => fromHash)
          expect(new Set(starts)).toEqual(new Set(uniformBounds(step.count).slice(0, -1).map(String)))
        }
      }
      const router = new ShardRouter(shards.filter(({ closedAt }) => closedAt === undefined))
      for (const key of keys) {
        const { fromHash, toHash } = router.shardOf(key)
        expect(BigInt(fromHash) <= key && key <= BigInt(toHash)).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})

test('a partition key has the hash key of the service', () => {
  // MD5 of "hello", as a number.
  expect(hashKeyOf({ PartitionKey: 'hello' })).toBe(0x5d41402abc4b2a76b9719d911017c592n)
})
