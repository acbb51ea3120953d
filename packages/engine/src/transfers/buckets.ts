/** Where exports go and imports come from. The engine knows neither files nor S3: whoever opens it says what a bucket
 *  is. */
export interface Buckets {
  /** Writes an object, and replaces an existing one. Throws a BucketError if the bucket does not exist. */
  write(bucket: string, key: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenObject>
  /** The objects whose keys start with `prefix`, in key order. */
  list(bucket: string, prefix: string): Promise<readonly BucketObject[]>
  /** The contents of an object, decompressed. Damaged contents are thrown as anything but a BucketError. */
  read(bucket: string, key: string, compression: Compression): AsyncIterable<Uint8Array>
}

export type Compression = 'GZIP' | 'ZSTD' | 'NONE'

export interface BucketObject {
  readonly key: string
  readonly sizeBytes: number
}

export interface WrittenObject {
  readonly etag: string
}

export type BucketErrorCode = 'NoSuchBucket' | 'NoSuchKey' | 'AccessDenied' | 'Unavailable'

/** A bucket could not be read or written. The message says what to do. */
export class BucketError extends Error {
  readonly code: BucketErrorCode

  constructor(code: BucketErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'BucketError'
    this.code = code
  }
}
