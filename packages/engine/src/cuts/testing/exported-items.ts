import { gunzipSync } from 'node:zlib'
import type { Plain } from '../../backups/testing/owned-engine.ts'
import type { MemoryBuckets } from '../../transfers/testing/memory-buckets.ts'

/** The items in the files of a full export, in the bucket called bucket. */
export function exportedItems(buckets: MemoryBuckets, exportArn: unknown): readonly Plain[] {
  const folder = `AWSDynamoDB/${String(exportArn).split('/').at(-1)}/data/`
  return buckets
    .keys('bucket')
    .filter((key) => key.startsWith(folder))
    .flatMap((key) => gunzipSync(buckets.get('bucket', key)).toString().trimEnd().split('\n'))
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { Item: Plain }).Item)
}
