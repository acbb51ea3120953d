import { expect, test } from 'vitest'
import type { AttributeValue } from './attribute-value.ts'
import { attributeValueSizeBytes, itemSizeBytes } from './item-size.ts'

test.each<[AttributeValue, number]>([
  [{ S: '' }, 0],
  [{ S: 'abc' }, 3],
  [{ S: 'é€😀' }, 9],
  [{ B: '' }, 0],
  [{ B: 'YQ==' }, 1],
  [{ B: 'YWI=' }, 2],
  [{ B: 'YWJj' }, 3],
  [{ BOOL: false }, 1],
  [{ NULL: true }, 1],
  [{ SS: ['a', 'bcd'] }, 4],
  [{ NS: ['1', '100', '-42'] }, 7],
  [{ BS: ['YQ==', 'YWJj'] }, 4],
  [{ L: [] }, 3],
  [{ L: [{ S: 'ab' }, { BOOL: true }] }, 8],
  [{ M: {} }, 3],
  [{ M: { abc: { S: 'de' }, f: { L: [] } } }, 14],
])('%j has %i bytes', (value, size) => {
  expect(attributeValueSizeBytes(value)).toBe(size)
})

test.each([
  ['0', 1],
  ['1', 2],
  ['99', 2],
  ['100', 2],
  ['101', 3],
  ['1.5', 3],
  ['-42', 3],
  ['-0.5', 3],
  ['0.5', 2],
  ['0.005', 2],
  ['0.0123', 3],
  ['100.25', 4],
  ['12345678901234567890123456789012345678', 20],
  [`1${'0'.repeat(125)}`, 2],
])('the number %s has %i bytes', (text, size) => {
  expect(attributeValueSizeBytes({ N: text })).toBe(size)
})

test('an item is its names and values', () => {
  expect(itemSizeBytes({})).toBe(0)
  expect(itemSizeBytes({ pk: { S: 'user' }, né: { N: '7' } })).toBe(2 + 4 + 3 + 2)
  expect(itemSizeBytes(JSON.parse('{"__proto__":{"S":"a"},"constructor":{"S":"b"}}'))).toBe(9 + 1 + 11 + 1)
})
