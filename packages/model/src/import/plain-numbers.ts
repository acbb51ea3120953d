import { decimalOf } from '../schema/exact-number.ts'
import type { RawItem, RawValue } from './raw-model.ts'

/** An item with its numbers as the service writes them, and so as they stand in keys. An export in Ion has `8.` and `2e1`. */
export function withPlainNumbers(item: RawItem): RawItem {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]))
}

function plainValue(value: RawValue): RawValue {
  const { N, NS, L, M } = value
  if (typeof N === 'string') return { N: plainNumber(N) }
  if (Array.isArray(NS)) return { NS: NS.map((each) => plainNumber(String(each))) }
  if (Array.isArray(L)) return { L: (L as readonly RawValue[]).map(plainValue) }
  return typeof M === 'object' && M !== null ? { M: withPlainNumbers(M as RawItem) } : value
}

function plainNumber(text: string): string {
  const decimal = decimalOf(text.replace(/\.(?=$|e)/i, ''))
  // Nobody writes a number with more zeros than digits into a key.
  if (decimal === undefined || Math.abs(decimal.exponent) > 38) return text
  const { isNegative, digits, exponent } = decimal
  const whole = exponent >= 0 ? digits + '0'.repeat(exponent) : digits.slice(0, exponent)
  const fraction = exponent >= 0 ? '' : `.${digits.slice(exponent).padStart(-exponent, '0')}`
  return `${isNegative ? '-' : ''}${whole === '' ? '0' : whole}${fraction}`
}
