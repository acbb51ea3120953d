import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDataFile } from './data-file.ts'
import { checksumOf, isIntact } from './value-checksum.ts'
import type { DiskFile } from './disk.ts'
import { latestState, metaPagesDamage, readMetaBytes } from './file-state.ts'
import { verifyPages } from './verify-pages.ts'

const seed = Number(process.env['HASHRANGE_SEED'])
const flips = Number(process.env['HASHRANGE_FLIPS'] ?? 150)

/** Numbers that a seed decides, from 0 up to `below`. */
function numbers(from: number): (below: number) => number {
  let state = from
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hashrange-pages-'))
let bytes: Buffer
let whole: Walked

beforeAll(async () => {
  await writeData(join(folder, 'data.mdb'), numbers(seed))
  bytes = readFileSync(join(folder, 'data.mdb'))
  whole = walk(bytes)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Keys and values of all lengths, put, replaced and removed, with states held now and then so that pages of all ages are free. */
async function writeData(path: string, number: (below: number) => number): Promise<void> {
  const data = openDataFile(path)
  for (let round = 0; round < 30; round++) {
    const held = number(3) === 0 ? data.hold() : undefined
    for (let commit = 0; commit < 4; commit++) {
      const changes = new Map<string, Buffer | undefined>()
      for (let change = 0; change < 40; change++) {
        const key = `k${number(600)}${'x'.repeat(number(20) === 0 ? number(1_500) : number(30))}`
        changes.set(
          key,
          number(3) === 0 ? undefined : Buffer.alloc(number(15) === 0 ? number(20_000) : number(300), number(256)),
        )
      }
      data.commitSync([...changes].map(([key, value]) => ({ key: Buffer.from(key), value })))
    }
    held?.release()
  }
  await data.close()
}

interface Walked {
  readonly problems: readonly string[]
  /** Of all entries, in order. */
  readonly digest: string
  readonly entries: number
}

/** Follows the pages of a file, and notes what the entries are. */
function walk(file: Buffer): Walked {
  const problems: string[] = []
  const hash = createHash('sha256')
  let entries = 0
  const disk = fileOf(file)
  const meta = readMetaBytes(disk)
  const damage = metaPagesDamage(meta)
  if (damage !== undefined) return { problems: [damage], digest: '', entries }
  const steps = verifyPages({
    file: disk,
    state: latestState(meta),
    onFault: ({ page, problem }) => problems.push(`${page}: ${problem}`),
    onEntry: (key, value) => {
      entries++
      hash.update(`${key.length} ${value.length} `).update(key).update(value)
      if (!isIntact(key, value)) problems.push('a value does not match its checksum')
    },
  })
  for (const _ of steps);
  return { problems, digest: hash.digest('hex'), entries }
}

function fileOf(file: Buffer): DiskFile {
  const refuse = (): never => {
    throw new Error('it is only read')
  }
  return {
    size: () => file.length,
    read: (into, position) => file.copy(into, 0, position, Math.min(file.length, position + into.length)),
    write: refuse,
    sync: refuse,
    truncate: refuse,
    close: () => undefined,
  }
}

describe('the pages of a data file', { timeout: 600_000 }, () => {
  test('are as LMDB writes them', async () => {
    expect(whole.problems, `HASHRANGE_SEED=${seed}`).toEqual([])
    const state = latestState(readMetaBytes(fileOf(bytes)))
    expect(whole.entries).toBe(state.main.entries)
    expect(state.main.depth).toBeGreaterThan(2)
    expect(state.main.overflowPages).toBeGreaterThan(10)
    expect(state.free.entries).toBeGreaterThan(2)
    const data = openDataFile(join(folder, 'data.mdb'))
    const hash = createHash('sha256')
    data.range({ from: Buffer.of(0), to: Buffer.of(0xff) }, (key, value) => {
      hash
        .update(`${key.length} ${value.length + 4} `)
        .update(key)
        .update(value)
        .update(checksum(key, value))
      return true
    })
    await data.close()
    expect(hash.digest('hex')).toBe(whole.digest)
  })

  test('that a bit was flipped in are told of, unless the entries are what they were', () => {
    const number = numbers(seed + 1)
    const pageBytes = bytes.readUInt32LE(48)
    let found = 0
    for (let flip = 0; flip < flips; flip++) {
      // Headers and nodes' offsets are hit more often than they would be.
      const page = number(bytes.length / pageBytes)
      const offset = number(2) === 0 ? number(80) : number(pageBytes)
      const at = page * pageBytes + offset
      const before = bytes.readUInt8(at)
      bytes.writeUInt8(before ^ (1 << number(8)), at)
      const told = walk(bytes)
      bytes.writeUInt8(before, at)
      if (told.problems.length > 0) found++
      else expect(told.digest, `HASHRANGE_SEED=${seed}, byte ${at}`).toBe(whole.digest)
    }
    expect(found).toBeGreaterThan(flips / 10)
  })

  test.each(['zeros', 'rubbish', 'another page'])(
    'that were replaced by %s are told of, unless they are not used',
    (by) => {
      const number = numbers(seed + 2)
      const pageBytes = bytes.readUInt32LE(48)
      let found = 0
      for (let round = 0; round < flips / 4; round++) {
        const page = 2 + number(bytes.length / pageBytes - 2)
        const harmed = Buffer.from(bytes)
        const place = harmed.subarray(page * pageBytes, (page + 1) * pageBytes)
        if (by === 'zeros') place.fill(0)
        else if (by === 'rubbish') for (let at = 0; at < place.length; at++) place.writeUInt8(number(256), at)
        else bytes.copy(place, 0, (2 + number(bytes.length / pageBytes - 2)) * pageBytes)
        const told = walk(harmed)
        if (told.problems.length > 0) found++
        else expect(told.digest, `HASHRANGE_SEED=${seed}, page ${page}`).toBe(whole.digest)
      }
      expect(found).toBeGreaterThan(flips / 100)
    },
  )

  test('that are missing at the end are told of', () => {
    const number = numbers(seed + 3)
    for (let round = 0; round < 20; round++) {
      const told = walk(bytes.subarray(0, number(bytes.length)))
      expect(told.problems.length, `HASHRANGE_SEED=${seed}`).toBeGreaterThan(0)
    }
  })

  test('that are nothing but rubbish do no harm', () => {
    const number = numbers(seed + 4)
    for (let round = 0; round < 50; round++) {
      const rubbish = Buffer.from(bytes.subarray(0, 40 * 4_096))
      for (let at = 200; at < rubbish.length; at += 1 + number(30)) rubbish.writeUInt8(number(256), at)
      walk(rubbish)
    }
  })
})

function checksum(key: Uint8Array, value: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(checksumOf(key, value))
  return sum
}
