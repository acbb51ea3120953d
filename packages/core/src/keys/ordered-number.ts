import type { ByteWriter } from './byte-writer.ts'

const zero = 0x30
const minus = 0x2d
const point = 0x2e

/** Added to the exponent of the first pair of digits, -65 to 62, to give the header of a positive number. */
const headerBias = 0x80 + 65

/** Appends a canonical number so that encoded order is numeric order and no encoding is a prefix of another.
 *
 *  A positive number is written in base 100, its digits paired on either side of the point. The header, 0x80 to 0xFF,
 *  is the exponent of the first pair; then each pair is twice its value, plus one if another pair follows, so that a
 *  number is smaller than one that goes on after the same pairs. A negative number is the complement of its magnitude.
 *  Zero is 0x80 0x00: the smallest header with a pair that no positive number begins with. Two bytes hold the integers
 *  up to 99 and their hundreds, three those up to 9,999; 38 digits take at most 21.
 *
 *  ON DISK: a change here needs a new format version. */
export function appendOrderedNumber(out: ByteWriter, canonical: string): void {
  if (canonical === '0') {
    out.push(0x80)
    out.push(0x00)
    return
  }
  const start = out.length
  const negative = canonical.charCodeAt(0) === minus
  appendMagnitude(out, canonical, negative ? 1 : 0)
  if (negative) out.complement(start)
}

function appendMagnitude(out: ByteWriter, canonical: string, start: number): void {
  const pointAt = canonical.indexOf('.', start)
  const unitsEnd = pointAt < 0 ? canonical.length : pointAt
  let first = start
  while (isZeroOrPoint(canonical.charCodeAt(first))) first++
  let end = canonical.length
  while (isZeroOrPoint(canonical.charCodeAt(end - 1))) end--
  const exponent = (first < unitsEnd ? unitsEnd - 1 : unitsEnd) - first
  out.push((exponent >> 1) + headerBias)

  // A digit at an even exponent is the second of its pair.
  let second = (exponent & 1) === 0
  let pair = 0
  for (let position = first; position < end; position++) {
    if (position === pointAt) continue
    const digit = canonical.charCodeAt(position) - zero
    if (second) {
      pair += digit
      out.push(position === end - 1 ? 2 * pair : 2 * pair + 1)
      second = false
    } else {
      pair = 10 * digit
      if (position === end - 1) out.push(2 * pair)
      second = true
    }
  }
}

function isZeroOrPoint(code: number): boolean {
  return code === zero || code === point
}
