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
