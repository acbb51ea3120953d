import { expect, test } from 'vitest'
import { canonicalNumber } from '@hashrange/core'
import { decodeLexicalDecimal, encodeLexicalDecimal } from './lexical-decimal.ts'

const rising = [
  '-9.9999e125',
  '-1e63',
  '-1500',
  '-1499.99999',
  '-12.5',
  '-1',
  '-0.00123',
  '-1e-130',
  '0',
  '1e-130',
  '0.001',
  '1',
  '9',
  '10',
  '12.3456789',
  '123',
  '1234567890123456789012345678901234567.8',
  '1e62',
  '1e63',
  '9e125',
].map(canonicalNumber)

test('numbers of sort keys come back as they were', () => {
  for (const number of rising)
    expect(canonicalNumber(decodeLexicalDecimal(encodeLexicalDecimal(number)))).toBe(number)
})

test('the order of their bytes is the order of the numbers', () => {
  const sorted = rising.toSorted((one, other) => encodeLexicalDecimal(one).compare(encodeLexicalDecimal(other)))
  expect(sorted).toEqual(rising)
})

test('they are what the clients of AWS write', () => {
  expect(encodeLexicalDecimal('123').toString('hex')).toBe('c321c020')
  expect(encodeLexicalDecimal('-12.5').toString('hex')).toBe('3dddbfd0')
  expect(encodeLexicalDecimal(canonicalNumber('1e63')).toString('hex')).toBe('fe800000401c0000')
  expect(encodeLexicalDecimal(canonicalNumber('-1e-100')).toString('hex')).toBe('7e80000062e3fff0')
})

test('what does not end is refused', () => {
  expect(() => decodeLexicalDecimal(Buffer.from('c3', 'hex'))).toThrow('does not end')
  expect(() => decodeLexicalDecimal(Buffer.alloc(1000, 0x55))).toThrow('does not end')
  expect(() => decodeLexicalDecimal(Buffer.from('fe00', 'hex'))).toThrow('too early')
})
