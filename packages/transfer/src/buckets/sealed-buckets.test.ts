import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BucketError, type Compression } from '@hashrange/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FolderBuckets } from './folder-buckets.ts'
import { SealedBuckets } from './sealed-buckets.ts'

const [key, otherKey] = [randomBytes(32), randomBytes(32)]
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-sealed-'))
  mkdirSync(join(folder, 'bucket'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bucketsWith = (...keys: readonly Buffer[]): SealedBuckets =>
  new SealedBuckets(new FolderBuckets(folder), keys, 'Say it so.')
const pathOf = (name: string): string => join(folder, 'bucket', name)

async function write(buckets: SealedBuckets, name: string, ...chunks: readonly Buffer[]): Promise<void> {
  await buckets.write(
    'bucket',
    name,
    (async function* () {
      yield* chunks
    })(),
  )
}

async function read(buckets: SealedBuckets, name: string, compression: Compression = 'NONE'): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of buckets.read('bucket', name, compression)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('an encrypted object', () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])('of %i bytes is read back', async (length) => {
    const bytes = randomBytes(length)
    await write(bucketsWith(key), 'object', bytes.subarray(0, length / 3), bytes.subarray(length / 3))
    const stored = readFileSync(pathOf('object'))
    expect(stored.length).toBe(24 + length + 16 * Math.max(1, Math.ceil(length / 65_536)))
    expect(length > 16 && stored.includes(bytes.subarray(0, 16))).toBe(false)
    expect((await read(bucketsWith(key), 'object')).equals(bytes)).toBe(true)
  })

  test('is decrypted before it is decompressed, with any of the keys', async () => {
    await write(bucketsWith(otherKey), 'object.gz', gzipSync('an old export'))
    const rotated = bucketsWith(key, otherKey)
    expect((await read(rotated, 'object.gz', 'GZIP')).toString()).toBe('an old export')
    await write(rotated, 'object.gz', gzipSync('a new export'))
    await expect(read(bucketsWith(otherKey), 'object.gz', 'GZIP')).rejects.toThrow(BucketError)
    expect((await read(bucketsWith(key), 'object.gz', 'GZIP')).toString()).toBe('a new export')
  })

  test('is refused with advice if the key is missing or wrong', async () => {
    await write(bucketsWith(key), 'object', randomBytes(100))
    await expect(read(bucketsWith(), 'object')).rejects.toThrow(
      'object is encrypted, and no key was given. Say it so.',
    )
    await expect(read(bucketsWith(otherKey), 'object')).rejects.toThrow(
      'object was encrypted with another key, or has been changed. Say it so.',
    )
    await expect(read(bucketsWith(), 'object', 'GZIP')).rejects.toThrow(
      'object is encrypted, and no key was given. Say it so.',
    )
  })

  test('that was changed, cut off, or put together anew is not read', async () => {
    const pieces = 3
    await write(bucketsWith(key), 'object', randomBytes(pieces * 65_536))
    const stored = readFileSync(pathOf('object'))
    const piece = (number: number): Buffer => stored.subarray(24 + number * 65_552, 24 + (number + 1) * 65_552)
    const head = stored.subarray(0, 24)
    const changed: Readonly<Record<string, Buffer>> = {
      'a bit': Buffer.from(stored).fill((stored[70_000] ?? 0) ^ 1, 70_000, 70_001),
      'the salt': Buffer.from(stored).fill((stored[10] ?? 0) ^ 1, 10, 11),
      'no end': stored.subarray(0, 24 + 2 * 65_552),
      'half a piece': stored.subarray(0, 24 + 65_552 + 100),
      'another order': Buffer.concat([head, piece(1), piece(0), piece(2)]),
      'a piece twice': Buffer.concat([stored, piece(2)]),
      'nothing but its head': head,
    }
    for (const [what, bytes] of Object.entries(changed)) {
      writeFileSync(pathOf('object'), bytes)
      await expect(read(bucketsWith(key), 'object'), what).rejects.toThrow(/damaged|has been changed/)
    }
  })
})

test('an object that is not encrypted is read as it is, with a key or without', async () => {
  for (const text of ['', 'short', 'HRSEAL', 'x'.repeat(100_000)]) {
    await write(bucketsWith(), 'plain', Buffer.from(text))
    expect(readFileSync(pathOf('plain'), 'utf8')).toBe(text)
    for (const buckets of [bucketsWith(), bucketsWith(key)])
      expect((await read(buckets, 'plain')).toString()).toBe(text)
  }
})
