const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const pad = 0x3d
const padText = '='

/** The six bits a character stands for, or 0xFF. */
const sextets = new Uint8Array(128).fill(0xff)
for (let value = 0; value < 64; value++) sextets[alphabet.charCodeAt(value)] = value

/** Below this length crossing into native code costs more than the loop. */
const nativeLength = 128

type NativeBase64 = {
  from(text: string, encoding: 'base64'): Uint8Array & { toString(encoding: 'latin1'): string }
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string }
}
/** A browser has no Buffer. */
const native = (globalThis as { Buffer?: NativeBase64 }).Buffer

/** What is wrong with `text` as the canonical base64 form of some bytes, as the service words it; undefined if
 *  nothing is. */
export function base64Defect(text: string): string | undefined {
  const length = text.length
  if (length % 4 !== 0) return `Base64 encoded length is expected a multiple of 4 bytes but found: ${length}`
  if (length === 0) return undefined
  const end = length - paddingOf(text)
  const unusedBits = end === length ? 0 : end === length - 1 ? 0b11 : 0b1111
  if ((sextetAt(text, end - 1) & unusedBits) !== 0) return 'Invalid last non-pad Base64 character dectected'
  for (let position = 0; position < end; position++) {
    if (sextetAt(text, position) === 0xff) return `Invalid Base64 character: '${text.charAt(position)}'`
  }
  return undefined
}

/** The number of bytes that valid base64 stands for. */
export function base64ByteLength(text: string): number {
  return (text.length / 4) * 3 - paddingOf(text)
}

/** Decodes valid base64. */
export function decodeBase64(text: string): Uint8Array {
  if (native !== undefined && text.length >= nativeLength) {
    const buffer = native.from(text, 'base64')
    return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  }
  const bytes = new Uint8Array(base64ByteLength(text))
  let at = 0
  for (let position = 0; position < text.length; position += 4) {
    // Padding decodes to bits that fall beyond the end of the array, where writes are ignored.
    const group =
      (sextetAt(text, position) << 18) |
      (sextetAt(text, position + 1) << 12) |
      ((sextetAt(text, position + 2) & 0x3f) << 6) |
      (sextetAt(text, position + 3) & 0x3f)
    bytes[at++] = group >> 16
    bytes[at++] = group >> 8
    bytes[at++] = group
  }
  return bytes
}

/** The bytes that valid base64 stands for, as a text of one character each. */
export function base64Characters(text: string): string {
  if (native !== undefined) return native.from(text, 'base64').toString('latin1')
  let characters = ''
  for (const byte of decodeBase64(text)) characters += String.fromCharCode(byte)
  return characters
}

export function encodeBase64(bytes: Uint8Array): string {
  if (native !== undefined && bytes.length >= nativeLength) {
    return native.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  }
  let text = ''
  for (let position = 0; position < bytes.length; position += 3) {
    const second = bytes[position + 1]
    const third = bytes[position + 2]
    const group = ((bytes[position] ?? 0) << 16) | ((second ?? 0) << 8) | (third ?? 0)
    text += alphabet.charAt(group >> 18)
    text += alphabet.charAt((group >> 12) & 0x3f)
    text += second === undefined ? padText : alphabet.charAt((group >> 6) & 0x3f)
    text += third === undefined ? padText : alphabet.charAt(group & 0x3f)
  }
  return text
}

/** Orders two valid base64 texts by the bytes they stand for, without decoding: sextets are compared as bits, and the
 *  end of the bytes (padding, or the end of the text) comes before any. */
export function compareBase64(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let position = 0; position < length; position++) {
    if (a.charCodeAt(position) !== b.charCodeAt(position)) return rankAt(a, position) - rankAt(b, position)
  }
  return a.length - b.length
}

function rankAt(text: string, position: number): number {
  return text.charCodeAt(position) === pad ? -1 : sextetAt(text, position)
}

function sextetAt(text: string, position: number): number {
  return sextets[text.charCodeAt(position)] ?? 0xff
}

function paddingOf(text: string): 0 | 1 | 2 {
  const length = text.length
  if (length === 0 || text.charCodeAt(length - 1) !== pad) return 0
  return text.charCodeAt(length - 2) === pad ? 2 : 1
}
