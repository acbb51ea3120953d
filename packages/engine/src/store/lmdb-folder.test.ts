import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLmdbFolder } from './lmdb-folder.ts'
import { openLmdbStore } from './lmdb-store.ts'
import type { Range, Store, StoreFault, Write } from './store.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-folder-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Some commits with keys and values of all lengths. */
async function write(store: Store, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) {
    const writes: Write[] = [
      { kind: 'put', key: Buffer.from(`a${n % 97}`), value: Buffer.from(`value ${n}`) },
      { kind: 'put', key: Buffer.from(`b${n}`), value: Buffer.alloc(n % 7 === 0 ? 9_000 : n, n) },
      { kind: 'delete', key: Buffer.from(`b${n - 50}`) },
    ]
    await store.transact([], () => ({ writes, answer: undefined }))
  }
}

async function entries(store: Store, range: Partial<Range> = {}): Promise<readonly string[]> {
  const found: string[] = []
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.of(0x01), to: Buffer.of(0xff), ...range }, (key, value) => {
      found.push(`${Buffer.from(key).toString()} ${value.length} ${createHash('md5').update(value).digest('hex')}`)
      return true
    }),
  )
  return found
}

async function faults(store: Store): Promise<readonly StoreFault[]> {
  const found: StoreFault[] = []
  await store.verify?.({
    stopping: { aborted: false },
    longestSnapshotMs: 10_000,
    onFault: (fault) => found.push(fault),
    onUnchecked: () => undefined,
    onProgress: () => undefined,
  })
  return found
}

