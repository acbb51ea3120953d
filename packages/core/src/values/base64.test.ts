import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64ByteLength, base64Defect, compareBase64, decodeBase64, encodeBase64 } from './base64.ts'
import { compareBytes } from './utf8.ts'

const bytes = fc.uint8Array({ maxLength: 300 })

test('encodes and decodes as the platform does', () => {
  fc.assert(
    fc.property(bytes, (original) => {
      const text = encodeBase64(original)
      expect(text).toBe(Buffer.from(original).toString('base64'))
      expect(decodeBase64(text)).toEqual(original)
      expect(base64ByteLength(text)).toBe(original.length)
      expect(base64Defect(text)).toBeUndefined()
    }),
  )
})

test('orders texts by their bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ max: 3, maxLength: 6 }), fc.uint8Array({ max: 3, maxLength: 6 }), (a, b) => {
      expect(Math.sign(compareBase64(encodeBase64(a), encodeBase64(b)))).toBe(Math.sign(compareBytes(a, b)))
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(Math.sign(compareBase64(encodeBase64(a), encodeBase64(b)))).toBe(Math.sign(compareBytes(a, b)))
    }),
  )
})

test.each([
  ['23456', 'Base64 encoded length is expected a multiple of 4 bytes but found: 5'],
  ['=', 'Base64 encoded length is expected a multiple of 4 bytes but found: 1'],
  ['=+/=', 'Invalid last non-pad Base64 character dectected'],
  ['+/+=', 'Invalid last non-pad Base64 character dectected'],
  ['YR==', 'Invalid last non-pad Base64 character dectected'],
  ['a*==', 'Invalid last non-pad Base64 character dectected'],
  ['*AA=', "Invalid Base64 character: '*'"],
  ['YQ==YQ==', "Invalid Base64 character: '='"],
  ['A===', 'Invalid last non-pad Base64 character dectected'],
  ['====', 'Invalid last non-pad Base64 character dectected'],
  ['ab_-', "Invalid Base64 character: '_'"],
  ['ab\u0141A', "Invalid Base64 character: '\u0141'"],
])('refuses %s', (text, defect) => {
  expect(base64Defect(text)).toBe(defect)
})

test('whatever passes is the one way to write its bytes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('A', 'Q', 'g', 'w', '/', '=', '*'), minLength: 4, maxLength: 8 }),
      (text) => {
        const canonical = Buffer.from(text, 'base64').toString('base64') === text
        expect(base64Defect(text) === undefined).toBe(canonical)
      },
    ),
    { numRuns: 2_000 },
  )
})
