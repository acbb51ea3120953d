import { malformed } from './malformed.ts'

/** DAX's form of numeric sort keys, whose byte order is the order of the numbers: an exponent, then groups of three digits in ten
 *  bits each, then a mark that says how many digits of the last group count. Negative numbers have everything reversed. */

const zeroByte = 0x80
const positiveShift = 12
const negativeShift = 999 + 12

/** `text` is in DynamoDB's canonical form. */
export function encodeLexicalDecimal(text: string): Buffer {
  if (text === '0') return Buffer.of(zeroByte)
  const isNegative = text.startsWith('-')
  const { digits, exponent } = significantDigits(isNegative ? text.slice(1) : text)
  const padded = digits.padEnd(Math.ceil(digits.length / 3) * 3, '0')
  const groups: number[] = []
  for (let at = 0; at < padded.length; at += 3) {
    const group = Number(padded.slice(at, at + 3))
    groups.push(isNegative ? negativeShift - group : group + positiveShift)
  }
  const mark = (digits.length + 2) % 3
  groups.push(isNegative ? 1023 - mark : mark)
  return Buffer.concat([exponentBytes(exponent, isNegative), tenBitsEach(groups)])
}

/** The number is `0.digits` times ten to the `exponent`. */
function significantDigits(text: string): { readonly digits: string; readonly exponent: number } {
  const point = text.indexOf('.')
  const whole = point < 0 ? text : text.slice(0, point)
  const all = point < 0 ? text : whole + text.slice(point + 1)
  const digits = all.replace(/^0+/, '')
  return { digits: digits.replace(/0+$/, ''), exponent: whole.length - (all.length - digits.length) }
}

function exponentBytes(exponent: number, isNegative: boolean): Buffer {
  if (exponent >= -0x3e && exponent < 0x3e) return Buffer.of(isNegative ? 0x3f - exponent : exponent + 0xc0)
  const bytes = Buffer.alloc(5)
  if (isNegative) bytes[0] = exponent < 0 ? 0x7e : 0x01
  else bytes[0] = exponent < 0 ? 0x81 : 0xfe
  bytes.writeInt32BE(exponent ^ (isNegative ? 0x7fffffff : 0x80000000 | 0), 1)
  return bytes
}

function tenBitsEach(groups: readonly number[]): Buffer {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const group of groups) {
    held = (held << 10) | group
    bits += 10
    while (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 0xff)
      held &= (1 << bits) - 1
    }
  }
  if (bits > 0) bytes.push((held << (8 - bits)) & 0xff)
  return Buffer.from(bytes)
}

/** Returns the number in a form that DynamoDB reads. */
export function decodeLexicalDecimal(bytes: Buffer): string {
  const header = bytes[0] ?? 0
  if (header === 0x7f || header === zeroByte) return '0'
  if (header === 0 || header === 0xff) throw malformed('a number of a key is missing')
  const isNegative = header < zeroByte
  const isLong = [0x01, 0x7e, 0x81, 0xfe].includes(header)
  if (isLong && bytes.length < 5) throw malformed('it ends too early')
  const short = isNegative ? 0x3f - header : header - 0xc0
  const exponent = isLong ? bytes.readInt32BE(1) ^ (isNegative ? 0x7fffffff : 0x80000000 | 0) : short
  return `${isNegative ? '-' : ''}0.${decodeDigits(bytes.subarray(isLong ? 5 : 1), isNegative)}e${exponent}`
}

function decodeDigits(bytes: Buffer, isNegative: boolean): string {
  let digits = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    if (bits < 10) continue
    bits -= 10
    const group = (held >> bits) & 0x3ff
    held &= (1 << bits) - 1
    const mark = isNegative ? 1023 - group : group
    if (mark <= 2) return digits.slice(0, digits.length - 2 + mark)
    const value = isNegative ? negativeShift - group : group - positiveShift
    if (value < 0 || value > 999 || digits.length > 60) break
    digits += String(value).padStart(3, '0')
  }
  throw malformed('a number of a key does not end')
}
