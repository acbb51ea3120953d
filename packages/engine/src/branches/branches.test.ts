import { expect, test } from 'vitest'
import { decodeCounters } from '../store/counters.ts'
import { openLmdbStore } from '../store/lmdb-store.ts'
import type { Store, Write } from '../store/store.ts'
import { AskingTwiceStore } from '../testing/asking-twice-store.ts'
import { Branches } from './branches.ts'
import type { BranchDefinition } from './branch-definition.ts'
import { wordLayout } from './testing/word-layout.ts'

const seed = Number(process.env['HASHRANGE_SEED'])
const rounds = process.env['HASHRANGE_KILLS'] === 'all' ? 6_000 : 300

/** A small generator of numbers, so that a failure can be had again by its seed. */
function numbersFrom(from: number): (below: number) => number {
  let state = from >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A naive copy of a store: everything that it should have, by key. Logs are values in order. */
interface Copy {
  readonly store: Store
  entries: Map<string, string>
  counters: number[]
  log: string[]
}

async function contentOf(store: Store): Promise<Omit<Copy, 'store'>> {
  const content: Omit<Copy, 'store'> = { entries: new Map(), counters: [0, 0], log: [] }
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.from('a'), to: Buffer.from('z') }, (key, value) => {
      const name = Buffer.from(key).toString('latin1')
      if (name === 'n') content.counters = [...decodeCounters(value), 0, 0].slice(0, 2)
      else if (name.startsWith('log')) content.log.push(value.toString())
      else content.entries.set(name, value.toString())
      return true
    }),
  )
  return content
}

