import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalNumber, compareNumbers } from '../values/number.ts'
import { compareBytes } from '../values/utf8.ts'
import { ByteWriter } from './byte-writer.ts'
import { appendOrderedNumber } from './ordered-number.ts'

function encoded(canonical: string): Uint8Array {
  const out = new ByteWriter()
  appendOrderedNumber(out, canonical)
  return out.bytes()
}

const numbers = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.bigInt(1n, 120n), fc.bigInt(1n, 10n ** 38n - 1n)),
    fc.oneof(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -130, max: 88 })),
  )
  .map(([sign, digits, exponent]) => canonicalNumber(`${sign}${digits}e${exponent}`))
const anyNumbers = fc.oneof({ weight: 20, arbitrary: numbers }, { weight: 1, arbitrary: fc.constant('0') })

describe('the bytes on disk', () => {
  test.each([
    ['0', '8000'],
    ['1', 'c102'],
    ['10', 'c114'],
    ['99', 'c1c6'],
    ['100', 'c202'],
    ['101', 'c20302'],
    ['-1', '3efd'],
    ['-101', '3dfcfd'],
    ['0.1', 'c014'],
    ['0.01', 'c002'],
    ['1.5', 'c10364'],
    [`0.${'0'.repeat(129)}1`, '8002'],
    [`1${'0'.repeat(125)}`, 'ff14'],
    [`-1${'0'.repeat(125)}`, '00eb'],
  ])('of %s are %s', (canonical, hex) => {
    expect(Buffer.from(encoded(canonical)).toString('hex')).toBe(hex)
  })
})

test('encoded order is numeric order', () => {
  fc.assert(
    fc.property(anyNumbers, anyNumbers, (a, b) => {
      expect(Math.sign(compareBytes(encoded(a), encoded(b)))).toBe(compareNumbers(a, b))
    }),
    { numRuns: 5_000 },
  )
})

test('no encoding is a prefix of another', () => {
  fc.assert(
    fc.property(anyNumbers, anyNumbers, (a, b) => {
      const [left, right] = [encoded(a), encoded(b)]
      expect(compareBytes(left, right.subarray(0, left.length)) === 0).toBe(a === b)
    }),
    { numRuns: 5_000 },
  )
})

test('38 digits take at most 21 bytes', () => {
  fc.assert(
    fc.property(anyNumbers, (number) => {
      expect(encoded(number).length).toBeLessThanOrEqual(21)
    }),
  )
})
