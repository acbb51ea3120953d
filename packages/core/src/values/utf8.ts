const encoder = new TextEncoder()

/** The bytes of `text` in UTF-8. A surrogate without its partner becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** `text` as UTF-8 can hold it, which is how it is stored and compared: a surrogate without its partner becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed()
}

/** The length of `text` in UTF-8, without encoding it. */
export function utf8Length(text: string): number {
  const length = text.length
  let position = 0
  while (position < length && text.charCodeAt(position) < 0x80) position++
  let bytes = position
  for (; position < length; position++) {
    const code = text.charCodeAt(position)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(position + 1))) {
      bytes += 4
      position++
    } else bytes += 3
  }
  return bytes
}

/** Orders two strings by their UTF-8 bytes, as the service does. UTF-16, the order of `<`, differs: it puts surrogate
 *  pairs (U+10000 and above) before U+E000–U+FFFF. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let position = 0; position < length; position++) {
    const aCode = a.charCodeAt(position)
    const bCode = b.charCodeAt(position)
    if (aCode === bCode) continue
    if (!isSurrogate(aCode) && !isSurrogate(bCode)) return aCode - bCode
    // A difference in the second half of a pair is one of the whole pair.
    const start = position > 0 && isHighSurrogate(a.charCodeAt(position - 1)) ? position - 1 : position
    return compareBytes(encodeUtf8(a.slice(start)), encodeUtf8(b.slice(start)))
  }
  return a.length - b.length
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let position = 0; position < length; position++) {
    const difference = (a[position] ?? 0) - (b[position] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function isSurrogate(code: number): boolean {
  return (code & 0xf800) === 0xd800
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}
