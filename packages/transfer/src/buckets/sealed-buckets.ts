import type { BucketObject, Buckets, Compression, WrittenObject } from '@hashrange/engine'
import { decompress } from './decompress.ts'
import { openChunks, sealChunks } from './object-seal.ts'

/** Buckets whose objects are encrypted with the first of some keys, and read with any of them. Without a key, objects are written as they are,
 *  and those that are encrypted are refused with advice. */
export class SealedBuckets implements Buckets {
  readonly #inner: Buckets
  readonly #keys: readonly Uint8Array[]
  readonly #advice: string

  /** `advice` says how to provide a key. */
  constructor(inner: Buckets, keys: readonly Uint8Array[], advice: string) {
    this.#inner = inner
    this.#keys = keys
    this.#advice = advice
  }

  write(bucket: string, key: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenObject> {
    const [secret] = this.#keys
    return this.#inner.write(bucket, key, secret === undefined ? chunks : sealChunks(secret, chunks))
  }

  list(bucket: string, prefix: string): Promise<readonly BucketObject[]> {
    return this.#inner.list(bucket, prefix)
  }

  read(bucket: string, key: string, compression: Compression): AsyncIterable<Uint8Array> {
    return decompress(openChunks(this.#keys, this.#advice, key, this.#inner.read(bucket, key, 'NONE')), compression)
  }
}
