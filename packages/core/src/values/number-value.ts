import { validationException } from '../errors.ts'
import { canonicalNumber } from './number.ts'

const greatestInt32 = 2_147_483_647

/** Reads a number the way the older half of the service's operations do, as a decimal whose scale is a 32-bit
 *  integer: a larger exponent is not a number at all, and at the very end of the range it wraps around. */
export function numberValue(text: string): string {
  const letterAt = text.search(/[eE]/)
  if (letterAt < 0) return canonicalNumber(text)
  const exponent = Number(text.slice(letterAt + 1))
  if (Math.abs(exponent) < 1_000) return canonicalNumber(text)
  const digits = text.slice(0, letterAt).replace(/^[+-]/, '')
  const pointAt = digits.indexOf('.')
  const scale = (pointAt < 0 ? 0 : digits.length - pointAt - 1) - exponent
  if (Number.isNaN(exponent) || exponent !== (exponent | 0) || scale !== (scale | 0)) {
    throw validationException(`The parameter cannot be converted to a numeric value: ${text}`)
  }
  const precision = digits.replace('.', '').replace(/^0+/, '').length
  if (precision > 0 && precision - scale > greatestInt32) {
    throw validationException(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    )
  }
  return canonicalNumber(text)
}
