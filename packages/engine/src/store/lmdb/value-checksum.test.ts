import { expect, test } from 'vitest'
import { SeededRandom } from '../../simulation/seeded-random.ts'
import { crc32 } from '../crc32.ts'
import { checksumBytes, checksumOf, differenceIn, isIntact, isIntactUnder } from './value-checksum.ts'

const random = new SeededRandom(Number(process.env['HASHRANGE_SEED']))

function randomBytes(most: number): Buffer {
  return Buffer.from(Array.from({ length: random.below(most) }, () => random.below(256)))
}

function stored(key: Buffer, value: Buffer, checksum = checksumOf(key, value)): Buffer {
  const bytes = Buffer.alloc(value.length + checksumBytes)
  bytes.set(value)
  bytes.writeUInt32LE(checksum, value.length)
  return bytes
}

test('a value is intact under its own key, whether the key is known before or after it is read', () => {
  for (let round = 0; round < 300; round++) {
    const key = randomBytes(80)
    const bytes = stored(key, randomBytes(400))
    expect(isIntact(key, bytes)).toBe(true)
    expect(isIntactUnder(key, differenceIn(bytes))).toBe(true)
  }
})

test('a bit that is flipped in the key, the value or the checksum is noticed', () => {
  for (let round = 0; round < 20; round++) {
    const key = randomBytes(80)
    const bytes = stored(key, randomBytes(100))
    for (const changed of [key, bytes]) {
      for (let bit = 0; bit < 8 * changed.length; bit++) {
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        expect(isIntact(key, bytes)).toBe(false)
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      }
    }
    expect(isIntact(key, bytes)).toBe(true)
  }
})

test('keys that differ by zero bytes, or by their order, have different checksums', () => {
  const keys = [
    '',
    '\0',
    '\0\0',
    'a',
    'a\0',
    '\0a',
    'ab',
    'ba',
    'abcd',
    'abcd\0',
    'abcdefgh',
    'efghabcd',
    'abcd\0\0\0\0',
  ]
  const checksums = keys.map((key) => checksumOf(Buffer.from(key), Buffer.from('value')))
  expect(new Set(checksums).size).toBe(keys.length)
})

test('a checksum of format 2 covers the value alone, and still counts', () => {
  const value = Buffer.from('from before')
  expect(isIntact(Buffer.from('key'), stored(Buffer.from('key'), value, crc32(value)))).toBe(true)
})

test('what is shorter than a checksum is not intact', () => {
  for (let length = 0; length < checksumBytes; length++)
    expect(isIntact(Buffer.alloc(0), Buffer.alloc(length))).toBe(false)
})

test('the bytes on disk stay what they are', () => {
  const checksums = [
    checksumOf(Buffer.alloc(0), Buffer.alloc(0)),
    checksumOf(Buffer.from('key'), Buffer.from('value')),
    checksumOf(Buffer.from('a longer key, of many bytes'), Buffer.alloc(100, 7)),
  ]
  expect(checksums).toEqual([1185857385, 2532838439, 2088949115])
})
