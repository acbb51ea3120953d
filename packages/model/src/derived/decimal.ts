import { decimalOf } from '../schema/exact-number.ts'

/** The sum of two numbers as DynamoDB stores them, exactly: JavaScript's own would lose digits, and a counter that is lowered by
 *  another amount than it was raised by never comes back to zero. */
export function addDecimals(one: string, other: string): string {
  const a = parse(one)
  const b = parse(other)
  const exponent = Math.min(a.exponent, b.exponent)
  return format(scaled(a, exponent) + scaled(b, exponent), exponent)
}

export function subtractDecimals(one: string, other: string): string {
  const { value, exponent } = parse(other)
  return addDecimals(one, format(-value, exponent))
}

/** One text for each number. */
export function canonicalDecimal(text: string): string {
  return addDecimals(text, '0')
}

interface Scaled {
  readonly value: bigint
  readonly exponent: number
}

function parse(text: string): Scaled {
  const decimal = decimalOf(text)
  if (decimal === undefined) throw new Error(`${text} is not a number`)
  const value = BigInt(decimal.digits === '' ? '0' : decimal.digits)
  return { value: decimal.isNegative ? -value : value, exponent: decimal.exponent }
}

function scaled({ value, exponent }: Scaled, to: number): bigint {
  return value * 10n ** BigInt(exponent - to)
}

/** More zeros than this are written as an exponent. */
const mostZeros = 40

function format(value: bigint, exponent: number): string {
  if (value === 0n) return '0'
  let digits = String(value < 0n ? -value : value)
  let power = exponent
  while (digits.endsWith('0')) {
    digits = digits.slice(0, -1)
    power++
  }
  const sign = value < 0n ? '-' : ''
  if (Math.abs(power) > mostZeros) return `${sign}${digits}E${power}`
  if (power >= 0) return sign + digits + '0'.repeat(power)
  const padded = digits.padStart(1 - power, '0')
  return `${sign}${padded.slice(0, power)}.${padded.slice(power)}`
}
