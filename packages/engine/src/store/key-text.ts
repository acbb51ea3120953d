/** A key as a string, one byte per character, for use in a Map or a Set. */
export function keyText(key: Uint8Array): string {
  const bytes = key instanceof Buffer ? key : Buffer.from(key.buffer, key.byteOffset, key.byteLength)
  return bytes.toString('latin1')
}
