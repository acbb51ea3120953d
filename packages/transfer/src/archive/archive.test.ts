import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { openLmdbStore, type Store } from '@hashrange/engine'
import { decodeFrames, encodeFrame, type Frame } from './frame.ts'
import { openArchivePlace } from './archive-place.ts'
import { Archiver } from './archiver.ts'
import { restoreArchive } from './restore-archive.ts'
import { SnapshotSource } from './snapshot-source.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { writeSnapshot } from './write-archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const newPath = (): string => join(folder, String(count++))

let clockMs = 1_000_000
const now = (): number => clockMs

describe('a snapshot', () => {
  test('that is taken while the store is written to holds its state at the end', async () => {
    const store = await openLmdbStore({ path: newPath() })
    await fill(store, 10_000)
    const to = await openArchivePlace(newPath())
    const source = new SnapshotSource(store, now)
    let round = 0
    async function* frames(): AsyncGenerator<Buffer> {
      for (let next = await source.next(); next !== undefined; next = await source.next()) {
        yield next
        for (let count = 0; count < 20; count++, round++) {
          await put(store, { [`k${(round * 7_919) % 10_000}`]: `later ${round}`, [`new ${round}`]: 'x' })
          await remove(store, `k${(round * 31) % 10_000}`)
        }
      }
    }
    const { end } = await writeSnapshot(to, frames())
    expect(end.batch).toBeGreaterThan(100)
    const again = await openLmdbStore({ path: newPath() })
    await restoreArchive({ from: to, to: again })
    const restored = await contentsOf(again)
    // What was written after the last frame is not in it; all that was written before is.
    for (let last = round - 20; last < round; last++) expect(restored.has(`new ${last}`)).toBe(false)
    for (let earlier = 0; earlier < round - 20; earlier++) {
      expect(restored.get(`new ${earlier}`), `round ${earlier}`).toBe('x')
      expect(restored.get(`k${(earlier * 31) % 10_000}`)?.startsWith('v') ?? false).toBe(false)
    }
    await Promise.all([store.close(), again.close()])
  })

  test('that was stopped before its end is none', async () => {
    const store = await openLmdbStore({ path: newPath() })
    await fill(store, 5_000)
    const place = newPath()
    const to = await openArchivePlace(place)
    let calls = 0
    await expect(takeSnapshot({ store, to, now, isStopping: () => calls++ > 1 })).rejects.toThrow('stopped')
    const again = await openLmdbStore({ path: newPath() })
    await expect(restoreArchive({ from: to, to: again })).rejects.toThrow('no snapshot')
    await Promise.all([store.close(), again.close()])
  })
})

