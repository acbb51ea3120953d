import { orderedPrefixSuccessor } from '@hashrange/core'

/** The first key after all keys that start with `prefix`. Our keys start with a small byte, so it exists. */
export function above(prefix: Uint8Array): Uint8Array {
  const successor = orderedPrefixSuccessor(prefix)
  if (successor === undefined) throw new Error('a key of 0xFF bytes only')
  return successor
}

/** The smallest key above `key`. */
export function following(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1)
  next.set(key)
  return next
}

/** A key as a string, one byte per character, for use in a Map or a Set. */
export function keyText(key: Uint8Array): string {
  const bytes = key instanceof Buffer ? key : Buffer.from(key.buffer, key.byteOffset, key.byteLength)
  return bytes.toString('latin1')
}
