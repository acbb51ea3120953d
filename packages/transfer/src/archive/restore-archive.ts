import type { KeyChange, Store, Write } from '@hashrange/engine'
import { listArchive, type ArchivedObject } from './archive-names.ts'
import type { ArchivePlace } from './archive-place.ts'
import { decodeFrames, type Frame } from './frame.ts'
import type { SnapshotFile } from './write-archive.ts'

export interface RestoreOptions {
  readonly from: ArchivePlace
  /** The point in time to restore; without it, the last in the archive. */
  readonly atMs?: number | undefined
  /** An empty store. */
  readonly to: Store
  readonly onProgress?: ((entries: number) => void) | undefined
}

export interface RestoredArchive {
  /** The time of the last batch that was applied. */
  readonly atMs: number
  readonly entries: number
  readonly batches: number
}

/** Restores a store as it was at a point in time: the last snapshot before it, and the log from there on. */
export async function restoreArchive(options: RestoreOptions): Promise<RestoredArchive> {
  const { from, atMs = Number.POSITIVE_INFINITY } = options
  const objects = await listArchive(from)
  const snapshot = latestSnapshot(objects, atMs)
  const restoring = new Restoring(options, atMs)
  const { entries, end } = await readSnapshotFile(from, snapshot)
  await restoring.bringIn(from.prefix + entries, true)
  restoring.reached(end.batch, end.atMs)
  for (const object of objects) {
    if (object.kind !== 'log' || object.store !== snapshot.store || object.batch <= restoring.batch) continue
    // A machine that stopped suddenly leaves a gap, and the next snapshot continues after it.
    if (object.afterBatch > restoring.batch) break
    if (await restoring.bringIn(object.key, false)) break
  }
  return { atMs: restoring.atMs, entries: restoring.entries, batches: restoring.batches }
}

class Restoring {
  readonly #options: RestoreOptions
  readonly #untilMs: number
  batch = 0
  atMs = 0
  entries = 0
  batches = 0

  constructor(options: RestoreOptions, untilMs: number) {
    this.#options = options
    this.#untilMs = untilMs
  }

  reached(batch: number, atMs: number): void {
    this.batch = batch
    this.atMs = atMs
  }

  /** Returns whether the point in time was reached. */
  async bringIn(key: string, isSnapshot: boolean): Promise<boolean> {
    let isWhole = false
    try {
      for await (const frame of this.#frames(key)) {
        isWhole = frame.kind === 'end'
        if (frame.kind === 'entries') await this.#write(frame.changes)
        if (frame.kind !== 'batch') continue
        if (!isSnapshot && frame.atMs > this.#untilMs) return true
        await this.#bringInBatch(frame, isSnapshot)
      }
    } catch (cause) {
      throw new Error(
        `The archive cannot be read: ${key}: ${cause instanceof Error ? cause.message : String(cause)}.`,
        { cause },
      )
    }
    if (!isWhole) throw new Error(`The archive cannot be read: ${key} was cut short.`)
    return false
  }

  async #bringInBatch(
    { number, previous, atMs, changes }: Frame & { kind: 'batch' },
    isSnapshot: boolean,
  ): Promise<void> {
    if (!isSnapshot) {
      if (number <= this.batch) return
      if (previous !== this.batch) throw new Error(`batch ${previous} is missing`)
      this.reached(number, atMs)
    }
    this.batches++
    await this.#write(changes)
  }

  #frames(key: string): AsyncGenerator<Frame> {
    const { buckets, bucket } = this.#options.from
    return decodeFrames(buckets.read(bucket, key, 'GZIP'))
  }

  async #write(changes: readonly KeyChange[]): Promise<void> {
    const writes = changes.map(({ key, value }): Write =>
      value === undefined ? { kind: 'delete', key } : { kind: 'put', key, value },
    )
    await this.#options.to.transact([], () => ({ writes, answer: undefined }))
    this.entries += changes.length
    this.#options.onProgress?.(this.entries)
  }
}

function latestSnapshot(objects: readonly ArchivedObject[], atMs: number): ArchivedObject {
  const snapshots = objects.filter(({ kind }) => kind === 'snapshot')
  const [first] = snapshots
  if (first === undefined) throw new Error('There is no snapshot in the archive.')
  const earlier = snapshots.filter((snapshot) => snapshot.atMs <= atMs)
  if (earlier.length === 0) {
    const earliest = Math.min(...snapshots.map((snapshot) => snapshot.atMs))
    throw new Error(`The archive only goes back to ${new Date(earliest).toISOString()}.`)
  }
  return earlier.reduce((latest, snapshot) => (snapshot.atMs >= latest.atMs ? snapshot : latest))
}

async function readSnapshotFile({ buckets, bucket }: ArchivePlace, { key }: ArchivedObject): Promise<SnapshotFile> {
  const chunks: Uint8Array[] = []
  for await (const chunk of buckets.read(bucket, key, 'NONE')) chunks.push(chunk)
  const file = JSON.parse(Buffer.concat(chunks).toString()) as SnapshotFile
  if (file.format !== 1)
    throw new Error(`${key} has format ${String(file.format)}, which this version does not read.`)
  return file
}
