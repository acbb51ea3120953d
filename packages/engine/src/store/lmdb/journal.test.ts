import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeDataFolder } from '../data-folder.ts'
import { openLmdbStore, openStoreOn } from '../lmdb-store.ts'
import { processTimers } from '../store-timers.ts'
import type { Store, Write } from '../store.ts'
import { openDisk } from './disk.ts'
import { contentsOf, put, sorted } from './testing/entries.ts'
import { openSimulated, outcomeOf } from './testing/simulated-store.ts'
import type { Recovery } from './recover-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-journal-'))
let count = 0
const newPath = (): string => join(folder, String(count++))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('after a loss of power', () => {
  /** What a machine finds on its disk when it starts again: of every page that was written since the checkpoint, the old or the
   *  new content; of the redo log, all that was acknowledged, and perhaps a part of what was not. */
  test.each([1, 2, 3, 4, 5, 6])(
    'nothing acknowledged is lost, whichever pages had reached the disk (%i)',
    async (seed) => {
      const random = randomNumbers(seed)
      const expected = new Map<string, string>()
      let path = newPath()
      for (let round = 0; round < 6; round++) {
        const store = await openWithoutCheckpoints(path)
        expect(await contentsOf(store)).toEqual(sorted(expected))
        const atCheckpoint = readFileSync(join(path, 'data.mdb'))
        await writeAtRandom(store, expected, random)

        const afterwards = newPath()
        cpSync(path, afterwards, { recursive: true })
        const now = readFileSync(join(path, 'data.mdb'))
        writeFileSync(join(afterwards, 'data.mdb'), mixPages(atCheckpoint, now, random))
        appendFileSync(join(afterwards, 'redo-1'), Buffer.alloc(Math.floor(random() * 200), 7))
        await store.close()
        path = afterwards
      }
      const store = await openLmdbStore({ path })
      expect(await contentsOf(store)).toEqual(sorted(expected))
      await store.close()
    },
  )

  test('a checkpoint that was cut short leaves the one before it', async () => {
    const path = newPath()
    const store = await openWithoutCheckpoints(path)
    await put(store, { a: '1' })
    const afterwards = newPath()
    cpSync(path, afterwards, { recursive: true })
    await store.close()
    const checkpoints = readFileSync(join(afterwards, 'checkpoint'))
    // The slot that the next checkpoint would have used: half of it was written.
    checkpoints.fill(9, 0, 4_000)
    writeFileSync(join(afterwards, 'checkpoint'), checkpoints)
    const again = await openLmdbStore({ path: afterwards })
    expect(await contentsOf(again)).toEqual([['a', '1']])
    await again.close()
  })
})

describe('checkpoints', () => {
  test('go on beside the writes, and the files keep their size', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path, checkpointEveryMs: 5 })
    const expected = new Map<string, string>()
    const random = randomNumbers(7)
    for (let round = 0; round < 40; round++) await writeAtRandom(store, expected, random)
    expect(readFileSync(join(path, 'redo-0')).length).toBeLessThan(4_000_000)
    expect(readFileSync(join(path, 'redo-1')).length).toBeLessThan(4_000_000)
    await store.close()
    const again = await openLmdbStore({ path })
    expect(await contentsOf(again)).toEqual(sorted(expected))
    await again.close()
  })

  test('a data file that is older than its folder is refused', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path })
    await put(store, { a: '1' })
    await store.close()
    const older = readFileSync(join(path, 'data.mdb'))
    const later = await openLmdbStore({ path, checkpointEveryMs: 1 })
    const checkpoint = (): string => readFileSync(join(path, 'checkpoint')).toString('latin1')
    const atOpening = checkpoint()
    await put(later, { a: '2' })
    await expect.poll(checkpoint).not.toBe(atOpening)
    const crashed = newPath()
    cpSync(path, crashed, { recursive: true })
    await later.close()
    rmSync(join(crashed, 'lock'), { force: true })
    writeFileSync(join(crashed, 'data.mdb'), older)
    await expect(openLmdbStore({ path: crashed })).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('copied together') as string,
    })
  })
})

