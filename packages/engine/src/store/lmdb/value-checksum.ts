import { crc32 } from '../crc32.ts'

// Each value in the data file is followed by a checksum that covers its key, too: a value that stands under another key is
// as wrong as another value. ON DISK: value · checksum, four bytes, little-endian.

export const checksumBytes = 4

/** ON DISK: the CRC-32 of the value, combined with the key by exclusive or. */
export function checksumOf(key: Uint8Array, value: Uint8Array): number {
  return (crc32(value) ^ hashOf(key)) >>> 0
}

/** Whether a value is followed by the checksum of this key and itself. */
export function isIntact(key: Uint8Array, stored: Uint8Array): boolean {
  return stored.length >= checksumBytes && isIntactUnder(key, differenceIn(stored))
}

/** What a value and its checksum have been read as, before its key is known: pass it to `isIntactUnder`. */
export function differenceIn(stored: Uint8Array): number {
  return (crc32(stored) ^ intactRemainder) >>> 0
}

/** In format 2, a checksum did not cover the key. Such values are as they were until they are written again. */
export function isIntactUnder(key: Uint8Array, difference: number): boolean {
  return difference === 0 || difference === afterFourBytes(hashOf(key))
}

/** The CRC-32 of any bytes followed by their own CRC-32. */
const intactRemainder = 0x2144df1c

/** A quick hash of four bytes at a time, in which every step is a permutation: a change within four bytes always changes
 *  the result. ON DISK. */
function hashOf(key: Uint8Array): number {
  let hash = 0x811c9dc5 ^ key.length
  const whole = key.length & ~3
  for (let at = 0; at < whole; at += 4) {
    hash = mixed(
      hash ^
        (byteAt(key, at) | (byteAt(key, at + 1) << 8) | (byteAt(key, at + 2) << 16) | (byteAt(key, at + 3) << 24)),
    )
  }
  let rest = 0
  for (let at = whole; at < key.length; at++) rest = (rest << 8) | byteAt(key, at)
  return mixed(hash ^ rest) >>> 0
}

function mixed(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1)
  return product ^ (product >>> 15)
}

function byteAt(key: Uint8Array, at: number): number {
  return key[at] ?? 0
}

/** A checksum that is combined with a word changes the CRC-32 of all bytes up to its end by this: CRC-32 is linear. */
function afterFourBytes(word: number): number {
  let remainder = word
  for (let byte = 0; byte < 4; byte++) remainder = (remainder >>> 8) ^ (zeroBytes[remainder & 0xff] ?? 0)
  return remainder >>> 0
}

const zeroBytes = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  return remainder >>> 0
})
