import { keyHeaderBytes } from '../layout/item-keys.ts'
import type { Key } from '../store/store.ts'

/** Where one range of keys ends and the next begins: a prefix of keys in the store, without space and identifier. Four
 *  bytes of the partition key's hash are enough, unless the items of one partition key are divided. */
export class KeyBoundary {
  readonly bytes: Uint8Array
  readonly hash: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.hash = hashOfBytes(bytes, 0)
  }

  static ofHash(hash: number): KeyBoundary {
    return new KeyBoundary(Uint8Array.of(hash >>> 24, (hash >>> 16) & 0xff, (hash >>> 8) & 0xff, hash & 0xff))
  }

  static fromHex(hex: string): KeyBoundary {
    return new KeyBoundary(Uint8Array.from(Buffer.from(hex, 'hex')))
  }

  get hex(): string {
    return Buffer.from(this.bytes).toString('hex')
  }

  /** Whether a key, whose hash is given, lies before the boundary. */
  isAfter(hash: number, key: Key): boolean {
    if (hash !== this.hash) return hash < this.hash
    return this.bytes.length > 4 && Buffer.compare(key.subarray(keyHeaderBytes), this.bytes) < 0
  }
}

/** The first four bytes of a partition key's hash, from a key in the store; zero at the very beginning. */
export function hashOfKey(key: Key): number {
  return hashOfBytes(key, keyHeaderBytes)
}

function hashOfBytes(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)) >>>
    0
  )
}
