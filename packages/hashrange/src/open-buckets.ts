import type { Buckets } from '@hashrange/engine'

/** The buckets of exports and imports: `s3`, the address of a server that speaks S3's API, or a folder with a folder for
 *  each bucket. */
export async function openBuckets(place: string | undefined): Promise<Buckets | undefined> {
  if (place === undefined) return undefined
  const { FolderBuckets, openS3Buckets } = await import('@hashrange/transfer')
  if (place === 's3') return openS3Buckets()
  if (/^https?:\/\//.test(place)) return openS3Buckets({ endpoint: place })
  return new FolderBuckets(place)
}
