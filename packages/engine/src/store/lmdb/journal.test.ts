import fs, { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openLmdbStore } from '../lmdb-store.ts'
import type { Store, Write } from '../store.ts'

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
        const store = await openLmdbStore({ path, checkpointEveryMs: Number.POSITIVE_INFINITY })
        expect(await contentsOf(store)).toEqual(sorted(expected))
        const atCheckpoint = readFileSync(join(path, 'data.mdb'))
        await writeAtRandom(store, expected, random)

        const afterwards = newPath()
        cpSync(path, afterwards, { recursive: true })
        rmSync(join(afterwards, 'lock'))
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
    const store = await openLmdbStore({ path, checkpointEveryMs: Number.POSITIVE_INFINITY })
    await put(store, { a: '1' })
    const afterwards = newPath()
    cpSync(path, afterwards, { recursive: true })
    rmSync(join(afterwards, 'lock'))
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

  test('a folder without one, of an earlier version, is opened as it is', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path })
    await put(store, { a: '1' })
    await store.close()
    for (const name of ['checkpoint', 'redo-0', 'redo-1']) rmSync(join(path, name))
    const again = await openLmdbStore({ path })
    expect(await contentsOf(again)).toEqual([['a', '1']])
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

// Elsewhere the redo log is synced in the same way, and it would fail instead.
test.runIf(process.platform === 'linux')(
  'after a checkpoint that failed no other is made, and what was acknowledged comes from the redo log',
  async () => {
    const path = newPath()
    const store = await openLmdbStore({ path, checkpointEveryMs: 1 })
    const atCheckpoint = readFileSync(join(path, 'data.mdb'))
    await failingOnce(async (hasFailed) => {
      await put(store, { a: '1' })
      await expect.poll(hasFailed).toBe(true)
      await expect(put(store, { a: '2' })).rejects.toMatchObject({ code: 'io' })
      await expect(store.probe?.()).rejects.toMatchObject({ code: 'io' })
      await store.close()
    })
    // Pages that a failed sync has left are not written by the next, which succeeds.
    const data = readFileSync(join(path, 'data.mdb'))
    const metaBytes = 2 * 4_096
    data.fill(0, metaBytes)
    data.set(atCheckpoint.subarray(metaBytes), metaBytes)
    writeFileSync(join(path, 'data.mdb'), data)
    const again = await openLmdbStore({ path })
    expect(await contentsOf(again)).toEqual([['a', '1']])
    await again.close()
  },
)

/** Lets the next sync of a file fail, as one does on a disk that has an error or is full. */
async function failingOnce(run: (hasFailed: () => boolean) => Promise<void>): Promise<void> {
  const { fdatasync } = fs
  const restore = (): void => {
    fs.fdatasync = fdatasync
    syncBuiltinESMExports()
  }
  let failed = false
  const fail = (_descriptor: number, done: fs.NoParamCallback): void => {
    restore()
    failed = true
    done(new Error('EIO: i/o error, fdatasync'))
  }
  fs.fdatasync = Object.assign(fail, { __promisify__: fdatasync.__promisify__ })
  syncBuiltinESMExports()
  try {
    await run(() => failed)
  } finally {
    restore()
  }
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

function put(store: Store, entries: Readonly<Record<string, string>>): Promise<void> {
  return store.transact([], () => ({
    writes: Object.entries(entries).map(([key, value]) => ({
      kind: 'put',
      key: Buffer.from(key),
      value: Buffer.from(value),
    })),
    answer: undefined,
  }))
}

async function contentsOf(store: Store): Promise<[string, string][]> {
  const entries: [string, string][] = []
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.from(' '), to: Buffer.of(0xff) }, (key, value) => {
      entries.push([Buffer.from(key).toString(), value.toString()])
      return true
    }),
  )
  return entries
}

function sorted(entries: ReadonlyMap<string, string>): [string, string][] {
  return [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
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