describe('a write that fails', () => {
  test('is refused, and does not come back when writes go on', async () => {
    const { disk, store, time } = await openSimulated(newPath())
    disk.failNext('EIO: i/o error, write')
    expect(await outcomeOf(time, put(store, { a: 'refused', b: '1' }))).toMatchObject({ code: 'io' })
    await expect(store.probe?.()).rejects.toMatchObject({ code: 'io' })
    expect(await outcomeOf(time, put(store, { a: 'too early' }))).toMatchObject({ code: 'io' })
    await time.run(time.pause(1_500))
    await expect(store.probe?.()).resolves.toBeUndefined()
    expect(await outcomeOf(time, put(store, { a: '2' }))).toBeUndefined()
    const again = await openSimulated(newPath(), disk.afterKill())
    expect(await contentsOf(again.store)).toEqual([['a', '2']])
  })

  test('comes before the disk is full, because LMDB does not survive that', async () => {
    const { disk, store, time } = await openSimulated(newPath())
    expect(await outcomeOf(time, put(store, { a: '1' }))).toBeUndefined()
    // Until the data file has it.
    await time.run(time.pause(500))
    disk.leftBytes = 100_000
    await time.run(time.pause(200))
    for (const words of ['ENOSPC', 'The disk is full. Writes continue when there is free space again.']) {
      expect(await outcomeOf(time, put(store, { a: '2' }))).toMatchObject({
        message: expect.stringContaining(words) as string,
      })
    }
    await time.run(time.pause(60_000))
    await expect(store.probe?.()).rejects.toThrow('The disk is full.')
    expect(await contentsOf(store)).toEqual([['a', '1']])
    // A large batch needs more.
    disk.leftBytes = 6_000_000
    await time.run(time.pause(60_000))
    expect(await outcomeOf(time, put(store, { a: '3' }))).toBeUndefined()
    expect(await outcomeOf(time, put(store, { a: 'x'.repeat(2_000_000) }))).toMatchObject({
      message: expect.stringContaining('ENOSPC') as string,
    })
    disk.leftBytes = Number.POSITIVE_INFINITY
    await time.run(time.pause(60_000))
    expect(await outcomeOf(time, put(store, { a: '4' }))).toBeUndefined()
    // Nor does it meet one while it recovers.
    const killed = disk.afterKill()
    await expect(openSimulated(newPath(), killed, { leftBytes: 100_000 })).rejects.toThrow('ENOSPC')
    const again = await openSimulated(newPath(), killed)
    expect(await contentsOf(again.store)).toEqual([['a', '4']])
  })

  test('because the disk is full is followed by others as soon as there is room', async () => {
    const { disk, store, time } = await openSimulated(newPath())
    disk.failNext('ENOSPC: no space left on device, write', 12)
    for (let round = 0; round < 3; round++) {
      expect(await outcomeOf(time, put(store, { a: String(round) }))).toMatchObject({
        message: expect.stringContaining(round === 0 ? 'ENOSPC' : 'The disk is full') as string,
      })
    }
    await time.run(time.pause(60_000))
    await expect(store.probe?.()).resolves.toBeUndefined()
    expect(await outcomeOf(time, put(store, { a: 'there is room' }))).toBeUndefined()
    const again = await openSimulated(newPath(), disk.afterPowerLoss())
    expect(await contentsOf(again.store)).toEqual([['a', 'there is room']])
  })

  test('while the data file is synced is final: what was acknowledged comes from the redo log at the next start', async () => {
    const { disk, store, time } = await openSimulated(newPath())
    expect(await outcomeOf(time, put(store, { a: '1' }))).toBeUndefined()
    disk.failNextSync()
    await time.run(time.pause(5_000))
    expect(await outcomeOf(time, put(store, { a: '2' }))).toMatchObject({
      message: expect.stringContaining('start again') as string,
    })
    await time.run(time.pause(5_000))
    await expect(store.probe?.()).rejects.toMatchObject({ code: 'io' })
    const again = await openSimulated(newPath(), disk.afterPowerLoss())
    expect(await contentsOf(again.store)).toEqual([['a', '1']])
  })
})

