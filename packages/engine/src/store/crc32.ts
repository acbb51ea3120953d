import * as zlib from 'node:zlib'

/** The CRC-32 of gzip. Native where Node has it: from 20.15 and 22.2 on. */
export const crc32: (bytes: Uint8Array, before?: number) => number = nativeCrc32() ?? tableCrc32

export function tableCrc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before
  for (let index = 0; index < bytes.length; index++) {
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0)
  }
  return ~crc >>> 0
}

const table: Uint32Array = crcTable()

function crcTable(): Uint32Array {
  const remainders = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let remainder = byte
    for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
    remainders[byte] = remainder
  }
  return remainders
}

function nativeCrc32(): ((bytes: Uint8Array, before?: number) => number) | undefined {
  return (zlib as { crc32?: (bytes: Uint8Array, before?: number) => number }).crc32
}
