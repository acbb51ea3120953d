import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addNumbers, canonicalNumber, compareNumbers, subtractNumbers } from './number.ts'

const overflow = 'Number overflow. Attempting to store a number with magnitude larger than supported range'
const underflow = 'Number underflow. Attempting to store a number with magnitude smaller than supported range'

describe('canonicalNumber', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['+0', '0'],
    ['00', '0'],
    ['-0.0', '0'],
    ['0e5', '0'],
    ['0E125', '0'],
    ['0.0E-130', '0'],
    ['007', '7'],
    ['-007', '-7'],
    ['+3', '3'],
    ['001.23', '1.23'],
    ['1.0', '1'],
    ['1.10', '1.1'],
    ['3.1400', '3.14'],
    ['100.000', '100'],
    ['5.', '5'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['1.5E2', '150'],
    ['-3e2', '-300'],
    ['123e-2', '1.23'],
    ['1e-3', '0.001'],
    ['0.00123e2', '0.123'],
    ['120e-1', '12'],
    ['1000000000000000', '1000000000000000'],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
    ['1234567890123456789012345678901234567800', '1234567890123456789012345678901234567800'],
    ['1e125', `1${'0'.repeat(125)}`],
    ['1E-130', `0.${'0'.repeat(129)}1`],
    [`-9.${'9'.repeat(37)}E+125`, `-${'9'.repeat(38)}${'0'.repeat(88)}`],
  ])('writes %s as %s', (text, canonical) => {
    expect(canonicalNumber(text)).toBe(canonical)
    expect(canonicalNumber(canonical)).toBe(canonical)
  })

  test.each([
    'abc',
    'NaN',
    'Infinity',
    '-Infinity',
    ' 1',
    '1 ',
    '-',
    '+',
    '.',
    '-.',
    '1.2.3',
    '1e',
    '1e+',
    'e5',
    '--1',
    '0x10',
    '1_000',
    '١',
  ])('refuses %j as not numeric', (text) => {
    expect(() => canonicalNumber(text)).toThrow(`The parameter cannot be converted to a numeric value: ${text}`)
  })

  test('refuses the empty string without quoting it', () => {
    expect(() => canonicalNumber('')).toThrow(/^The parameter cannot be converted to a numeric value$/)
  })

  test.each([
    '123456789012345678901234567890123456789',
    '-1.23456789012345678901234567890123456789',
    `1${'0'.repeat(37)}1`,
  ])('refuses the 39th digit of %s', (text) => {
    expect(() => canonicalNumber(text)).toThrow('Attempting to store more than 38 significant digits in a Number')
  })

  test.each(['1E126', '-1e126', '10e125', '0e126', '1E2147483648', '1E9223372036854775807', `1${'0'.repeat(126)}`])(
    'refuses the magnitude of %s as too large',
    (text) => {
      expect(() => canonicalNumber(text)).toThrow(overflow)
    },
  )

  test.each(['1E-131', '-1e-131', '0.1e-130', '0e-131', '1E-9223372036854775808'])(
    'refuses %s as too small',
    (text) => {
      expect(() => canonicalNumber(text)).toThrow(underflow)
    },
  )

  test.each([
    '1E9223372036854775808',
    '-1e9223372036854775808',
    '1E-9223372036854775809',
    '0e99999999999999999999',
  ])('refuses %s: its exponent is no integer of 64 bits', (text) => {
    expect(() => canonicalNumber(text)).toThrow(`The parameter cannot be converted to a numeric value: ${text}`)
  })

  test('reads a megabyte of digits in linear time', () => {
    const before = process.cpuUsage()
    expect(canonicalNumber(`${'0'.repeat(1_000_000)}1`)).toBe('1')
    expect(canonicalNumber(`1.${'0'.repeat(1_000_000)}`)).toBe('1')
    expect(canonicalNumber(`1${'0'.repeat(1_000_000)}e-1000000`)).toBe('1')
    expect(() => canonicalNumber('9'.repeat(1_000_000))).toThrow(overflow)
    expect(() => canonicalNumber(`1e${'0'.repeat(1_000_000)}126`)).toThrow(overflow)
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000)
  })
})

describe('arithmetic', () => {
  test.each([
    ['1', '2', '3', '-1'],
    ['0.1', '0.2', '0.3', '-0.1'],
    ['5', '5', '10', '0'],
    ['999999999999999', '1', '1000000000000000', '999999999999998'],
    ['-1.5', '1.5', '0', '-3'],
    ['100', '0.001', '100.001', '99.999'],
  ])('%s and %s give the sum %s and the difference %s', (a, b, sum, difference) => {
    expect(addNumbers(a, b)).toBe(sum)
    expect(subtractNumbers(a, b)).toBe(difference)
  })

  test('refuses a sum that is too large, or has too many digits, as an overflow', () => {
    const large = canonicalNumber('9e125')
    expect(() => addNumbers(large, large)).toThrow(overflow)
    expect(() => subtractNumbers(large, `-${large}`)).toThrow(overflow)
    expect(() => addNumbers(canonicalNumber('1e50'), '1')).toThrow(overflow)
    expect(addNumbers(large, canonicalNumber('9e124'))).toBe(canonicalNumber('9.9e125'))
  })

  test('refuses a difference that is too small as an underflow', () => {
    expect(() => subtractNumbers(canonicalNumber('1.1e-130'), canonicalNumber('1e-130'))).toThrow(underflow)
  })

  test('is exact', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(addNumbers(a.text, b.text)).toBe(canonicalNumber(scaledText(a.scaled + b.scaled)))
        expect(subtractNumbers(a.text, b.text)).toBe(canonicalNumber(scaledText(a.scaled - b.scaled)))
      }),
    )
  })
})

describe('compareNumbers', () => {
  test('orders by value', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(compareNumbers(a.text, b.text)).toBe(a.scaled === b.scaled ? 0 : a.scaled < b.scaled ? -1 : 1)
      }),
      { numRuns: 1_000 },
    )
  })

  test('orders the extremes', () => {
    const ascending = ['-9e125', '-1', '-1e-130', '0', '1e-130', '0.01', '0.1', '1', '9.5', '10', '9e125'].map(
      canonicalNumber,
    )
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) expect(compareNumbers(a, b)).toBe(Math.sign(i - j))
    }
  })
})

/** Decimals with up to 12 digits after the point, beside their value times 10^12. */
const decimals = fc
  .tuple(fc.oneof(fc.bigInt(-999n, 999n), fc.bigInt(-(10n ** 30n), 10n ** 30n)), fc.integer({ min: 0, max: 12 }))
  .map(([digits, shift]) => {
    const scaled = digits * 10n ** BigInt(shift)
    return { scaled, text: canonicalNumber(scaledText(scaled)) }
  })
  .filter(({ scaled }) => scaled.toString().replace('-', '').length <= 37)

function scaledText(scaled: bigint): string {
  return `${scaled}e-12`
}
