/** Where exports go and imports come from. The engine knows neither files nor S3: who opens it says what a bucket is. */
export interface Buckets {
  /** Writes an object, in place of one that is there. Refuses a bucket that does not exist with a BucketError. */
  write(bucket: string, key: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenObject>
  /** The objects whose keys begin with `prefix`, in the order of their keys. */
  list(bucket: string, prefix: string): Promise<readonly BucketObject[]>
  /** An object's content, decompressed. What is damaged is thrown as anything but a BucketError. */
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
