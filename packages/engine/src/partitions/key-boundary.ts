import { leadingHash } from '../layout/hash-of-key.ts'
import { keyHeaderBytes } from '../layout/item-keys.ts'
import type { Key } from '../store/store.ts'

/** Where one range of keys ends and the next begins: a prefix of keys in the store, without space and identifier.
 *  Four bytes of the partition key's hash are enough, unless the items of one partition key are split. */
export class KeyBoundary {
  readonly bytes: Uint8Array
  readonly hash: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.hash = leadingHash(bytes)
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

  /** Whether a key with the given hash is before the boundary. */
  isAfter(hash: number, key: Key): boolean {
    if (hash !== this.hash) return hash < this.hash
    return this.bytes.length > 4 && Buffer.compare(key.subarray(keyHeaderBytes), this.bytes) < 0
  }
}
