import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeCounters } from './counters.ts'
import { sequenceOfKey, timeOfSequence } from './sequence.ts'
import type { Effect } from './effect.ts'
import { longestSnapshotMs } from './short-snapshots.ts'
import type { Decision, Key, OpenSnapshot, Range, Store, Write } from './store.ts'

/** What a store may do differently, or what need not be tested again. */
export interface DescribedStore {
  readonly longestKeyBytes?: number
  /** Whether to wait until a snapshot expires, which takes its time. */
  readonly waitsForExpiry?: boolean
}

/** The storage contract, as tests. Every store runs them; `open` returns an empty store each time. */
export function describeStore(
  name: string,
  open: () => Promise<Store>,
  { longestKeyBytes = 1_978, waitsForExpiry = true }: DescribedStore = {},
): void {
  describe(`${name} as a Store`, () => {
    let store: Store

    beforeEach(async () => {
      store = await open()
    })

    afterEach(async () => {
      await store.close()
    })

    const put = (entries: Readonly<Record<string, string>>): Promise<void> =>
      store.transact([], () => ({
        writes: Object.entries(entries).map(([key, value]) => ({
          kind: 'put',
          key: bytes(key),
          value: bytes(value),
        })),
        answer: undefined,
      }))

    const get = async (key: string): Promise<string | undefined> => {
      const value = await store.view((snapshot) => snapshot.get(bytes(key)))
      return value && text(value)
    }

    const keysIn = async (range: Omit<Range, 'from' | 'to'> & { from: string; to: string }): Promise<string[]> => {
      const keys: string[] = []
      await store.view((snapshot) =>
        snapshot.range({ ...range, from: bytes(range.from), to: bytes(range.to) }, (key) => {
          keys.push(text(key))
          return true
        }),
      )
      return keys
    }

    test('what was written is read back, and what was not is undefined', async () => {
      await put({ a: '1' })
      expect(await get('a')).toBe('1')
      expect(await get('b')).toBeUndefined()
    })

    test('getMany answers in the order of the keys', async () => {
      await put({ a: '1', c: '3' })
      const values = await store.view((snapshot) => snapshot.getMany(['c', 'b', 'a'].map(bytes)))
      expect(values.map((value) => value && text(value))).toEqual(['3', undefined, '1'])
    })

    test('getMany of no keys answers at once, alone and among others', async () => {
      await put({ a: '1' })
      expect(await store.view((snapshot) => snapshot.getMany([]))).toEqual([])
      const found = await store.view(async (snapshot) => {
        const none = await snapshot.getMany([])
        return [...none, await snapshot.get(bytes('a')), ...(await snapshot.getMany([]))]
      })
      expect(found.map((value) => value && text(value))).toEqual(['1'])
    })

    test('an empty value and a value of a megabyte are kept', async () => {
      const large = 'x'.repeat(1_000_000)
      await put({ empty: '', large })
      expect(await get('empty')).toBe('')
      expect(await get('large')).toBe(large)
    })

    test(`keys of ${longestKeyBytes} bytes are kept apart by their last byte`, async () => {
      const long = 'k'.repeat(longestKeyBytes - 1)
      await put({ [`${long}a`]: '1', [`${long}b`]: '2' })
      expect(await get(`${long}b`)).toBe('2')
    })

    test('a decision sees the values of its keys, and its writes are applied', async () => {
      await put({ a: '1' })
      const answer = await store.transact([bytes('a'), bytes('b')], ([a, b]) => ({
        writes: [
          { kind: 'put', key: bytes('b'), value: bytes(`${a && text(a)}+`) },
          { kind: 'delete', key: bytes('a') },
        ],
        answer: b,
      }))
      expect(answer).toBeUndefined()
      expect(await get('a')).toBeUndefined()
      expect(await get('b')).toBe('1+')
    })

    test('a key that is spare may be left out, and the keys around it are read', async () => {
      await put({ a: '1', b: '2', c: '3' })
      const found = await store.transact(
        [bytes('a'), bytes('b'), bytes('c')],
        (values) => ({ writes: [], answer: values.map((value) => value && text(value)) }),
        (position, before) => position === 1 && before[0] !== undefined,
      )
      expect([found[0], found[2]]).toEqual(['1', '3'])
      expect([undefined, '2']).toContain(found[1])
    })

    test('a decision that throws leaves nothing behind', async () => {
      const stop = (): Decision<never> => {
        throw new Error('stop')
      }
      await expect(store.transact([bytes('a')], stop)).rejects.toThrow('stop')
      expect(await get('a')).toBeUndefined()
    })

    test('a decision that throws does not disturb those beside it', async () => {
      const outcomes = await Promise.allSettled([
        put({ a: '1' }),
        store.transact([bytes('a')], () => {
          throw new Error('stop')
        }),
        put({ b: '2' }),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await get('a')).toBe('1')
      expect(await get('b')).toBe('2')
    })

    test('concurrent read-modify-writes of one key lose nothing', async () => {
      const key = bytes('counter')
      const increment = (): Promise<void> =>
        store.transact([key], ([value]) => ({
          writes: [{ kind: 'put', key, value: bytes(String(Number(value ? text(value) : '0') + 1)) }],
          answer: undefined,
        }))
      await Promise.all(Array.from({ length: 100 }, increment))
      expect(await get('counter')).toBe('100')
    })

    test('an acknowledged transaction is visible to the next view and the next decision', async () => {
      for (let round = 0; round < 50; round++) {
        await put({ a: String(round) })
        expect(await get('a')).toBe(String(round))
        const seen = await store.transact([bytes('a')], ([a]) => ({ writes: [], answer: a && text(a) }))
        expect(seen).toBe(String(round))
      }
    })

    test('a decision has its effect once, before any other sees its writes; one that throws has none', async () => {
      const key = bytes('a')
      const happened: string[] = []
      const effect = (name: string): Effect => ({
        apply: () => happened.push(name),
        undo: () => happened.splice(happened.lastIndexOf(name), 1),
      })
      const append = (name: string): Promise<readonly [string, string]> =>
        store.transact([key], ([value]) => {
          const before = value === undefined ? '' : text(value)
          return {
            writes: [{ kind: 'put', key, value: bytes(`${before}${name}`) }],
            answer: [before, happened.join('')],
            effect: effect(name),
          }
        })
      const refuse = (): Promise<never> =>
        store.transact([key], () => {
          throw new Error('stop')
        })
      const names = 'abcdefghijklmnopqrstuvwxyz'.split('')
      const answers = await Promise.all(
        names.flatMap((name) => [append(name), refuse().catch(() => ['', ''] as const)]),
      )
      for (const [written, noticed] of answers) expect(noticed).toBe(written)
      expect(await get('a')).toBe(happened.join(''))
      expect(happened.toSorted()).toEqual(names)
      const alone = await store.transact([], () => ({ writes: [], answer: 'read', effect: effect('!') }))
      expect([alone, happened.at(-1)]).toEqual(['read', '!'])
    })

    const insert = (key: string, value: string): Write => ({ kind: 'insert', key: bytes(key), value: bytes(value) })

    const write = (...writes: readonly Write[]): Promise<void> =>
      store.transact([], () => ({ writes, answer: undefined }))

    test('an insertion puts a value where there is none, and leaves one that is there', async () => {
      await put({ a: 'old' })
      await write(insert('a', 'new'), insert('b', 'first'), insert('b', 'second'))
      await write(insert('b', 'third'), insert('c', ''))
      await write(insert('c', 'an empty value is one'))
      expect([await get('a'), await get('b'), await get('c')]).toEqual(['old', 'first', ''])
    })

    test('insertions stand in the order of the writes beside them', async () => {
      await put({ a: 'old', b: 'old' })
      await write(
        { kind: 'delete', key: bytes('a') },
        insert('a', 'inserted'),
        insert('b', 'inserted'),
        { kind: 'put', key: bytes('b'), value: bytes('put') },
        insert('c', 'inserted'),
        { kind: 'delete', key: bytes('c') },
        { kind: 'put', key: bytes('d'), value: bytes('put') },
        insert('d', 'inserted'),
      )
      expect([await get('a'), await get('b'), await get('c'), await get('d')]).toEqual([
        'inserted',
        'put',
        undefined,
        'put',
      ])
    })

    test('of many insertions at once the first decides, also about what is read beside it', async () => {
      await put({ there: 'old' })
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          store.transact([bytes('new'), bytes('there')], (values) => ({
            writes: [insert('new', String(n)), insert('there', String(n))],
            answer: values.map((value) => value && text(value)),
          })),
        ),
      )
      const winner = await get('new')
      expect(answers.filter(([found]) => found === undefined)).toHaveLength(1)
      expect(answers.every(([found]) => found === undefined || found === winner)).toBe(true)
      expect(answers.every(([, found]) => found === 'old')).toBe(true)
      expect(await get('there')).toBe('old')
      await Promise.all(Array.from({ length: 50 }, (_, n) => write(insert('blind', String(n)))))
      expect(await get('blind')).toBe('0')
    })

    test('additions add up, alone and together', async () => {
      const add = (amounts: readonly number[]): Promise<void> =>
        store.transact([], () => ({ writes: [{ kind: 'add', key: bytes('n'), amounts }], answer: undefined }))
      await add([1, 10])
      await Promise.all([add([1, 5]), add([-3]), add([0, 0, 7])])
      const value = await store.view((snapshot) => snapshot.get(bytes('n')))
      expect(decodeCounters(value)).toEqual([-1, 15, 7])
    })

    test('entries of a log are numbered in the order of their transactions, whatever the clock says', async () => {
      const append = (value: string, atMs: number): Promise<void> =>
        store.transact([], () => ({
          writes: [{ kind: 'append', log: bytes('log'), atMs, value: bytes(value) }],
          answer: undefined,
        }))
      await append('a', 1_000)
      await Promise.all([append('b', 5_000), append('c', 4_000), append('d', 6_000)])
      const entries: { sequence: bigint; value: string }[] = []
      await store.view((snapshot) =>
        snapshot.range({ from: bytes('log'), to: bytes('loh') }, (key, value) => {
          entries.push({ sequence: sequenceOfKey(key), value: text(value) })
          return true
        }),
      )
      expect(entries.map(({ value }) => value)).toEqual(['a', 'b', 'c', 'd'])
      expect(entries.map(({ sequence }) => timeOfSequence(sequence))).toEqual([1_000, 5_000, 5_000, 6_000])
      expect(await store.lastSequence?.()).toBe(entries.at(-1)?.sequence)
    })

    test('a store that has a clock of its own tells what time it is', async () => {
      const { atMs, tookMs } = (await store.time?.()) ?? { atMs: Date.now(), tookMs: 0 }
      // It is this machine's clock here.
      expect(Math.abs(atMs - Date.now())).toBeLessThan(5_000)
      expect(tookMs).toBeGreaterThanOrEqual(0)
    })

    test('a range is ordered by bytes, begins inclusively and ends exclusively', async () => {
      await put({ b: '', a: '', c: '', ab: '', d: '' })
      expect(await keysIn({ from: 'a', to: 'd' })).toEqual(['a', 'ab', 'b', 'c'])
      expect(await keysIn({ from: 'aa', to: 'c' })).toEqual(['ab', 'b'])
    })

    test('a reversed range has the same bounds', async () => {
      await put({ b: '', a: '', c: '', ab: '', d: '' })
      expect(await keysIn({ from: 'a', to: 'd', reverse: true })).toEqual(['c', 'b', 'ab', 'a'])
      expect(await keysIn({ from: 'aa', to: 'cc', reverse: true })).toEqual(['c', 'b', 'ab'])
    })

    test('a range of keys alone has the same keys', async () => {
      await put({ b: '1', a: '2', c: '', ab: '3', d: '4' })
      for (const from of ['a', 'b', 'bb', 'c']) {
        for (const more of [{}, { reverse: true }, { limit: 2 }, { reverse: true, limit: 2 }]) {
          const range = { from, to: 'z', ...more }
          expect(await keysIn({ ...range, keysOnly: true })).toEqual(await keysIn(range))
        }
      }
    })

    test('an empty range has no entries', async () => {
      await put({ a: '' })
      expect(await keysIn({ from: 'b', to: 'c' })).toEqual([])
      expect(await keysIn({ from: 'b', to: 'c', reverse: true })).toEqual([])
    })

    test('a range stops when it is told to', async () => {
      await put({ a: '', b: '', c: '' })
      const seen: string[] = []
      await store.view((snapshot) =>
        snapshot.range({ from: bytes('a'), to: bytes('z') }, (key) => {
          seen.push(text(key))
          return seen.length < 2
        }),
      )
      expect(seen).toEqual(['a', 'b'])
      expect(await keysIn({ from: 'a', to: 'z', limit: 1 })).toEqual(['a'])
      expect(await keysIn({ from: 'a', to: 'z', limit: 1, reverse: true })).toEqual(['c'])
    })

    test('the entries of a range stay what they were when the store goes on', async () => {
      await put(
        Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${String(n).padStart(4, '0')}`, `v${n}`])),
      )
      const entries: { key: Key; value: Buffer }[] = []
      await store.view((snapshot) =>
        snapshot.range({ from: bytes('k'), to: bytes('l') }, (key, value) => {
          entries.push({ key, value })
          return true
        }),
      )
      await put({ k0000: 'changed' })
      expect(entries.map(({ value }) => text(value))).toEqual(Array.from({ length: 2_000 }, (_, n) => `v${n}`))
      expect(text(entries[1_999]?.key ?? bytes(''))).toBe('k1999')
    })

    test('an open snapshot stays as it was until it is closed', async () => {
      await put({ a: 'old' })
      const snapshot = await store.openSnapshot()
      await put({ a: 'new', b: 'new' })
      await new Promise((resolve) => setTimeout(resolve, 20))
      const a = await snapshot.get(bytes('a'))
      expect(a && text(a)).toBe('old')
      expect(await snapshot.get(bytes('b'))).toBeUndefined()
      const keys: string[] = []
      await snapshot.range({ from: bytes('a'), to: bytes('z') }, (key) => keys.push(text(key)) > 0)
      expect(keys).toEqual(['a'])
      snapshot.close()
      expect(await get('a')).toBe('new')
    })

    if (waitsForExpiry)
      test('a snapshot that is held for too long is closed, and says so', { timeout: 30_000 }, async () => {
        await put({ a: 'old' })
        const snapshot = await store.openSnapshot()
        await put({ a: 'new' })
        await new Promise((resolve) => setTimeout(resolve, longestSnapshotMs + 100))
        await expect((async () => snapshot.get(bytes('a')))()).rejects.toMatchObject({ code: 'expired' })
        snapshot.close()
      })

    test('a store that is closed closes its snapshots, whose reads say so', async () => {
      await put(Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`k${number}`, 'x'.repeat(4_000)])))
      const snapshot = await store.openSnapshot()
      await put({ k0: 'changed' })
      await store.close()
      const reads = [
        () => snapshot.get(bytes('k0')),
        () => snapshot.getMany([bytes('k1')]),
        () => snapshot.range({ from: bytes('k'), to: bytes('l') }, () => true),
      ]
      const closed = { code: 'io', message: 'The store is closed.' }
      for (const read of reads) await expect((async () => read())()).rejects.toMatchObject(closed)
      expect(() => {
        snapshot.close()
      }).not.toThrow()
    })

    test('no more than a few snapshots are open at once, and they stop nobody else', async () => {
      await put({ a: 'old' })
      const snapshots: OpenSnapshot[] = []
      const open = async (): Promise<never> => {
        for (;;) snapshots.push(await store.openSnapshot())
      }
      await expect(open()).rejects.toMatchObject({ code: 'unavailable' })
      await put({ a: 'new' })
      expect(await get('a')).toBe('new')
      for (const snapshot of snapshots) snapshot.close()
      const another = await store.openSnapshot()
      another.close()
    })

    test('closing waits for what was asked before, and refuses what is asked after', async () => {
      const written = put({ a: '1' })
      await store.close()
      await expect(written).resolves.toBeUndefined()
      await expect(put({ b: '2' })).rejects.toThrow('closed')
    })
  })
}

function bytes(text: string): Buffer {
  return Buffer.from(text)
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}
