import type * as S3 from '@aws-sdk/client-s3'
import {
  BucketError,
  type BucketObject,
  type Buckets,
  type Compression,
  type WrittenObject,
} from '@hashrange/engine'
import { decompress } from './decompress.ts'

export interface S3Options {
  /** Any server that speaks S3's API; without one, AWS. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
}

/** Servers other than AWS usually have no hostname per bucket, and some do not know AWS's newer checksums. */
const elsewhere = {
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const

/** S3 accepts parts from this size on. */
const partBytes = 8_388_608

/** Opens the buckets of S3, or of a server that speaks its API. Credentials come from where the AWS SDK looks for
 *  them. Needs `@aws-sdk/client-s3`, which is loaded on demand. */
export async function openS3Buckets(options: S3Options = {}): Promise<S3Buckets> {
  const sdk = await import('@aws-sdk/client-s3').catch((cause: unknown) => {
    throw new Error('S3 buckets need the AWS SDK. Install it with: npm install @aws-sdk/client-s3', { cause })
  })
  const { endpoint, region } = options
  return new S3Buckets(
    sdk,
    new sdk.S3Client({
      region: region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
      ...(endpoint !== undefined && { endpoint, ...elsewhere }),
    }),
  )
}

export class S3Buckets implements Buckets {
  readonly #sdk: typeof S3
  readonly #client: S3.S3Client

  constructor(sdk: typeof S3, client: S3.S3Client) {
    this.#sdk = sdk
    this.#client = client
  }

  /** In one request if it is small, otherwise in parts, so that no object is held in memory as a whole. */
  async write(bucket: string, key: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenObject> {
    const target = { Bucket: bucket, Key: key }
    return this.#explained(bucket, async () => {
      const parts = partsOf(chunks)
      const first = await parts.next()
      const firstBytes = first.done === true ? new Uint8Array() : first.value
      if (firstBytes.length < partBytes) {
        const { ETag } = await this.#client.send(new this.#sdk.PutObjectCommand({ ...target, Body: firstBytes }))
        return { etag: unquoted(ETag) }
      }
      return this.#writeParts(target, firstBytes, parts)
    })
  }

  async list(bucket: string, prefix: string): Promise<readonly BucketObject[]> {
    return this.#explained(bucket, async () => {
      const objects: BucketObject[] = []
      let ContinuationToken: string | undefined
      do {
        const page: S3.ListObjectsV2CommandOutput = await this.#client.send(
          new this.#sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken }),
        )
        for (const { Key, Size } of page.Contents ?? []) {
          if (Key !== undefined) objects.push({ key: Key, sizeBytes: Size ?? 0 })
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
      return objects
    })
  }

  async *read(bucket: string, key: string, compression: Compression): AsyncGenerator<Uint8Array> {
    const Body = await this.#explained(bucket, async () => {
      const answer = await this.#client.send(new this.#sdk.GetObjectCommand({ Bucket: bucket, Key: key }))
      return answer.Body
    })
    if (Body === undefined) return
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- within Node.js it is one.
    yield* decompress(Body as unknown as AsyncIterable<Uint8Array>, compression)
  }

  close(): void {
    this.#client.destroy()
  }

  async #writeParts(
    target: { Bucket: string; Key: string },
    first: Uint8Array,
    rest: AsyncGenerator<Uint8Array>,
  ): Promise<WrittenObject> {
    const sdk = this.#sdk
    const { UploadId } = await this.#client.send(new sdk.CreateMultipartUploadCommand(target))
    const Parts: S3.CompletedPart[] = []
    const upload = async (Body: Uint8Array): Promise<void> => {
      const PartNumber = Parts.length + 1
      const { ETag } = await this.#client.send(new sdk.UploadPartCommand({ ...target, UploadId, PartNumber, Body }))
      Parts.push({ ETag, PartNumber })
    }
    try {
      await upload(first)
      for await (const part of rest) await upload(part)
      const { ETag } = await this.#client.send(
        new sdk.CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }),
      )
      return { etag: unquoted(ETag) }
    } catch (error) {
      await this.#client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined)
      throw error
    }
  }

  async #explained<T>(bucket: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof this.#sdk.S3ServiceException)) throw error
      switch (error.name) {
        case 'NoSuchBucket':
          throw new BucketError('NoSuchBucket', `The specified bucket does not exist: ${bucket}`, error)
        case 'NoSuchKey':
          throw new BucketError('NoSuchKey', error.message, error)
        case 'AccessDenied':
        case 'InvalidAccessKeyId':
        case 'SignatureDoesNotMatch':
          throw new BucketError('AccessDenied', `Access to the bucket ${bucket} is denied: ${error.message}`, error)
        default:
          throw new BucketError('Unavailable', `The bucket ${bucket} cannot be used: ${error.message}`, error)
      }
    }
  }
}

/** Collects chunks into parts of at least the size that S3 requires; only the last may be smaller. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  for await (const chunk of chunks) {
    gathered.push(chunk)
    gatheredBytes += chunk.length
    if (gatheredBytes < partBytes) continue
    yield Buffer.concat(gathered)
    gathered = []
    gatheredBytes = 0
  }
  if (gatheredBytes > 0) yield Buffer.concat(gathered)
}

function unquoted(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '')
}