/** What a crash would leave, as long as the system stays up. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) if (name !== 'lock') copyFileSync(join(from, name), join(to, name))
}

function fingerprint(of: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(of)
      .filter((name) => name !== 'lock')
      .map((name) => [
        name,
        createHash('md5')
          .update(readFileSync(join(of, name)))
          .digest('hex'),
      ]),
  )
}

describe('a folder that was closed in order', () => {
  test('is read as LMDB reads it, and stays as it is', async () => {
    const path = join(folder, 'data')
    const store = await openLmdbStore({ path })
    await write(store, 0, 400)
    const expected = await entries(store)
    const part = { from: Buffer.from('a5'), to: Buffer.from('b37') }
    const backwards = await entries(store, { ...part, reverse: true })
    await store.close()
    const before = fingerprint(path)
    const read = openLmdbFolder(path)
    expect(read).toMatchObject({ isClean: true, batches: 0 })
    expect(await faults(read)).toEqual([])
    expect(await entries(read)).toEqual(expected)
    expect(await entries(read, part)).toEqual([...backwards].toReversed())
    expect(await entries(read, { ...part, reverse: true })).toEqual(backwards)
    expect(await entries(read, { from: Buffer.from('zz') })).toEqual([])
    expect(await read.view((snapshot) => snapshot.getMany([Buffer.from('a1'), Buffer.from('a')]))).toEqual([
      Buffer.from('value 389'),
      undefined,
    ])
    await expect(read.transact([], () => ({ writes: [], answer: undefined }))).rejects.toMatchObject({
      code: 'not-writable',
    })
    await read.close()
    expect(fingerprint(path)).toEqual(before)
  })

  test('cannot be opened by others meanwhile, nor read while others have it', async () => {
    const path = join(folder, 'data')
    const store = await openLmdbStore({ path })
    expect(() => openLmdbFolder(path)).toThrow('in use by process')
    await store.close()
    const read = openLmdbFolder(path)
    await expect(openLmdbStore({ path })).rejects.toMatchObject({ code: 'locked' })
    await read.close()
    await (await openLmdbStore({ path })).close()
  })

  test('that holds nothing is empty', async () => {
    const path = join(folder, 'data')
    await (await openLmdbStore({ path })).close()
    const read = openLmdbFolder(path)
    expect(await faults(read)).toEqual([])
    expect(await entries(read)).toEqual([])
    await read.close()
  })
})

describe('a folder that a crash has left', () => {
  test('is read as what opening it recovers, and stays as it is', async () => {
    const path = join(folder, 'data')
    const store = await openLmdbStore({ path, checkpointEveryMs: 100_000 })
    await write(store, 0, 300)
    const crashed = join(folder, 'crashed')
    copyFolder(path, crashed)
    const expected = await entries(store)
    await store.close()
    const before = fingerprint(crashed)
    const read = openLmdbFolder(crashed)
    expect(read.isClean).toBe(false)
    expect(read.batches).toBeGreaterThan(100)
    expect(await faults(read)).toEqual([])
    expect(await entries(read)).toEqual(expected)
    expect(await entries(read, { reverse: true })).toEqual([...expected].toReversed())
    await read.close()
    expect(fingerprint(crashed)).toEqual(before)
    const recovered = await openLmdbStore({ path: crashed })
    expect(await entries(recovered)).toEqual(expected)
    await recovered.close()
  })

  test.each<[string, (path: string) => void, string, RegExp]>([
    ['a missing redo log', (path) => rmSync(join(path, 'redo-1')), 'redo-1', /missing/],
    ['a missing data file', (path) => rmSync(join(path, 'data.mdb')), 'data.mdb', /missing/],
    ['a missing checkpoint', (path) => rmSync(join(path, 'checkpoint')), 'checkpoint', /missing or damaged/],
    [
      'a flipped bit in the redo log',
      (path) => flip(join(path, 'redo-1'), 2_000),
      'redo log',
      /acknowledged writes are lost/,
    ],
    ['a data file that is cut short', (path) => truncateSync(join(path, 'data.mdb'), 5_000), 'data.mdb', /./],
  ])('with %s is told of', async (_name, harm, place, problem) => {
    const path = join(folder, 'data')
    const store = await openLmdbStore({ path, checkpointEveryMs: 100_000 })
    await write(store, 0, 100)
    const crashed = join(folder, 'crashed')
    copyFolder(path, crashed)
    await store.close()
    harm(crashed)
    const read = openLmdbFolder(crashed)
    const found = await faults(read)
    expect(found.map((fault) => fault.place)).toContain(place)
    expect(found.find((fault) => fault.place === place)?.problem).toMatch(problem)
    await read.close()
  })
})

describe('a store that is open', () => {
  test('looks at its pages while it is written to, a part at a time', async () => {
    const path = join(folder, 'data')
    const store = await openLmdbStore({ path })
    await write(store, 0, 200)
    let isOver = false
    const isWriting = (): boolean => !isOver
    const writing = (async () => {
      for (let n = 200; isWriting(); n++) await write(store, n, n + 1)
    })()
    for (const longestSnapshotMs of [0, 10_000, 0, 10_000]) {
      const found: StoreFault[] = []
      const unchecked: string[] = []
      const isSound = await store.verify?.({
        stopping: { aborted: false },
        longestSnapshotMs,
        onFault: (fault) => found.push(fault),
        onUnchecked: (reason) => unchecked.push(reason),
        onProgress: () => undefined,
      })
      expect(found).toEqual([])
      expect(isSound).toBe(true)
    }
    isOver = true
    await writing
    await store.close()
  })

  test('tells of a value that has been damaged', async () => {
    const path = join(folder, 'data')
    const store = await openLmdbStore({ path })
    await write(store, 0, 20)
    await store.close()
    const file = join(path, 'data.mdb')
    const bytes = readFileSync(file)
    const at = bytes.lastIndexOf('value 17')
    bytes.write('value 18', at)
    writeFileSync(file, bytes)
    const read = openLmdbFolder(path)
    expect(await faults(read)).toMatchObject([
      { place: 'data.mdb', problem: 'A value does not match its checksum.', key: Buffer.from('a17') },
    ])
    // It can be looked at all the same.
    expect(await read.view((snapshot) => snapshot.get(Buffer.from('a17')))).toEqual(Buffer.from('value 18'))
    await read.close()
    const open = await openLmdbStore({ path })
    expect(await faults(open)).toHaveLength(1)
    await open.close()
  })
})

function flip(file: string, at: number): void {
  expect(existsSync(file)).toBe(true)
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
  writeFileSync(file, bytes)
}