describe('damage', () => {
  test('of the redo log is refused, with a way to go on that says what is dropped', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path, checkpointEveryMs: Number.POSITIVE_INFINITY })
    for (const name of ['a', 'b', 'c']) await put(store, { [name]: '1' })
    const crashed = newPath()
    cpSync(path, crashed, { recursive: true })
    await store.close()
    const damaged = ['redo-0', 'redo-1'].find((name) => readFileSync(join(crashed, name)).includes('b1'))
    const file = join(crashed, damaged ?? '')
    const bytes = readFileSync(file)
    const position = bytes.indexOf('b1')
    bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position)
    writeFileSync(file, bytes)
    await expect(openLmdbStore({ path: crashed })).rejects.toMatchObject({
      code: 'damaged',
      problem: { kind: 'redo-log-damaged' },
    })
    const recoveries: Recovery[] = []
    const onRecovery = (recovery: Recovery): void => void recoveries.push(recovery)
    const again = await openLmdbStore({ path: crashed, acceptsLoss: true, onRecovery })
    expect(await contentsOf(again)).toEqual([['a', '1']])
    expect(recoveries).toEqual([{ batches: 1, droppedFrom: 2 }])
    await again.close()
    expect(readFileSync(join(crashed, `${damaged}.damaged`)).equals(bytes)).toBe(true)
    await (await openLmdbStore({ path: crashed })).close()
  })

  test.each(['redo-0', 'redo-1', 'checkpoint'])(
    'a folder that was not closed and lacks its %s is refused',
    async (name) => {
      const path = newPath()
      const store = await openLmdbStore({ path, checkpointEveryMs: Number.POSITIVE_INFINITY })
      await put(store, { a: '1' })
      const crashed = newPath()
      cpSync(path, crashed, { recursive: true })
      await store.close()
      rmSync(join(crashed, name))
      await expect(openLmdbStore({ path: crashed })).rejects.toMatchObject({
        code: 'damaged',
        message: expect.stringContaining(
          name === 'checkpoint' ? 'checkpoint file is missing' : `${name} is missing`,
        ) as string,
      })
    },
  )

  test('of a value in the data file is noticed when it is read', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path })
    await put(store, { a: 'some value', b: 'another' })
    await store.close()
    const file = join(path, 'data.mdb')
    const bytes = readFileSync(file)
    for (
      let position = bytes.indexOf('some value');
      position !== -1;
      position = bytes.indexOf('some value', position + 1)
    ) {
      bytes.write('some walue', position)
    }
    writeFileSync(file, bytes)
    const again = await openLmdbStore({ path })
    expect(() => again.view((snapshot) => snapshot.get(Buffer.from('a')))).toThrow('does not match its checksum')
    expect(await again.view((snapshot) => snapshot.get(Buffer.from('b')))).toEqual(Buffer.from('another'))
    await again.close()
  })
})

test('compacting gives room back, and keeps everything', async () => {
  const path = newPath()
  const store = await openLmdbStore({ path })
  for (let round = 0; round < 40; round++)
    await put(store, { [`large ${round}`]: 'x'.repeat(50_000), kept: 'this' })
  await expect.poll(() => readFileSync(join(path, 'data.mdb')).length).toBeGreaterThan(2_000_000)
  await store.transact([], () => ({
    writes: Array.from({ length: 40 }, (_, round) => ({ kind: 'delete', key: Buffer.from(`large ${round}`) })),
    answer: undefined,
  }))
  await store.close()
  const before = readFileSync(join(path, 'data.mdb')).length
  const compacted = await openLmdbStore({ path, compacts: true })
  expect(await contentsOf(compacted)).toEqual([['kept', 'this']])
  await put(compacted, { more: '1' })
  await compacted.close()
  expect(readFileSync(join(path, 'data.mdb')).length).toBeLessThan(before / 10)
  const again = await openLmdbStore({ path })
  expect(await contentsOf(again)).toEqual([
    ['kept', 'this'],
    ['more', '1'],
  ])
  await again.close()
})

/** The data file gets every batch at once, and what it replaces is on the disk until the next checkpoint. */
function openWithoutCheckpoints(path: string): Promise<Store> {
  makeDataFolder(path)
  const limits = { checkpointEveryMs: Number.POSITIVE_INFINITY, checkpointAfterBytes: Number.POSITIVE_INFINITY }
  return openStoreOn(
    { disk: openDisk(path), timers: processTimers, mostRecentBytes: 0, ...limits },
    () => undefined,
  )
}

async function writeAtRandom(store: Store, expected: Map<string, string>, random: () => number): Promise<void> {
  for (let batch = 0; batch < 12; batch++) {
    const transactions: Promise<void>[] = []
    for (let transaction = 0; transaction < 8; transaction++) {
      const writes: Write[] = []
      for (let write = 0; write < 5; write++) {
        const key = `key ${Math.floor(random() * 3_000)}`
        if (random() < 0.2) {
          writes.push({ kind: 'delete', key: Buffer.from(key) })
          expected.delete(key)
        } else {
          const value = String(random()).repeat(1 + Math.floor(random() * 40))
          writes.push({ kind: 'put', key: Buffer.from(key), value: Buffer.from(value) })
          expected.set(key, value)
        }
      }
      transactions.push(store.transact([], () => ({ writes, answer: undefined })))
    }
    await Promise.all(transactions)
  }
}

function mixPages(before: Buffer, after: Buffer, random: () => number): Buffer {
  const pageBytes = 4_096
  const mixed = Buffer.from(after)
  for (let start = 0; start < after.length; start += pageBytes) {
    if (random() < 0.5) continue
    mixed.fill(0, start, start + pageBytes)
    mixed.set(before.subarray(start, start + pageBytes), start)
  }
  return mixed
}

/** The same numbers from 0 to 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
