import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareBytes, compareUtf8, encodeUtf8, utf8Length } from './utf8.ts'

/** Any UTF-16 units, lone surrogates among them, and mostly the troublesome ones. */
const units = fc.constantFrom(
  'a',
  '\0',
  '\x7f',
  '\x80',
  'é',
  '€',
  '\ud7ff',
  '\ud800',
  '\udbff',
  '\udc00',
  '\udfff',
  '\ue000',
  '\uffff',
  '😀',
)
const texts = fc.oneof(fc.string({ unit: units, maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 20 }))

test('the length in UTF-8 is that of the encoding', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(utf8Length(text)).toBe(encodeUtf8(text).length)
    }),
  )
})

test('a lone surrogate counts as the three bytes of U+FFFD', () => {
  expect(utf8Length('\ud800')).toBe(3)
  expect(utf8Length('\ud800a')).toBe(4)
  expect(utf8Length('\udc00\ud800')).toBe(6)
})

test('strings are ordered by their UTF-8 bytes', () => {
  fc.assert(
    fc.property(texts, texts, texts, (prefix, a, b) => {
      const left = prefix + a
      const right = prefix + b
      expect(Math.sign(compareUtf8(left, right))).toBe(Math.sign(compareBytes(encodeUtf8(left), encodeUtf8(right))))
    }),
    { numRuns: 3_000 },
  )
})

test('a surrogate pair comes after U+FFFF, unlike in UTF-16', () => {
  expect(['\uffff', '😀'].toSorted()).toEqual(['😀', '\uffff'])
  expect(compareUtf8('😀', '\uffff')).toBeGreaterThan(0)
})
