import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeStore } from './describe-store.ts'
import type { Effect } from './effect.ts'
import { put } from './lmdb/testing/entries.ts'
import { openLmdbStore } from './lmdb-store.ts'
import { sequenceAt, sequenceOfKey } from './sequence.ts'
import type { StoreVerification } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-test-'))
let count = 0
const newPath = (): string => join(folder, String(count++))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeStore('LMDB on disk', () => openLmdbStore({ path: newPath() }))
describeStore('LMDB in memory', () => openLmdbStore({ memory: true }))

describe('a store that is closed', () => {
  const closed = { code: 'io', message: 'The store is closed.' }
  const entries = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, number) => [`k${number}`, 'x'.repeat(4_000)]),
  )

  test('ends its verification first', async () => {
    const store = await openLmdbStore({ path: newPath() })
    await put(store, entries)
    let closing: Promise<void> | undefined
    const faults: string[] = []
    const verification: StoreVerification = {
      stopping: { aborted: false },
      longestSnapshotMs: 1_000,
      onFault: ({ problem }) => void faults.push(problem),
      onUnchecked: () => undefined,
      onProgress: () => {
        closing ??= store.close()
      },
    }
    await expect(store.verify?.(verification)).rejects.toMatchObject(closed)
    await closing
    expect(faults).toEqual([])
    await expect(store.verify?.(verification)).rejects.toMatchObject(closed)
  })
})

describe('the LMDB store', () => {
  test('keeps what was acknowledged when it is opened again', async () => {
    const path = newPath()
    const key = Buffer.from('a')
    const first = await openLmdbStore({ path })
    await first.transact([], () => ({ writes: [{ kind: 'put', key, value: Buffer.from('1') }], answer: undefined }))
    await first.close()
    const second = await openLmdbStore({ path })
    expect(await second.view((snapshot) => snapshot.get(key))).toEqual(Buffer.from('1'))
    await second.close()
  })

  test('goes on numbering a log where it was when it is opened again', async () => {
    const path = newPath()
    const log = Buffer.from('log')
    for (const atMs of [9_000, 2_000]) {
      const store = await openLmdbStore({ path })
      await store.transact([], () => ({
        writes: [{ kind: 'append', log, atMs, value: Buffer.from('x') }],
        answer: undefined,
      }))
      await store.close()
    }
    const store = await openLmdbStore({ path })
    const sequences: bigint[] = []
    await store.view((snapshot) =>
      snapshot.range({ from: log, to: Buffer.from('loh') }, (key) => sequences.push(sequenceOfKey(key)) > 0),
    )
    await store.close()
    expect(sequences).toEqual([sequenceAt(9_000), sequenceAt(9_000) + 1n])
  })

  test('refuses a folder that is already open, and says by whom', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path })
    await expect(openLmdbStore({ path })).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(`process ${process.pid}`) as string,
    })
    await store.close()
    await (await openLmdbStore({ path })).close()
  })

  test('opens a folder whose lock was left behind', async () => {
    const path = newPath()
    await (await openLmdbStore({ path })).close()
    for (const left of ['', '999999999 12', `${process.pid} 1`]) {
      writeFileSync(join(path, 'lock'), left)
      await (await openLmdbStore({ path })).close()
    }
    expect(readFileSync(join(path, 'lock'), 'utf8')).toBe('')
  })

  test('refuses a damaged file, and leaves it as it is', async () => {
    const path = newPath()
    await (await openLmdbStore({ path })).close()
    const rubbish = Buffer.alloc(8_192, 'rubbish')
    writeFileSync(join(path, 'data.mdb'), rubbish)
    await expect(openLmdbStore({ path })).rejects.toMatchObject({ code: 'damaged' })
    expect(readFileSync(join(path, 'data.mdb'))).toEqual(rubbish)
  })

  test('refuses a folder whose data file is missing, and opens it once that is back', async () => {
    const path = newPath()
    await (await openLmdbStore({ path })).close()
    const data = readFileSync(join(path, 'data.mdb'))
    rmSync(join(path, 'data.mdb'))
    await expect(openLmdbStore({ path })).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('data.mdb is missing') as string,
    })
    writeFileSync(join(path, 'data.mdb'), data)
    await (await openLmdbStore({ path })).close()
  })

  test('decides anew what was decided on top of a batch that failed', async () => {
    const store = await openLmdbStore({ memory: true })
    const key = Buffer.from('key')
    // A batch of its own, since it is large, and one that LMDB refuses: with its number, an entry's key is too long.
    const failing = store.transact([], () => ({
      writes: [
        { kind: 'append', log: Buffer.alloc(1_978, 1), atMs: 1, value: Buffer.of(1) },
        { kind: 'put', key, value: Buffer.alloc(17_000_000) },
      ],
      answer: undefined,
    }))
    const seeing = store.transact([key], ([value]) => ({
      writes: [{ kind: 'put', key: Buffer.from('other'), value: Buffer.of(1) }],
      answer: value?.length,
    }))
    await expect(failing).rejects.toMatchObject({ code: 'io' })
    expect(await seeing).toBeUndefined()
    await store.close()
  })

  test('undoes the effects of a batch that failed, and first of what was decided on top of it', async () => {
    const store = await openLmdbStore({ memory: true })
    const happened: string[] = []
    const effect = (name: string): Effect => ({
      apply: () => happened.push(name),
      undo: () => happened.push(`not ${name}`),
    })
    const large = Buffer.alloc(17_000_000)
    const put = (name: string, value = Buffer.of(1)): Promise<void> =>
      store.transact([], () => ({
        writes: [{ kind: 'put', key: Buffer.from(name), value }],
        answer: undefined,
        effect: effect(name),
      }))
    const failing = store.transact([], () => ({
      writes: [
        { kind: 'append', log: Buffer.alloc(1_978, 1), atMs: 1, value: Buffer.of(1) },
        { kind: 'put', key: Buffer.from('large'), value: large },
      ],
      answer: undefined,
      effect: effect('failing'),
    }))
    const beside = [put('b'), put('c')]
    await expect(failing).rejects.toMatchObject({ code: 'io' })
    await Promise.all(beside)
    expect(happened).toEqual(['failing', 'b', 'c', 'not c', 'not b', 'not failing', 'b', 'c'])
    await store.close()
  })

  test('refuses a file that was cut short', async () => {
    const path = newPath()
    const store = await openLmdbStore({ path })
    for (let round = 0; round < 20; round++) {
      await store.transact([], () => ({
        writes: Array.from({ length: 200 }, (_, n) => ({
          kind: 'put',
          key: Buffer.from(`${n}-${round}`),
          value: Buffer.alloc(500),
        })),
        answer: undefined,
      }))
    }
    await store.close()
    const whole = readFileSync(join(path, 'data.mdb'))
    for (const bytes of [100, 4_096, 12_288]) {
      writeFileSync(join(path, 'data.mdb'), whole.subarray(0, bytes))
      await expect(openLmdbStore({ path })).rejects.toMatchObject({ code: 'damaged' })
    }
    writeFileSync(join(path, 'data.mdb'), whole)
    await (await openLmdbStore({ path })).close()
  })

  test('refuses a path that is a file', async () => {
    const path = newPath()
    writeFileSync(path, '')
    await expect(openLmdbStore({ path })).rejects.toMatchObject({ code: 'not-writable' })
  })
})
