import type { ArchivePlace } from './archive-place.ts'

/** What the name of an object in an archive means. ON DISK: `STORE/snapshot-TIME-BATCH.json` and
 *  `STORE/log-TIME-AFTER-BATCH.gz`, times in milliseconds, numbers with leading zeros. The file of a snapshot names
 *  the object that contains its entries, and is written after it. */
export interface ArchivedObject {
  readonly kind: 'snapshot' | 'log'
  readonly key: string
  readonly store: string
  /** The time of the last batch that it contains. */
  readonly atMs: number
  readonly batch: number
  /** Of a log, the batch before its first. */
  readonly afterBatch: number
}

export function snapshotName(store: string, atMs: number, batch: number): string {
  return `${store}/snapshot-${digits(atMs)}-${digits(batch)}.json`
}

export function entriesName(store: string, atMs: number, batch: number): string {
  return `${store}/entries-${digits(atMs)}-${digits(batch)}.gz`
}

export function logName(store: string, atMs: number, afterBatch: number, batch: number): string {
  return `${store}/log-${digits(atMs)}-${digits(afterBatch)}-${digits(batch)}.gz`
}

/** In the order of their batches, store by store. */
export async function listArchive({ buckets, bucket, prefix }: ArchivePlace): Promise<readonly ArchivedObject[]> {
  const objects = await buckets.list(bucket, prefix)
  return objects
    .flatMap(({ key }) => readName(key, key.slice(prefix.length)) ?? [])
    .toSorted((a, b) => (a.store === b.store ? a.batch - b.batch : a.store < b.store ? -1 : 1))
}

/** The last batch that the archive of a store reaches without a gap, from its latest snapshot on. */
export function lastArchivedBatch(objects: readonly ArchivedObject[], store: string): number | undefined {
  const own = objects.filter((object) => object.store === store)
  let batch = own.findLast(({ kind }) => kind === 'snapshot')?.batch
  for (const object of own) {
    if (batch !== undefined && object.kind === 'log' && object.afterBatch <= batch)
      batch = Math.max(batch, object.batch)
  }
  return batch
}

const namePattern = /^([^/]+)\/(snapshot|log)-(\d{16})-(\d{16})(?:-(\d{16}))?\.(?:json|gz)$/

function readName(key: string, name: string): ArchivedObject | undefined {
  const [, store, kind, time, first, second] = namePattern.exec(name) ?? []
  if (store === undefined || (kind !== 'snapshot' && kind !== 'log')) return undefined
  return { kind, key, store, atMs: Number(time), afterBatch: Number(first), batch: Number(second ?? first) }
}

function digits(number: number): string {
  return String(Math.max(0, Math.trunc(number))).padStart(16, '0')
}