describe('an archive', () => {
  test('brings the store back at any moment', async () => {
    clockMs = 1_000_000
    const path = newPath()
    const store = await openLmdbStore({ path })
    await put(store, { a: 'before' })
    const to = await openArchivePlace(newPath())
    const archiver = await Archiver.start({ store, to, now, everyMs: 1_000_000 })
    await archiver.flush()
    const states = new Map<number, ReadonlyMap<string, string>>()
    for (let round = 0; round < 12; round++) {
      clockMs += 1_000
      await put(store, { a: `${round}`, [`b${round}`]: 'x' })
      if (round % 4 === 3) await remove(store, `b${round - 1}`)
      states.set(clockMs, await contentsOf(store))
      if (round % 6 === 0) await archiver.flush()
    }
    await archiver.stop()
    await store.close()
    for (const [atMs, expected] of states) {
      const again = await openLmdbStore({ path: newPath() })
      expect((await restoreArchive({ from: to, to: again, atMs: atMs + 500 })).atMs).toBe(atMs)
      expect(await contentsOf(again)).toEqual(expected)
      await again.close()
    }
    const again = await openLmdbStore({ path: newPath() })
    await expect(restoreArchive({ from: to, to: again, atMs: 5 })).rejects.toThrow('goes back to 1970')
    await again.close()
  })

  test('goes on after a restart without another snapshot, if nothing is missing', async () => {
    const path = newPath()
    const place = newPath()
    const to = await openArchivePlace(place)
    for (let run = 0; run < 3; run++) {
      const store = await openLmdbStore({ path })
      const archiver = await Archiver.start({ store, to, now, everyMs: 1_000_000 })
      await archiver.flush()
      clockMs += 1_000
      await put(store, { [`run ${run}`]: '1' })
      // The second run is cut off before it could archive what it wrote.
      if (run !== 1) await archiver.stop()
      await store.close()
    }
    const names = readdirSync(place, { recursive: true }).map(String)
    expect(names.filter((name) => name.includes('snapshot-'))).toHaveLength(2)
    const again = await openLmdbStore({ path: newPath() })
    await restoreArchive({ from: to, to: again })
    expect([...(await contentsOf(again)).keys()].filter((key) => key.startsWith('run'))).toEqual([
      'run 0',
      'run 1',
      'run 2',
    ])
    await again.close()
  })

  test('that cannot be written is told of once, and caught up with', async () => {
    const store = await openLmdbStore({ path: newPath() })
    const place = newPath()
    const to = await openArchivePlace(place)
    const troubles: unknown[] = []
    let isBroken = false
    const buckets: typeof to.buckets = {
      list: (bucket, prefix) => to.buckets.list(bucket, prefix),
      read: (bucket, key, compression) => to.buckets.read(bucket, key, compression),
      write: (bucket, key, chunks) =>
        isBroken ? Promise.reject(new Error('no network')) : to.buckets.write(bucket, key, chunks),
    }
    const archiver = await Archiver.start({
      store,
      to: { ...to, buckets },
      now,
      everyMs: 1_000_000,
      onTrouble: (error) => troubles.push(error),
    })
    await archiver.flush()
    isBroken = true
    for (const key of ['a', 'b']) {
      await put(store, { [key]: '1' })
      await archiver.flush()
    }
    expect(troubles).toEqual([expect.objectContaining({ message: 'no network' })])
    isBroken = false
    await put(store, { c: '1' })
    await archiver.stop()
    const again = await openLmdbStore({ path: newPath() })
    await restoreArchive({ from: to, to: again })
    expect([...(await contentsOf(again)).keys()]).toEqual(['a', 'b', 'c'])
    await Promise.all([store.close(), again.close()])
  })

  test('that is damaged is refused, and says which file', async () => {
    const store = await openLmdbStore({ path: newPath() })
    await fill(store, 100)
    const place = newPath()
    const to = await openArchivePlace(place)
    const { entries } = await takeSnapshot({ store, to, now })
    await store.close()
    const file = join(place, entries)
    const bytes = readFileSync(file)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1)
    writeFileSync(file, bytes)
    const again = await openLmdbStore({ path: newPath() })
    await expect(restoreArchive({ from: to, to: again })).rejects.toThrow(entries)
    await again.close()
  })
})

test('bytes that were changed anywhere are refused, and never taken for something else', async () => {
  const frames: Frame[] = [
    { kind: 'start', start: { format: 1, store: 'abc', batch: 3, atMs: 5 } },
    { kind: 'entries', changes: [{ key: Buffer.from('a'), value: Buffer.from('1') }] },
    { kind: 'batch', number: 4, previous: 3, atMs: 6, changes: [{ key: Buffer.from('a'), value: undefined }] },
    { kind: 'end', end: { batch: 4, atMs: 6 } },
  ]
  const whole = Buffer.concat(frames.map(encodeFrame))
  expect(await framesOf(whole)).toEqual(frames)
  for (let position = 0; position < whole.length; position++) {
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(position) ^ (1 << (position % 8)), position)
    await expect(framesOf(changed), `byte ${position}`).rejects.toThrow(/damaged|cut short/)
  }
})

async function framesOf(bytes: Buffer): Promise<readonly Frame[]> {
  const frames: Frame[] = []
  for await (const frame of decodeFrames(Readable.from([bytes]))) frames.push(frame)
  return frames
}

async function fill(store: Store, entries: number): Promise<void> {
  for (let start = 0; start < entries; start += 1_000) {
    const part = Array.from({ length: Math.min(1_000, entries - start) }, (_, n): [string, string] => [
      `k${start + n}`,
      'v'.repeat(50),
    ])
    await put(store, Object.fromEntries(part))
  }
}

async function put(store: Store, entries: Readonly<Record<string, string>>): Promise<void> {
  await store.transact([], () => ({
    writes: Object.entries(entries).map(([key, value]) => ({
      kind: 'put',
      key: Buffer.from(key),
      value: Buffer.from(value),
    })),
    answer: undefined,
  }))
}

async function remove(store: Store, key: string): Promise<void> {
  await store.transact([], () => ({ writes: [{ kind: 'delete', key: Buffer.from(key) }], answer: undefined }))
}

async function contentsOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>()
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.from(' '), to: Buffer.of(0xff) }, (key, value) => {
      entries.set(Buffer.from(key).toString(), value.toString())
      return true
    }),
  )
  return entries
}
