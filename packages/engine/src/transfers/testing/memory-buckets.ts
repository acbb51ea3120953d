import { gunzipSync } from 'node:zlib'
import { BucketError, type BucketObject, type Buckets, type Compression, type WrittenObject } from '../buckets.ts'

/** Buckets that are gone with the test. */
export class MemoryBuckets implements Buckets {
  readonly #buckets = new Map<string, Map<string, Buffer>>()

  make(bucket: string): void {
    this.#buckets.set(bucket, new Map())
  }

  put(bucket: string, key: string, content: string | Uint8Array): void {
    this.#require(bucket).set(key, Buffer.from(content))
  }

  get(bucket: string, key: string): Buffer {
    const content = this.#require(bucket).get(key)
    if (content === undefined) throw new BucketError('NoSuchKey', `There is no object ${key}.`)
    return content
  }

  keys(bucket: string): readonly string[] {
    return [...this.#require(bucket).keys()].toSorted()
  }

  async write(bucket: string, key: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenObject> {
    const objects = this.#require(bucket)
    const parts: Uint8Array[] = []
    for await (const chunk of chunks) parts.push(chunk)
    objects.set(key, Buffer.concat(parts))
    return { etag: 'etag' }
  }

  async list(bucket: string, prefix: string): Promise<readonly BucketObject[]> {
    const objects = this.#require(bucket)
    const keys = this.keys(bucket).filter((key) => key.startsWith(prefix))
    return keys.map((key) => ({ key, sizeBytes: objects.get(key)?.length ?? 0 }))
  }

  /** In small pieces, so that every seam is tried. */
  async *read(bucket: string, key: string, compression: Compression): AsyncGenerator<Uint8Array> {
    if (compression === 'ZSTD') throw new Error('these buckets cannot read ZSTD')
    const stored = this.get(bucket, key)
    const content = compression === 'GZIP' && stored.length > 0 ? gunzipSync(stored) : stored
    for (let start = 0; start < content.length; start += 61) yield content.subarray(start, start + 61)
  }

  #require(bucket: string): Map<string, Buffer> {
    const objects = this.#buckets.get(bucket)
    if (objects === undefined) throw new BucketError('NoSuchBucket', 'The specified bucket does not exist')
    return objects
  }
}
