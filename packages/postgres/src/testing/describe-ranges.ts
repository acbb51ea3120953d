import { keyPlacement, type Key, type Range, type Store, type Write } from '@hashrange/engine'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Reading ranges of the engine's keys, as tests. `open` gives stores on new databases, with the shards that it likes. */
export function describeRanges(name: string, open: () => Promise<readonly Store[]>): void {
  describe(`ranges of the engine’s keys on ${name}`, () => {
    let stores: readonly Store[] = []

    beforeAll(async () => {
      const writes = [...entries.values()].map(({ key, isCounter }): Write =>
        isCounter ? { kind: 'add', key, amounts: [1, 2] } : { kind: 'put', key, value: Buffer.from(key) },
      )
      stores = await open()
      for (const store of stores) await store.transact([], () => ({ writes, answer: undefined }))
    })

    afterAll(async () => {
      await Promise.all(stores.map((store) => store.close()))
    })

    test('come in the order of their bytes, whatever shards they lie in', async () => {
      const bound = fc.oneof(aKey, fc.constantFrom(Buffer.of(0), Buffer.of(0x10), Buffer.of(0x11), Buffer.of(0xff)))
      const aRange = fc.record({
        from: bound,
        to: bound,
        reverse: fc.boolean(),
        limit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
      })
      await fc.assert(
        fc.asyncProperty(aRange, async ({ from, to, reverse, limit }) => {
          const [low, high] = [from, to].map((key) => Buffer.from(key).toString('latin1'))
          const within = names.filter((name) => name >= (low ?? '') && name < (high ?? ''))
          const wanted = (reverse ? within.toReversed() : within).slice(0, limit)
          const range: Range = { from, to, reverse, ...(limit !== undefined && { limit }) }
          for (const store of stores) {
            expect(await namesIn(store, range)).toEqual(wanted)
            expect(await namesIn(store, { ...range, isAlone: true })).toEqual(wanted)
          }
        }),
        { numRuns: 60 },
      )
    })

    test('of one partition that is larger than a page come whole, and from one snapshot', async () => {
      // A partition of a table that nothing else is in.
      const keyAt = (n: number): Buffer => Buffer.from(`10000000ff${'ab'.repeat(16)}${String(n + 100_000)}`, 'hex')
      const range = { from: keyAt(0), to: keyAt(9_999), isAlone: true }
      for (const store of stores) {
        const put = (state: string): Promise<unknown> =>
          store.transact([], () => ({
            writes: Array.from({ length: 3_000 }, (_, n): Write => ({
              kind: 'put',
              key: keyAt(n),
              value: Buffer.from(state),
            })),
            answer: undefined,
          }))
        await put('0')
        const writing = put('1').then(() => put('2'))
        for (let round = 0; round < 12; round++) {
          const values: string[] = []
          await store.view((snapshot) => snapshot.range(range, (_key, value) => values.push(String(value)) > 0))
          expect(values).toHaveLength(3_000)
          expect(new Set(values).size).toBe(1)
        }
        await writing
        await store.transact([], () => ({
          writes: Array.from({ length: 3_000 }, (_, n): Write => ({ kind: 'delete', key: keyAt(n) })),
          answer: undefined,
        }))
      }
    })

    test('that are larger than a page are read to their end', async () => {
      for (const store of stores) {
        expect(await namesIn(store, { from: Buffer.of(0), to: Buffer.of(0xff) })).toEqual(names)
        const backwards = await namesIn(store, { from: Buffer.of(0), to: Buffer.of(0xff), reverse: true })
        expect(backwards).toEqual(names.toReversed())
      }
    })
  })
}

/** Keys of every space that the engine has, close together: partitions, logs, counters, expiries, what is in one shard, what is not. */
const aKey = fc
  .tuple(
    fc.constantFrom(0x01, 0x02, 0x06, 0x07, 0x10, 0x11, 0x13, 0x14, 0x16, 0x20, 0x22),
    fc.integer({ min: 1, max: 2 }),
    fc.uint8Array({ minLength: 0, maxLength: 6 }),
  )
  .map(([space, id, rest]): Key =>
    space === 0x06
      ? Buffer.of(space)
      : space === 0x13
        ? Buffer.of(space, 0, 0, 0, id)
        : Buffer.of(space, 0, 0, 0, id, ...rest),
  )

const entries = new Map(
  fc
    .sample(aKey, { numRuns: 600, seed: 7 })
    .map((key) => [Buffer.from(key).toString('latin1'), { key, isCounter: keyPlacement.isCounter(key) }]),
)
const names = [...entries.keys()].toSorted()

async function namesIn(store: Store, range: Range): Promise<readonly string[]> {
  const found: string[] = []
  await store.view((snapshot) =>
    snapshot.range(range, (key) => found.push(Buffer.from(key).toString('latin1')) > 0),
  )
  return found
}
