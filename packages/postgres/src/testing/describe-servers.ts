import {
  decodeCounters,
  logEntryKey,
  sequenceAt,
  sequenceOfKey,
  type Key,
  type Store,
  type Write,
} from '@hashrange/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** What must hold while several servers share a database, as tests. `open` gives two stores on one new database. */
export function describeServers(name: string, open: () => Promise<readonly [Store, Store]>): void {
  describe(`two servers on ${name}`, () => {
    let first: Store
    let second: Store

    beforeEach(async () => {
      ;[first, second] = await open()
    })

    afterEach(async () => {
      await Promise.all([first.close(), second.close()])
    })

    test('lose no increment of one entry', async () => {
      const key = Buffer.from('hot')
      const increment = (store: Store): Promise<void> =>
        store.transact([key], ([value]) => ({
          writes: [{ kind: 'put', key, value: Buffer.from(String(Number(value ?? 0) + 1)) }],
          answer: undefined,
        }))
      await Promise.all(
        [first, second].map(async (store) => {
          for (let round = 0; round < 20; round++)
            await Promise.all(Array.from({ length: 5 }, () => increment(store)))
        }),
      )
      expect(await storedText(first, key)).toBe('200')
      expect(await storedText(second, key)).toBe('200')
    })

    test('have the effects of what is committed, each once, however often it was decided', async () => {
      const key = Buffer.from('hot')
      let asked = 0
      let applied = 0
      const increment = (store: Store): Promise<void> =>
        store.transact([key], ([value]) => {
          asked++
          return {
            writes: [{ kind: 'put', key, value: Buffer.from(String(Number(value ?? 0) + 1)) }],
            answer: undefined,
            effect: { apply: () => applied++, undo: () => applied-- },
          }
        })
      for (let round = 0; round < 30; round++) {
        await Promise.all([first, second].flatMap((store) => Array.from({ length: 3 }, () => increment(store))))
        // Where everybody locks first, nobody is asked again.
        if (asked > applied) break
      }
      expect(await storedText(first, key)).toBe(String(applied))
    })

    test('do not both act on what the other takes away', async () => {
      // Each may write its own entry only while the other's is absent: write skew, if absence were not verified.
      for (let round = 0; round < 20; round++) {
        const [left, right] = [Buffer.from(`left${round}`), Buffer.from(`right${round}`)]
        const claim = (store: Store, own: Key, other: Key): Promise<boolean> =>
          store.transact([own, other], ([, taken]) => ({
            writes: taken === undefined ? [{ kind: 'put', key: own, value: Buffer.from('1') }] : [],
            answer: taken === undefined,
          }))
        const claims = await Promise.all([claim(first, left, right), claim(second, right, left)])
        expect(claims.filter(Boolean)).toHaveLength(1)
      }
    })

    test('leave nothing behind that one derives from an entry while the other takes it away', async () => {
      // What is derived is written without having been read, and lies before its source: an index that is being filled.
      const derived = Buffer.from('a1 derived')
      const others = Array.from({ length: 500 }, (_, index) => Buffer.from(`a2 between ${index}`))
      for (let round = 0; round < 40; round++) {
        const source = Buffer.from(`a3 source ${round}`)
        const put = (key: Key): Write => ({ kind: 'put', key, value: Buffer.from('1') })
        await first.transact([], () => ({ writes: [put(source)], answer: undefined }))
        const remove = second.transact([source], () => ({
          writes: [derived, ...others, source].map((key) => ({ kind: 'delete', key })),
          answer: undefined,
        }))
        await new Promise((resolve) => setTimeout(resolve, round % 10))
        const fill = first.transact([source], ([value]) => ({
          writes: value === undefined ? [] : [put(derived)],
          answer: undefined,
        }))
        await Promise.all([remove, fill])
        expect(await storedText(first, derived)).toBeUndefined()
      }
    })

    test('keep the sum of many entries that one transaction changes, creates and deletes', async () => {
      const keys = Array.from({ length: 12 }, (_, index) => Buffer.from(`${'abcdef'[index % 6]}many${index}`))
      await first.transact([], () => ({
        writes: keys.map((key) => ({ kind: 'put', key, value: Buffer.from('1') })),
        answer: undefined,
      }))
      // Every step moves all amounts to the next entry, and those of every third entry to one beyond it.
      const step = (store: Store): Promise<void> =>
        store.transact(keys, (values) => {
          const amounts = keys.map(() => 0)
          values.forEach((value, index) => {
            const to = (index + (index % 3 === 0 ? 2 : 1)) % keys.length
            amounts[to] = (amounts[to] ?? 0) + Number(value ?? 0)
          })
          const write = (key: Key, index: number): Write => {
            const amount = amounts[index] ?? 0
            return amount === 0 ? { kind: 'delete', key } : { kind: 'put', key, value: Buffer.from(String(amount)) }
          }
          return { writes: keys.map(write), answer: undefined }
        })
      await Promise.all(
        [first, second].map(async (store) => {
          for (let round = 0; round < 15; round++) await step(store)
        }),
      )
      const values = await second.view((snapshot) => snapshot.getMany(keys))
      expect(values.reduce((sum, value) => sum + Number(value ?? 0), 0)).toBe(keys.length)
      expect(values).toContain(undefined)
    })

    test('keep a sum while they move amounts between entries, seen whole at every moment', async () => {
      const keys = Array.from({ length: 6 }, (_, index) => Buffer.from(`${'abcdef'[index]}account`))
      await first.transact([], () => ({
        writes: keys.map((key) => ({ kind: 'put', key, value: Buffer.from('100') })),
        answer: undefined,
      }))
      const move = (store: Store, from: number, to: number): Promise<void> => {
        const pair = [keys[from] ?? Buffer.of(), keys[to] ?? Buffer.of()] as const
        return store.transact(pair, ([a, b]) => ({
          writes: [
            { kind: 'put', key: pair[0], value: Buffer.from(String(Number(a) - 1)) },
            { kind: 'put', key: pair[1], value: Buffer.from(String(Number(b) + 1)) },
          ],
          answer: undefined,
        }))
      }
      const work = { goesOn: true }
      const sums: number[] = []
      const look = async (store: Store): Promise<void> => {
        while (work.goesOn) {
          const values = await store.view((snapshot) => snapshot.getMany(keys))
          sums.push(values.reduce((sum, value) => sum + Number(value), 0))
        }
      }
      const looking = [look(first), look(second)]
      await Promise.all(
        [first, second].flatMap((store, side) =>
          Array.from({ length: 4 }, async (_, client) => {
            for (let round = 0; round < 15; round++) {
              const from = (client + round + side) % 6
              await move(store, from, (from + 1 + (round % 5)) % 6)
            }
          }),
        ),
      )
      work.goesOn = false
      await Promise.all(looking)
      expect(sums.length).toBeGreaterThan(2)
      expect(new Set(sums)).toEqual(new Set([600]))
    })

    test('count exactly, together', async () => {
      const key = Buffer.from('n')
      const add = (store: Store): Promise<void> =>
        store.transact([], () => ({ writes: [{ kind: 'add', key, amounts: [1, 0, -2] }], answer: undefined }))
      await Promise.all([first, second].flatMap((store) => Array.from({ length: 50 }, () => add(store))))
      const value = await second.view((snapshot) => snapshot.get(key))
      expect(decodeCounters(value)).toEqual([100, 0, -200])
      const inRange: (readonly number[])[] = []
      await first.view((snapshot) =>
        snapshot.range({ from: Buffer.from('m'), to: Buffer.from('o') }, (_key, counters) => {
          inRange.push(decodeCounters(counters))
          return true
        }),
      )
      expect(inRange).toEqual([[100, 0, -200]])
    })

    test('append so that a reader who follows a log misses nothing, although one clock is behind', async () => {
      const log = Buffer.from('log')
      const append = (store: Store, value: string, atMs: number): Promise<void> =>
        store.transact([Buffer.from(value)], () => ({
          writes: [{ kind: 'append', log, atMs, value: Buffer.from(value) }],
          answer: undefined,
        }))
      const seen: string[] = []
      let position: Key = log
      const follow = (): Promise<void> =>
        Promise.resolve(
          second.view((snapshot) =>
            snapshot.range({ from: position, to: Buffer.from('loh') }, (key, value) => {
              seen.push(value.toString())
              position = Buffer.concat([key, Buffer.of(0)])
              return true
            }),
          ),
        )
      const work = { goesOn: true }
      const following = (async () => {
        while (work.goesOn) await follow()
      })()
      const wanted: string[] = []
      const nowMs = 1_800_000_000_000
      await Promise.all(
        [first, second].flatMap((store, side) =>
          Array.from({ length: 5 }, async (_, client) => {
            for (let round = 0; round < 10; round++) {
              const value = `${side}.${client}.${round}`
              wanted.push(value)
              await append(store, value, nowMs + round - side * 5_000)
            }
          }),
        ),
      )
      work.goesOn = false
      await following
      await follow()
      expect(seen.toSorted()).toEqual(wanted.toSorted())
      for (const writer of ['0.0', '0.4', '1.0', '1.4']) {
        const own = seen.filter((value) => value.startsWith(`${writer}.`))
        expect(own).toEqual(Array.from({ length: 10 }, (_, round) => `${writer}.${round}`))
      }
    })

    test('append above what a log was given entry by entry', async () => {
      const log = Buffer.from('log')
      await first.transact([], () => ({
        writes: [{ kind: 'put', key: logEntryKey(log, sequenceAt(9_000)), value: Buffer.from('copied') }],
        answer: undefined,
      }))
      await second.transact([], () => ({
        writes: [{ kind: 'append', log, atMs: 1_000, value: Buffer.from('appended') }],
        answer: undefined,
      }))
      const values: string[] = []
      await first.view((snapshot) =>
        snapshot.range({ from: log, to: Buffer.from('loh') }, (_key, value) => values.push(value.toString()) > 0),
      )
      expect(values).toEqual(['copied', 'appended'])
    })

    test('begin a log above everything that was in the logs before', async () => {
      const append = (store: Store, log: string, atMs: number): Promise<void> =>
        store.transact([], () => ({
          writes: [{ kind: 'append', log: Buffer.from(log), atMs, value: Buffer.from('x') }],
          answer: undefined,
        }))
      await append(first, 'parent', 9_000)
      await append(second, 'quick child', 1_000)
      const sequences: bigint[] = []
      await first.view((snapshot) =>
        snapshot.range(
          { from: Buffer.from('p'), to: Buffer.from('r') },
          (key) => sequences.push(sequenceOfKey(key)) > 0,
        ),
      )
      expect(sequences).toHaveLength(2)
      expect((sequences[1] ?? 0n) > (sequences[0] ?? 0n)).toBe(true)
    })
  })
}

async function storedText(store: Store, key: Key): Promise<string | undefined> {
  const value = await store.view((snapshot) => snapshot.get(key))
  return value?.toString()
}
