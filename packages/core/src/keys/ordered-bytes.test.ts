import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareBytes, compareUtf8 } from '../values/utf8.ts'
import { ByteWriter } from './byte-writer.ts'
import { appendOrderedBytes, appendOrderedString, orderedPrefixSuccessor } from './ordered-bytes.ts'

/** Few different bytes, so that prefixes, zeros and group boundaries are common. */
const bytes = fc
  .uint8Array({ maxLength: 20 })
  .map((any) => any.map((byte) => [0x00, 0x01, 0x08, 0xff][byte % 4] ?? 0))
const texts = fc.string({
  unit: fc.constantFrom('\0', '\x01', 'a', '\x7f', 'é', '\ud800', '\uffff', '😀'),
  maxLength: 20,
})

function encoded(value: Uint8Array | string): Uint8Array {
  const out = new ByteWriter(4)
  if (typeof value === 'string') appendOrderedString(out, value)
  else appendOrderedBytes(out, value)
  return out.bytes()
}

function successor(...prefix: number[]): Uint8Array | undefined {
  return orderedPrefixSuccessor(new Uint8Array(prefix))
}

describe('the bytes on disk', () => {
  test.each([
    ['', '000000000000000000'],
    ['a', '610000000000000001'],
    ['abcdefgh', '616263646566676808'],
    ['abcdefghi', '6162636465666768ff690000000000000001'],
    ['é', 'c3a900000000000002'],
    ['abcdefgé', '61626364656667c3ffa90000000000000001'],
  ])('of %j are %s', (text, hex) => {
    expect(Buffer.from(encoded(text)).toString('hex')).toBe(hex)
    expect(encoded(Buffer.from(text))).toEqual(encoded(text))
  })
})

test('encoded order is byte order, for binaries and strings', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(Math.sign(compareBytes(encoded(a), encoded(b)))).toBe(Math.sign(compareBytes(a, b)))
    }),
    { numRuns: 3_000 },
  )
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(Math.sign(compareBytes(encoded(a), encoded(b)))).toBe(Math.sign(compareUtf8(a, b)))
    }),
    { numRuns: 3_000 },
  )
})

test('no encoding is a prefix of another', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const [left, right] = [encoded(a), encoded(b)]
      const prefix = compareBytes(left, right.subarray(0, left.length)) === 0
      expect(prefix).toBe(compareBytes(a, b) === 0)
    }),
    { numRuns: 3_000 },
  )
})

test('the longest sort key stays within nine eighths, even of zeros', () => {
  expect(encoded(new Uint8Array(1_024)).length).toBe(1_152)
  expect(encoded('\0'.repeat(1_024)).length).toBe(1_152)
})

test('the successor of a prefix is the smallest above all that begin with it', () => {
  expect(successor(1, 2)).toEqual(new Uint8Array([1, 3]))
  expect(successor(1, 0xff, 0xff)).toEqual(new Uint8Array([2]))
  expect(successor(0xff, 0xff)).toBeUndefined()
  expect(successor()).toBeUndefined()
})

test('the successor leaves its prefix alone', () => {
  const prefix = Buffer.from([1, 2])
  orderedPrefixSuccessor(prefix)
  expect([...prefix]).toEqual([1, 2])
})
