import { ModelError } from '../errors.ts'

/** A stored number as a JavaScript number. DynamoDB keeps 38 digits and JavaScript about 16: rather than a number that is not
 *  the one that was stored, an error says which type holds it. Sums of fractions that differ only where JavaScript's own
 *  arithmetic does, in the seventeenth digit, are read as JavaScript would have it. */
export function exactNumber(text: string, path: string): number {
  const value = Number(text)
  if (String(value) === text) return value
  const stored = decimalOf(text)
  const read = decimalOf(String(value))
  const isSame = stored?.digits === read?.digits && stored?.exponent === read?.exponent
  if (isSame || (stored !== undefined && stored.exponent < 0 && stored.digits.length <= 17)) return value
  throw new ModelError(
    'INVALID_ITEM',
    `${path} is ${text}, which a JavaScript number cannot hold exactly. Declare it as s.bigint() or s.decimal().`,
    { attribute: path },
  )
}

interface Decimal {
  readonly isNegative: boolean
  /** Without zeros at either end; empty for zero. */
  readonly digits: string
  readonly exponent: number
}

/** `12.50` as 125 and -1; undefined if it is no number. */
export function decimalOf(text: string): Decimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = match
  const all = (whole + fraction).replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  const exponent = digits === '' ? 0 : Number(power) - fraction.length + all.length - digits.length
  return { isNegative: sign === '-', digits, exponent }
}

/** A stored whole number, however large; undefined if it is not whole. */
export function toBigInt(text: string): bigint | undefined {
  const decimal = decimalOf(text)
  if (decimal === undefined || decimal.exponent < 0) return undefined
  const value = BigInt(decimal.digits === '' ? 0 : decimal.digits + '0'.repeat(decimal.exponent))
  return decimal.isNegative ? -value : value
}

/** The same text for the same number: `1.50`, `15e-1` and `1.5`. */
export function numberText(text: string): string {
  const decimal = decimalOf(text)
  if (decimal === undefined) return text
  const { isNegative, digits, exponent } = decimal
  return `${isNegative && digits !== '' ? '-' : ''}${digits}e${exponent}`
}
