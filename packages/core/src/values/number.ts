import { validationException, type ServiceError } from '../errors.ts'
import { limits } from '../limits.ts'

const zero = 0x30
const nine = 0x39
const plus = 0x2b
const minus = 0x2d
const point = 0x2e

/** Integers of at most this many digits, and their sums, are exact as JavaScript numbers. */
const safeDigits = 15

/** The canonical form in which the service writes a number: plain decimal notation without superfluous zeros, so that
 *  equal numbers are equal strings. Accepts what the service accepts ("+3", ".5", "5.", "1e+2") and rejects the rest
 *  with its messages. One pass over the text, however long it is. */
export function canonicalNumber(text: string): string {
  if (isSafeInteger(text)) return text
  if (text.length === 0) throw validationException('The parameter cannot be converted to a numeric value')
  const first = text.charCodeAt(0)
  const start = first === minus || first === plus ? 1 : 0
  let pointAt = -1
  let firstNonzero = -1
  let lastNonzero = -1
  let digitCount = 0
  let position = start
  for (; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code >= zero && code <= nine) {
      digitCount++
      if (code !== zero) {
        if (firstNonzero < 0) firstNonzero = position
        lastNonzero = position
      }
    } else if (code === point && pointAt < 0) {
      pointAt = position
    } else {
      break
    }
  }
  if (digitCount === 0) throw notNumeric(text)
  const scale = position === text.length ? 0 : readExponent(text, position)
  if (firstNonzero < 0) {
    // Zero is as large as the exponent it is written with.
    if (scale > limits.numberMaximumExponent) throw numberOverflow()
    if (scale < limits.numberMinimumExponent) throw numberUnderflow()
    return '0'
  }

  // The exponent of the first digit: 2 for 100, -3 for 0.001.
  const unitsEnd = pointAt < 0 ? position : pointAt
  const exponent = (firstNonzero < unitsEnd ? unitsEnd - 1 : unitsEnd) - firstNonzero + scale
  if (exponent > limits.numberMaximumExponent) throw numberOverflow()
  if (exponent < limits.numberMinimumExponent) throw numberUnderflow()
  const pointWithin = pointAt > firstNonzero && pointAt < lastNonzero
  const significant = lastNonzero - firstNonzero + (pointWithin ? 0 : 1)
  if (significant > limits.numberDigits) {
    throw validationException('Attempting to store more than 38 significant digits in a Number')
  }
  const digits = pointWithin
    ? text.slice(firstNonzero, pointAt) + text.slice(pointAt + 1, lastNonzero + 1)
    : text.slice(firstNonzero, lastNonzero + 1)
  return plainNotation(first === minus, digits, exponent)
}

/** The sum of two canonical numbers, exact and canonical. */
export function addNumbers(a: string, b: string): string {
  if (isSafeInteger(a) && isSafeInteger(b)) return String(Number(a) + Number(b))
  return addExactly(a, b, 1n)
}

/** The difference of two canonical numbers, exact and canonical. */
export function subtractNumbers(a: string, b: string): string {
  if (isSafeInteger(a) && isSafeInteger(b)) return String(Number(a) - Number(b))
  return addExactly(a, b, -1n)
}

/** Orders two canonical numbers by value. */
export function compareNumbers(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0
  const aNegative = a.charCodeAt(0) === minus
  const bNegative = b.charCodeAt(0) === minus
  if (aNegative !== bNegative) return aNegative ? -1 : 1
  // Between canonical numbers of one sign, the longer integer part is the larger magnitude. With integer parts of one
  // length the points align, and the order of the characters is the order of the magnitudes.
  const aUnits = unitsEndOf(a)
  const bUnits = unitsEndOf(b)
  const smaller = aUnits === bUnits ? a < b : aUnits < bUnits
  return smaller === aNegative ? 1 : -1
}

function isSafeInteger(text: string): boolean {
  const length = text.length
  if (length === 0 || length > safeDigits + 1) return false
  const first = text.charCodeAt(0)
  if (first === zero) return length === 1
  const start = first === minus ? 1 : 0
  const digits = length - start
  if (digits === 0 || digits > safeDigits || text.charCodeAt(start) === zero) return false
  for (let position = start; position < length; position++) {
    const code = text.charCodeAt(position)
    if (code < zero || code > nine) return false
  }
  return true
}

/** Reads "E+12" at `position`. Exponents larger than any number needs are capped, so that hostile digits cost no
 *  arithmetic; an exponent beyond 64 bits is not valid. */
function readExponent(text: string, position: number): number {
  const letter = text.charCodeAt(position)
  if (letter !== 0x45 && letter !== 0x65) throw notNumeric(text)
  const sign = text.charCodeAt(position + 1)
  const start = sign === minus || sign === plus ? position + 2 : position + 1
  if (start >= text.length) throw notNumeric(text)
  let exponent = 0
  let firstNonzero = text.length
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < zero || code > nine) throw notNumeric(text)
    if (code !== zero && at < firstNonzero) firstNonzero = at
    if (exponent < 1e12) exponent = exponent * 10 + (code - zero)
  }
  const digits = text.length - firstNonzero
  const greatest = sign === minus ? '9223372036854775808' : '9223372036854775807'
  if (digits > greatest.length || (digits === greatest.length && text.slice(firstNonzero) > greatest)) {
    throw notNumeric(text)
  }
  return sign === minus ? -exponent : exponent
}

/** `digits` carries neither leading nor trailing zeros; `exponent` is that of its first digit. */
function plainNotation(negative: boolean, digits: string, exponent: number): string {
  const sign = negative ? '-' : ''
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const units = exponent + 1
  if (units >= digits.length) return sign + digits + '0'.repeat(units - digits.length)
  return `${sign}${digits.slice(0, units)}.${digits.slice(units)}`
}

function addExactly(a: string, b: string, sign: 1n | -1n): string {
  const fraction = Math.max(fractionDigits(a), fractionDigits(b))
  const sum = scaled(a, fraction) + sign * scaled(b, fraction)
  if (sum === 0n) return '0'
  const negative = sum < 0n
  const text = (negative ? -sum : sum).toString()
  const exponent = text.length - 1 - fraction
  let end = text.length
  while (text.charCodeAt(end - 1) === zero) end--
  // The service calls a result of more than 38 digits an overflow as well, whatever its magnitude.
  if (exponent > limits.numberMaximumExponent || end > limits.numberDigits) throw numberOverflow()
  if (exponent < limits.numberMinimumExponent) throw numberUnderflow()
  return plainNotation(negative, text.slice(0, end), exponent)
}

/** A canonical number times 10 to the power of `fraction`. */
function scaled(text: string, fraction: number): bigint {
  const pad = '0'.repeat(fraction - fractionDigits(text))
  const at = text.indexOf('.')
  return BigInt(at < 0 ? text + pad : text.slice(0, at) + text.slice(at + 1) + pad)
}

function fractionDigits(text: string): number {
  const at = text.indexOf('.')
  return at < 0 ? 0 : text.length - at - 1
}

function unitsEndOf(text: string): number {
  const at = text.indexOf('.')
  return at < 0 ? text.length : at
}

function notNumeric(text: string): ServiceError {
  return validationException(`The parameter cannot be converted to a numeric value: ${text}`)
}

function numberOverflow(): ServiceError {
  return validationException(
    'Number overflow. Attempting to store a number with magnitude larger than supported range',
  )
}

function numberUnderflow(): ServiceError {
  return validationException(
    'Number underflow. Attempting to store a number with magnitude smaller than supported range',
  )
}
