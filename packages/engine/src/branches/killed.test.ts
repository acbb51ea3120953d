import { expect, test } from 'vitest'
import { openLmdbStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { DyingStore } from '../testing/dying-store.ts'
import { Branches } from './branches.ts'
import { wordLayout } from './testing/word-layout.ts'

/** HASHRANGE_KILLS=all kills at every step, and whoever recovers at every step of every recovery; otherwise at some of them. */
const isThorough = process.env['HASHRANGE_KILLS'] === 'all'

type Content = Readonly<Record<string, string>>

async function contentOf(store: Store): Promise<Content> {
  const content: Record<string, string> = {}
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.from('a'), to: Buffer.from('z') }, (key, value) => {
      content[
        Buffer.from(key)
          .toString('latin1')
          .replace(/^log.*/s, 'log')
      ] = value.toString('latin1')
      return true
    }),
  )
  return content
}

function put(store: Store, value: string): Promise<void> {
  return store.transact([], () => ({
    writes: [
      // More than one transaction of a restore, or of a deletion, has room for.
      ...Array.from({ length: 600 }, (_, n) => ({
        kind: 'put' as const,
        key: Buffer.from(`k${n}`),
        value: Buffer.from(value),
      })),
      { kind: 'add', key: Buffer.from('n'), amounts: [1] },
      { kind: 'append', log: Buffer.from('log'), atMs: 1, value: Buffer.from(value) },
    ],
    answer: undefined,
  }))
}

/** What a process does with branches until it is killed. The notes say what it had been told was done. */
async function use(store: Store, notes: string[]): Promise<void> {
  const branches = await Branches.open(store, wordLayout)
  const note = async (what: string, done: Promise<unknown>): Promise<void> => {
    notes.push(`began ${what}`)
    await done
    notes.push(what)
  }
  await note('saved', branches.create({ name: 's', kind: 'snapshot', atMs: 1 }))
  await note('written', put(branches.main, 'second'))
  const branch = await branches.create({ name: 'b', kind: 'branch', atMs: 1 })
  notes.push('branched')
  await note('written in the branch', put(branches.storeOf(branch), 'third'))
  await branches.create({ name: 't', kind: 'branch', atMs: 1, isTemporary: true })
  await note('restored', branches.restore('s'))
  await note('deleted', branches.delete('b', 'branch'))
}

/** Every state is one of two: that before what was begun last, or that after it. */
async function expectSound(store: Store, first: Content, notes: readonly string[]): Promise<void> {
  const branches = await Branches.open(store, wordLayout)
  const names = (await branches.list()).map(({ name }) => name)
  const did = (what: string): boolean => notes.includes(what)
  const began = (what: string): boolean => notes.includes(`began ${what}`)
  expect(names.includes('t')).toBe(false)
  if (did('saved')) expect(names).toContain('s')
  if (did('deleted')) expect(names).not.toContain('b')
  else if (did('branched') && !began('deleted')) expect(names).toContain('b')
  const main = await contentOf(branches.main)
  const values = [...new Set(Object.entries(main).flatMap(([key, value]) => (key.startsWith('k') ? value : [])))]
  expect(values).toHaveLength(1)
  if (did('restored')) expect(main).toEqual(first)
  else if (did('written') && !began('restored')) expect(values).toEqual(['second'])
  else if (!began('written')) expect(main).toEqual(first)
  for (const branch of await branches.list()) {
    const content = await contentOf(branches.storeOf(branch))
    if (branch.name === 's') expect(content).toEqual(first)
    if (branch.name === 'b') {
      const expected = did('written in the branch') ? ['third'] : ['second', 'third']
      expect(expected).toContain(content['k0'])
      expect(content['k599']).toBe(content['k0'])
    }
  }
  for (const { name, kind } of await branches.list()) await branches.delete(name, kind)
  expect(await contentOf(branches.main)).toEqual(main)
  const left: string[] = []
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.of(0xe1), to: Buffer.of(0xff) }, (key) => left.push(String(key)) > 0),
  )
  expect(left).toEqual([])
}

test('whoever is killed at any step leaves whole branches, or none; also if whoever recovers is killed', async () => {
  let kills = 0
  for (let step = 0; ; step += isThorough || step < 4 ? 1 : 3) {
    let isOver = true
    for (let recovery = isThorough ? 0 : step % 4; ; recovery++) {
      const store = await openLmdbStore({ memory: true })
      await put(store, 'first')
      const first = await contentOf(store)
      const dying = new DyingStore(store)
      // Some keep their last word, some do not.
      dying.dieAfter(step, step % 2 === 0)
      const notes: string[] = []
      await use(dying, notes).catch(() => undefined)
      const recovering = new DyingStore(store)
      recovering.dieAfter(recovery, recovery % 2 === 0)
      await Branches.open(recovering, wordLayout).catch(() => undefined)
      kills += Number(dying.isDead) + Number(recovering.isDead)
      await expectSound(store, first, notes)
      await store.close()
      isOver = !dying.isDead
      if (!recovering.isDead || !isThorough) break
    }
    if (isOver) break
  }
  expect(kills).toBeGreaterThan(8)
  if (isThorough) console.log(`${kills} kills`)
})