async function expectSame(copy: Copy): Promise<void> {
  const { entries, counters, log } = copy
  const content = await contentOf(copy.store)
  expect([...content.entries]).toEqual([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  expect({ counters: content.counters, log: content.log }).toEqual({ counters, log })
}

test(`whatever is done to the data, its branches and its snapshots, each is what a copy of it would be (seed ${seed})`, async () => {
  const random = numbersFrom(seed)
  const branches = await Branches.open(new AskingTwiceStore(await openLmdbStore({ memory: true })), wordLayout)
  const main: Copy = { store: branches.main, entries: new Map(), counters: [0, 0], log: [] }
  const made = new Map<BranchDefinition, Copy>()

  const change = async (copy: Copy, round: number): Promise<void> => {
    const writes: Write[] = []
    for (let count = random(4) + 1; count > 0; count--) {
      const name = `k${random(40)}`
      const key = Buffer.from(name)
      const text = `${name} in ${round}`
      const value = Buffer.from(text)
      switch (random(7)) {
        case 0:
        case 1:
          writes.push({ kind: 'put', key, value })
          copy.entries.set(name, text)
          break
        case 2:
          writes.push({ kind: 'delete', key })
          copy.entries.delete(name)
          break
        case 3:
          writes.push({ kind: 'insert', key, value })
          if (!copy.entries.has(name)) copy.entries.set(name, text)
          break
        case 4:
          writes.push({ kind: 'append', log: Buffer.from('log'), atMs: round, value })
          copy.log.push(text)
          break
        case 5:
          writes.push({ kind: 'add', key: Buffer.from('n'), amounts: [1, -count] })
          copy.counters = [(copy.counters[0] ?? 0) + 1, (copy.counters[1] ?? 0) - count]
          break
        default: {
          const amounts = [random(9), random(9)]
          if (random(4) > 0) break
          writes.push({ kind: 'delete', key: Buffer.from('n') }, { kind: 'add', key: Buffer.from('n'), amounts })
          copy.counters = amounts
        }
      }
    }
    await copy.store.transact([Buffer.from(`k${random(40)}`)], () => ({ writes, answer: undefined }))
  }

  const trimLog = async (copy: Copy): Promise<void> => {
    const keys: Buffer[] = []
    await copy.store.view((snapshot) =>
      snapshot.range(
        { from: Buffer.from('log'), to: Buffer.from('loh') },
        (key) => keys.push(Buffer.from(key)) < 3,
      ),
    )
    await copy.store.transact([], () => ({
      writes: keys.map((key) => ({ kind: 'delete', key })),
      answer: undefined,
    }))
    copy.log.splice(0, keys.length)
  }

  for (let round = 1; round <= rounds; round++) {
    const [one] = [...made].slice(random(made.size + 1))
    switch (random(12)) {
      case 0: {
        if (made.size >= 5) break
        const kind = random(2) === 0 ? 'branch' : 'snapshot'
        const branch = await branches.create({ name: `b${round}`, kind, atMs: round })
        const { entries, counters, log } = main
        made.set(branch, {
          store: branches.storeOf(branch),
          entries: new Map(entries),
          counters,
          log: [...log],
        })
        break
      }
      case 1:
        if (one === undefined) break
        await branches.delete(one[0].name, one[0].kind)
        made.delete(one[0])
        break
      case 2: {
        if (one?.[0].kind !== 'snapshot') break
        await branches.restore(one[0].name)
        const { entries, counters, log } = one[1]
        Object.assign(main, { entries: new Map(entries), counters, log: [...log] })
        break
      }
      case 3:
        await trimLog(one?.[0].kind === 'branch' ? one[1] : main)
        break
      default:
        // Several at once share a commit.
        await Promise.all([change(main, round), ...(one?.[0].kind === 'branch' ? [change(one[1], round)] : [])])
    }
    if (round % 20 === 0) for (const copy of [main, ...made.values()]) await expectSame(copy)
  }
  for (const { name, kind } of made.keys()) await branches.delete(name, kind)
  let leftover = 0
  await branches.main.view((snapshot) =>
    snapshot.range({ from: Buffer.of(0xe1), to: Buffer.of(0xff) }, () => ++leftover > 0),
  )
  expect(leftover).toBe(0)
  await branches.main.close()
})

test('a range of a branch is the same in both directions, in pages of any size', async () => {
  const store = await openLmdbStore({ memory: true })
  const branches = await Branches.open(store, wordLayout)
  const put = (to: Store, names: readonly string[], value: string): Promise<void> =>
    to.transact([], () => ({
      writes: names.map((name) => ({ kind: 'put', key: Buffer.from(name), value: Buffer.from(value) })),
      answer: undefined,
    }))
  const names = (from: number, step: number): string[] =>
    Array.from({ length: 900 }, (_, index) => `k${String(from + index * step).padStart(5, '0')}`)
  await put(branches.main, names(0, 3), 'old')
  const branch = branches.storeOf(await branches.create({ name: 'b', kind: 'branch', atMs: 1 }))
  await put(branch, names(1, 3), 'branch')
  await put(branches.main, names(0, 2), 'new')
  const read = async (reverse: boolean, limit?: number): Promise<string[]> => {
    const found: string[] = []
    await branch.view((snapshot) =>
      snapshot.range(
        { from: Buffer.from('k00010'), to: Buffer.from('k02500'), reverse, limit },
        (key, value) => found.push(`${Buffer.from(key).toString()} ${value.toString()}`) > 0,
      ),
    )
    return found
  }
  const expected = [...names(0, 3).map((name) => `${name} old`), ...names(1, 3).map((name) => `${name} branch`)]
    .filter((entry) => entry >= 'k00010' && entry < 'k02500')
    .toSorted()
  expect(await read(false)).toEqual(expected)
  expect(await read(true)).toEqual(expected.toReversed())
  expect(await read(false, 700)).toEqual(expected.slice(0, 700))
  expect(await read(true, 1)).toEqual(expected.slice(-1))
  await store.close()
})

test('names are checked, and given once', async () => {
  const store = await openLmdbStore({ memory: true })
  const branches = await Branches.open(store, wordLayout)
  const create = (name: string): Promise<unknown> => branches.create({ name, kind: 'branch', atMs: 1 })
  for (const name of ['', '..', 'a/b', 'a b', 'x'.repeat(64), '%41', '-a']) {
    await expect(create(name)).rejects.toThrow('cannot be a name')
  }
  await create('__proto__'.replaceAll('_', 'p'))
  await create('a')
  await expect(create('a')).rejects.toThrow('There is already a branch named a.')
  await expect(branches.delete('b', 'branch')).rejects.toThrow('There is no branch named b.')
  await expect(branches.restore('a')).rejects.toThrow('There is no snapshot named a.')
  await Promise.all(Array.from({ length: 98 }, (_, n) => create(`many${n}`)))
  await expect(create('more')).rejects.toThrow('Delete some')
  await store.close()
})
