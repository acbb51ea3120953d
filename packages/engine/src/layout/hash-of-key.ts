import type { Key } from '../store/store.ts'
import { keyHeaderBytes } from './item-keys.ts'

/** The first four bytes of a partition key's hash, from a key in the store; zero at the very beginning. */
export function hashOfKey(key: Key): number {
  return leadingHash(key, keyHeaderBytes)
}

/** The same from bytes in which the hash begins at `at`. */
export function leadingHash(bytes: Uint8Array, at = 0): number {
  return (
    (((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)) >>>
    0
  )
}
