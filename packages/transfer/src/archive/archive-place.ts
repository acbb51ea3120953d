import { mkdir } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Buckets } from '@hashrange/engine'
import { FolderBuckets } from '../buckets/folder-buckets.ts'
import { openS3Buckets } from '../buckets/s3-buckets.ts'

/** Where an archive is: in a bucket, under a prefix. */
export interface ArchivePlace {
  readonly buckets: Buckets
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
}

/** A folder, which is created if it does not exist, or `s3://bucket/prefix`. AWS_ENDPOINT_URL_S3 names a server other
 *  than AWS. */
export async function openArchivePlace(text: string): Promise<ArchivePlace> {
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(text) ?? []
  if (bucket !== undefined) {
    const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL']
    return {
      buckets: await openS3Buckets({ endpoint }),
      bucket,
      prefix: path === '' || path.endsWith('/') ? path : `${path}/`,
    }
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    throw new Error(`An archive must be a folder or s3://bucket/prefix, not ${text.split('://', 1)[0]}://…`)
  const folder = resolve(text)
  await mkdir(folder, { recursive: true })
  return { buckets: new FolderBuckets(dirname(folder)), bucket: basename(folder), prefix: '' }
}
