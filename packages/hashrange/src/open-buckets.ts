import { BucketError, type Buckets } from '@hashrange/engine'

/** The buckets of exports and imports: `s3`, the address of a server that speaks S3's API, or a folder with a folder
 *  for each bucket. Without any, requests fail with advice. */
export async function openBuckets(place: string | undefined, advice: string): Promise<Buckets> {
  if (place === undefined) return noBuckets(advice)
  const { FolderBuckets, openS3Buckets } = await import('@hashrange/transfer')
  if (place === 's3') return openS3Buckets()
  if (/^https?:\/\//.test(place)) return openS3Buckets({ endpoint: place })
  return new FolderBuckets(place)
}

function noBuckets(advice: string): Buckets {
  const refuse = (): never => {
    throw new BucketError(
      'NoSuchBucket',
      `The specified bucket does not exist: this database was opened without buckets. ${advice}`,
    )
  }
  return { write: refuse, list: refuse, read: refuse }
}
