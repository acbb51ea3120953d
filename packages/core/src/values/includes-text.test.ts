import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { includesText } from './includes-text.ts'

test('finds what the runtime finds, in texts that repeat themselves', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 900 })
  const sought = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 251, maxLength: 400 })
  fc.assert(
    fc.property(text, sought, fc.boolean(), (whole, part, isPlaced) => {
      const searched = isPlaced ? whole + part + whole : whole
      expect(includesText(searched, part)).toBe(searched.includes(part))
    }),
  )
})

test('the edges', () => {
  expect(includesText('', '')).toBe(true)
  expect(includesText('abc', '')).toBe(true)
  expect(includesText('', 'a')).toBe(false)
  const long = 'ab'.repeat(300)
  expect(includesText(long, long)).toBe(true)
  expect(includesText(`x${long}`, long)).toBe(true)
  expect(includesText(`${long}x`, long)).toBe(true)
  expect(includesText(`x${long.slice(1)}y`, long)).toBe(false)
})

test('an item of the largest size is searched at once', () => {
  const text = 'a'.repeat(400_000)
  const sought = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`
  // With the runtime's search this takes minutes.
  for (let i = 0; i < 20; i++) expect(includesText(text, sought)).toBe(false)
})
