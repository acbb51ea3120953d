import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../simulation/seeded-random.ts'
import type { SimulatedDisk } from '../../simulation/simulated-disk.ts'
import { openLmdbFolder } from '../lmdb-folder.ts'
import { openLmdbStore } from '../lmdb-store.ts'
import type { CompactedStore, Store, StoreVerification } from '../store.ts'
import { contentsOf, put, sorted, write } from './testing/entries.ts'
import { openSimulated, outcomeOf } from './testing/simulated-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-compact-'))
let count = 0
const newPath = (): string => join(folder, String(count++))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** So slow that whatever happens meanwhile happens in the middle of the copy. */
const byteByByte = { copyPace: { pageBytes: 1, pauseMs: 0 } }

const usualFiles = ['checkpoint', 'data.mdb', 'data.mdb-lock', 'lock', 'redo-0', 'redo-1']

describe('compacting a store that is in use', { timeout: 120_000 }, () => {
  test('keeps all that is written and deleted meanwhile, and gives room back', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path, checkpointEveryMs: 20 })
    const expected = new Map<string, string>()
    await fill(store, expected, 6_000)
    await remove(store, expected, (number) => number % 10 !== 0)
    const before = sizeOf(path)
    const writers = new Writers(store, expected)
    const compacted = await compact(store)
    await writers.stop()
    expect(writers.count).toBeGreaterThan(0)
    expect(compacted.bytesBefore).toBeGreaterThanOrEqual(before)
    expect(compacted.bytesAfter).toBeLessThan(before / 2)
    expect(await contentsOf(store)).toEqual(sorted(expected))
    expect(sizeOf(path)).toBeLessThan(before / 2)
    await put(store, { more: 'after it' })
    expected.set('more', 'after it')
    await store.close()
    expect(readdirSync(path).toSorted()).toEqual(usualFiles)
    expect(await faultsOf(path)).toEqual([])
    const again = await openLmdbStore({ path })
    expect(await contentsOf(again)).toEqual(sorted(expected))
    await again.close()
  })

  test('may be done again and again, but not twice at once', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path })
    const expected = new Map<string, string>()
    await fill(store, expected, 1_000)
    const writers = new Writers(store, expected)
    for (let round = 0; round < 5; round++) {
      const first = compact(store)
      await expect(compact(store)).rejects.toThrow('A compaction is already running')
      await first
    }
    await writers.stop()
    await store.close()
    expect(readdirSync(path).toSorted()).toEqual(usualFiles)
    const again = await openLmdbStore({ path })
    expect(await contentsOf(again)).toEqual(sorted(expected))
    await again.close()
  })

  test('leaves a snapshot that is open as it is, and ends when that is closed', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path })
    await put(store, { a: 'before', b: 'stays' })
    const snapshot = await store.openSnapshot()
    let isOver = false
    const compacting = compact(store).finally(() => (isOver = true))
    await expect
      .poll(() => readdirSync(path).some((name) => name.includes('copy-a') && !name.endsWith('lock')))
      .toBe(false)
    await put(store, { a: 'after' })
    for (let turn = 0; turn < 50; turn++) await nextTurn()
    expect(isOver).toBe(false)
    expect((await snapshot.get(Buffer.from('a')))?.toString()).toBe('before')
    const seen: string[] = []
    await snapshot.range(
      { from: Buffer.from('a'), to: Buffer.from('c') },
      (_, value) => seen.push(value.toString()) > 0,
    )
    expect(seen).toEqual(['before', 'stays'])
    snapshot.close()
    await compacting
    expect(await contentsOf(store)).toEqual([
      ['a', 'after'],
      ['b', 'stays'],
    ])
    await store.close()
  })

  test('is given up when the store is closed, and leaves nothing behind', async () => {
    for (let turns = 0; turns < 60; turns += 7) {
      const path = newPath()
      const store = await openLmdbStore({ path })
      const expected = new Map<string, string>()
      await fill(store, expected, 2_000)
      const outcome = compact(store).then(
        () => 'done',
        (error: unknown) => String(error),
      )
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      await store.close()
      expect(await outcome).toMatch(/^done$|The compaction was stopped/)
      expect(readdirSync(path).toSorted()).toEqual(usualFiles)
      const again = await openLmdbStore({ path })
      expect(await contentsOf(again)).toEqual(sorted(expected))
      await again.close()
    }
  })

  test('goes on beside followers and a verification', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path })
    const expected = new Map<string, string>()
    await fill(store, expected, 3_000)
    const followed: number[] = []
    const previous: number[] = []
    const following = store.follow?.((batch) => {
      followed.push(batch.number)
      previous.push(batch.previous)
    })
    const faults: string[] = []
    const stopping = { aborted: false }
    const verifying = (async () => {
      while (!stopping.aborted) {
        await store.verify?.(verification(faults))
        // As long as the file is empty, there is nothing that it waits for.
        await nextTurn()
      }
    })()
    const writers = new Writers(store, expected)
    await compact(store)
    await compact(store)
    await writers.stop()
    stopping.aborted = true
    await verifying
    expect(faults).toEqual([])
    expect(previous).toEqual([following?.batch, ...followed.slice(0, -1)])
    await store.close()
  })

  test('can be stopped', async () => {
    const store = await openLmdbStore({ path: newPath() })
    await put(store, { a: '1' })
    await expect(store.compact?.({ stopping: { aborted: true }, onProgress: () => undefined })).rejects.toThrow(
      'Nothing has changed',
    )
    await put(store, { a: '2' })
    expect((await compact(store)).bytesAfter).toBeGreaterThan(0)
    await store.close()
  })

  test('is nothing for data in memory', async () => {
    const store = await openLmdbStore({ memory: true })
    await expect(compact(store)).rejects.toThrow('no file to compact')
    await store.close()
  })
})

