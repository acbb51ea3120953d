import { expect, test } from 'vitest'
import type { AttributeValue } from './attribute-value.ts'
import { compareScalars, equalValues } from './compare-values.ts'

const many = Array.from({ length: 40 }, (_, i) => String(i))
const values: AttributeValue[] = [
  { S: '1' },
  { S: '' },
  { N: '1' },
  { B: 'YQ==' },
  { BOOL: true },
  { BOOL: false },
  { NULL: true },
  { SS: ['1', '2'] },
  { SS: ['1', '3'] },
  { SS: many },
  { NS: ['1', '2'] },
  { BS: ['YQ==', 'Yg=='] },
  { L: [] },
  { L: [{ S: '1' }] },
  { L: [{ S: '1' }, { S: '2' }] },
  { L: [{ S: '2' }, { S: '1' }] },
  { M: {} },
  { M: { a: { S: '1' } } },
  { M: { b: { S: '1' } } },
  { M: { toString: { S: '1' } } },
  { M: { a: { M: { a: { S: '1' } } } } },
]

test('a value equals its copy and no other', () => {
  for (const [i, a] of values.entries()) {
    for (const [j, b] of values.entries()) expect(equalValues(a, structuredClone(b))).toBe(i === j)
  }
})

test('sets and maps have no order', () => {
  expect(equalValues({ SS: ['a', 'b'] }, { SS: ['b', 'a'] })).toBe(true)
  expect(equalValues({ NS: many }, { NS: many.toReversed() })).toBe(true)
  expect(equalValues({ M: { a: { N: '1' }, b: { N: '2' } } }, { M: { b: { N: '2' }, a: { N: '1' } } })).toBe(true)
})

test('maps with a __proto__ entry are compared by it', () => {
  const one = JSON.parse('{"M":{"__proto__":{"S":"1"}}}')
  const two = JSON.parse('{"M":{"__proto__":{"S":"2"}}}')
  expect(equalValues(one, structuredClone(one))).toBe(true)
  expect(equalValues(one, two)).toBe(false)
  expect(equalValues(one, { M: { a: { S: '1' } } })).toBe(false)
})

test('scalars of one type have an order', () => {
  expect(compareScalars({ S: 'a' }, { S: 'b' })).toBeLessThan(0)
  expect(compareScalars({ S: '😀' }, { S: '\uffff' })).toBeGreaterThan(0)
  expect(compareScalars({ N: '10' }, { N: '9' })).toBeGreaterThan(0)
  expect(compareScalars({ B: '/w==' }, { B: 'AA==' })).toBeGreaterThan(0)
  expect(compareScalars({ S: 'a' }, { S: 'a' })).toBe(0)
})

test('nothing else has', () => {
  expect(compareScalars({ S: '1' }, { N: '1' })).toBeUndefined()
  expect(compareScalars({ N: '1' }, { S: '1' })).toBeUndefined()
  expect(compareScalars({ B: 'YQ==' }, { S: 'a' })).toBeUndefined()
  expect(compareScalars({ BOOL: true }, { BOOL: false })).toBeUndefined()
})
