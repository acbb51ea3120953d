import { BucketError, type Buckets } from '@hashrange/engine'
import type { SettingAdvice } from './setting-advice.ts'

/** The buckets of exports and imports: `s3`, the address of a server that speaks S3's API, or a folder with a folder
 *  for each bucket. With keys, exports are encrypted. Without any buckets, requests fail with advice. */
export async function openBuckets(
  place: string | undefined,
  keys: readonly Uint8Array[],
  advice: SettingAdvice,
): Promise<Buckets> {
  if (place === undefined) return noBuckets(advice.ofBuckets)
  const { FolderBuckets, openS3Buckets, SealedBuckets } = await import('@hashrange/transfer')
  const endpoint = /^https?:\/\//.test(place) ? place : undefined
  const isS3 = place === 's3' || endpoint !== undefined
  const plain = isS3 ? await openS3Buckets({ endpoint }) : new FolderBuckets(place)
  return new SealedBuckets(plain, keys, advice.ofExportKey)
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