describe('when the disk fails a compaction', { timeout: 60_000 }, () => {
  /** How far a compaction of the simulated store gets: three writes to the copy, four checkpoints. A write after these is
   *  rejected, but may be in the redo log all the same. */
  const steps = Array.from({ length: 7 }, (_, index) => index)

  test.each(steps)('at write %i, the store goes on, and whatever comes next finds everything', async (step) => {
    await failAt((disk) => disk.failNext('EIO: i/o error, write', 1, step))
  })

  test.each(steps)('because it is full at write %i, the store goes on', async (step) => {
    await failAt((disk) => disk.failNext('ENOSPC: no space left on device, write', 1, step))
  })

  test.each(steps)('at sync %i, everything is there at the next start', async (step) => {
    await failAt((disk) => disk.failNextSync(step))
  })

  async function failAt(fail: (disk: SimulatedDisk) => void): Promise<void> {
    const { disk, store, time } = await openSimulated(newPath(), new Map(), byteByByte)
    expect(await outcomeOf(time, put(store, { a: '1', b: '2', c: '3' }))).toBeUndefined()
    await time.run(time.pause(5_000))
    fail(disk)
    const outcome = await outcomeOf(time, compact(store))
    if (outcome !== undefined) {
      // As long as the copy does not count, nobody but whoever asked for it notices.
      expect(disk.exists('data.mdb.copy-a') || disk.exists('data.mdb.new')).toBe(false)
      expect(await outcomeOf(time, put(store, { a: 'at once' }))).toBeUndefined()
    }
    await time.run(time.pause(5_000))
    const isPut = (await outcomeOf(time, put(store, { a: '4' }))) === undefined
    const expected = [
      ['a', isPut ? '4' : '1'],
      ['b', '2'],
      ['c', '3'],
    ]
    for (const image of [disk.afterKill(), disk.afterPowerLoss()]) {
      const again = await openSimulated(newPath(), image, byteByByte)
      expect(await contentsOf(again.store)).toEqual(expected)
    }
  }
})

function compact(store: Store): Promise<CompactedStore> {
  const compacting = store.compact?.({ stopping: { aborted: false }, onProgress: () => undefined })
  if (compacting === undefined) throw new Error('the store cannot be compacted')
  return compacting
}

/** Clients that put, replace and delete for as long as they are let. */
class Writers {
  count = 0
  #isStopping = false
  readonly #store: Store
  readonly #expected: Map<string, string>
  readonly #done: Promise<unknown>

  constructor(store: Store, expected: Map<string, string>) {
    this.#store = store
    this.#expected = expected
    this.#done = Promise.all([0, 1, 2].map((client) => this.#write(client)))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#done
  }

  async #write(client: number): Promise<void> {
    const random = new SeededRandom(client)
    while (!this.#isStopping) {
      // Each has keys of its own, so that what comes last is known.
      const key = nameOf(3 * random.below(3_000) + client)
      const value = random.chance(0.3) ? undefined : `${this.count} ${'y'.repeat(random.below(2_000))}`
      await write(this.#store, [[key, value]])
      if (value === undefined) this.#expected.delete(key)
      else this.#expected.set(key, value)
      this.count++
    }
  }
}

async function fill(store: Store, expected: Map<string, string>, entries: number): Promise<void> {
  const random = new SeededRandom(9)
  for (let start = 0; start < entries; start += 500) {
    const written = Array.from({ length: 500 }, (_, index): [string, string] => [
      nameOf(start + index),
      'x'.repeat(random.below(3_000)),
    ])
    await write(store, written)
    for (const [key, value] of written) expected.set(key, value)
  }
}

async function remove(
  store: Store,
  expected: Map<string, string>,
  isGone: (number: number) => boolean,
): Promise<void> {
  const gone = [...expected.keys()].filter((_, number) => isGone(number))
  await write(
    store,
    gone.map((key) => [key, undefined]),
  )
  for (const key of gone) expected.delete(key)
}

/** Spread over the whole file. */
function nameOf(number: number): string {
  return `key ${String((number * 7_919) % 10_007).padStart(5, '0')} ${number}`
}

function sizeOf(path: string): number {
  return statSync(join(path, 'data.mdb')).size
}

function verification(faults: string[]): StoreVerification {
  return {
    stopping: { aborted: false },
    longestSnapshotMs: 50,
    onFault: ({ problem }) => void faults.push(problem),
    onUnchecked: () => undefined,
    onProgress: () => undefined,
  }
}

async function faultsOf(path: string): Promise<readonly string[]> {
  const faults: string[] = []
  const closed = openLmdbFolder(path)
  await closed.verify(verification(faults))
  await closed.close()
  return faults
}
