import { encodeUtf8 } from '../values/utf8.ts'
import type { ByteWriter } from './byte-writer.ts'

const groupBytes = 8
const groupContinues = 0xff

/** Appends `bytes` so that encoded order is byte order and no encoding is a prefix of another.
 *
 *  Groups of eight bytes, each followed by a marker. A group that is followed by another has the marker 0xFF; the last
 *  one, zero-padded, has the number of its bytes that count: 0 for the empty value only, else 1 to 8. Of two values
 *  that agree as far as the shorter goes, the shorter has the smaller marker. Whatever the content, n bytes become
 *  9 × max(1, ceil(n / 8)): a sort key of 1,024 bytes becomes 1,152, where escaping could double it and pass the key
 *  limit of a store.
 *
 *  ON DISK: a change here needs a new format version. */
export function appendOrderedBytes(out: ByteWriter, bytes: Uint8Array): void {
  const length = bytes.length
  let at = out.claim(encodedLength(length))
  for (let position = 0; position < length; position++) {
    if (position !== 0 && position % groupBytes === 0) out.set(at++, groupContinues)
    out.set(at++, bytes[position] ?? 0)
  }
  out.set(out.length - 1, lastGroupBytes(length))
}

/** As `appendOrderedBytes` of the text's UTF-8. ON DISK. */
export function appendOrderedString(out: ByteWriter, text: string): void {
  const length = text.length
  const start = out.length
  let at = out.claim(encodedLength(length))
  for (let position = 0; position < length; position++) {
    const code = text.charCodeAt(position)
    if (code >= 0x80) {
      out.truncate(start)
      appendOrderedBytes(out, encodeUtf8(text))
      return
    }
    if (position !== 0 && position % groupBytes === 0) out.set(at++, groupContinues)
    out.set(at++, code)
  }
  out.set(out.length - 1, lastGroupBytes(length))
}

/** The smallest byte string above every one that begins with `bytes`; undefined if there is none. */
export function orderedPrefixSuccessor(bytes: Uint8Array): Uint8Array | undefined {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0xff) end--
  if (end === 0) return undefined
  const successor = Uint8Array.from(bytes.subarray(0, end))
  successor[end - 1] = (successor[end - 1] ?? 0) + 1
  return successor
}

function encodedLength(length: number): number {
  return length === 0 ? groupBytes + 1 : Math.ceil(length / groupBytes) * (groupBytes + 1)
}

function lastGroupBytes(length: number): number {
  return length === 0 ? 0 : ((length - 1) % groupBytes) + 1
}
