import { describe, expect, test } from 'vitest'
import { readAttributeValueIn, readItemIn, type ValueWording } from './value-wording.ts'

const notNumeric = 'The parameter cannot be converted to a numeric value'
const overflow = 'Number overflow. Attempting to store a number with magnitude larger than supported range'
const underflow = 'Number underflow. Attempting to store a number with magnitude smaller than supported range'

function refusalOf(words: ValueWording, raw: unknown): string {
  try {
    readAttributeValueIn(words, raw)
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return 'accepted'
}

describe('a number is refused', () => {
  test.each<[string, string, string, string]>([
    ['abc', `${notNumeric}: abc`, `${notNumeric}: abc`, `${notNumeric}: abc`],
    ['', notNumeric, notNumeric, `${notNumeric}: `],
    ['1e126', overflow, overflow, overflow],
    ['1e2147483647', overflow, underflow, overflow],
    ['1e2147483648', overflow, `${notNumeric}: 1e2147483648`, overflow],
    ['1e-99999999999', underflow, `${notNumeric}: 1e-99999999999`, underflow],
    ['1.5e-2147483647', underflow, `${notNumeric}: 1.5e-2147483647`, underflow],
  ])('%s: by writes, by older and by current operations', (text, write, older, current) => {
    expect(refusalOf('write', { N: text })).toBe(write)
    expect(refusalOf('older', { N: text })).toBe(older)
    expect(refusalOf('current', { N: text })).toBe(current)
  })

  test('wherever it stands in a value', () => {
    const values = [{ NS: ['1', '1e2147483648'] }, { L: [{ M: { a: { N: '1e2147483648' } } }] }]
    for (const value of values) expect(refusalOf('older', value)).toBe(`${notNumeric}: 1e2147483648`)
    expect(() => readItemIn('older', { a: { N: '1' }, b: { N: '1e2147483647' } })).toThrow(underflow)
  })
})

describe('a set with a member twice is refused', () => {
  test('in quotes by current operations alone', () => {
    const invalid = 'One or more parameter values were invalid: Input collection'
    expect(refusalOf('write', { SS: ['b', 'b'] })).toBe(`${invalid} [b, b] contains duplicates.`)
    expect(refusalOf('older', { SS: ['b', 'b'] })).toBe(`${invalid} [b, b] contains duplicates.`)
    expect(refusalOf('current', { SS: ['b', 'b'] })).toBe(`${invalid} ["b", "b"] contains duplicates.`)
  })
})

test('an item may have whatever names of attributes', () => {
  const item: unknown = JSON.parse('{"__proto__":{"N":"1e126"}}')
  expect(() => readItemIn('older', item)).toThrow(overflow)
})
