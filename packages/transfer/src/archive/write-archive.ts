import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { entriesName, snapshotName } from './archive-names.ts'
import type { ArchivePlace } from './archive-place.ts'
import { decodeFrames, type ArchiveEnd, type ArchiveStart } from './frame.ts'

/** Writes an object of an archive, compressed. It exists completely, or not at all. */
export async function writeCompressed(
  { buckets, bucket, prefix }: ArchivePlace,
  name: string,
  frames: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const gzip = createGzip({ level: 3 })
  const compressing = pipeline(Readable.from(frames), gzip)
  try {
    await Promise.all([buckets.write(bucket, prefix + name, gzip), compressing])
  } catch (error) {
    gzip.destroy()
    throw error
  }
}

/** The contents of a snapshot's file. ON DISK, as JSON. */
export interface SnapshotFile {
  readonly format: 1
  /** The object with its entries, next to the file. */
  readonly entries: string
  readonly start: ArchiveStart
  readonly end: ArchiveEnd
}

/** Writes the frames of a snapshot, and then the file that completes it. */
export async function writeSnapshot(to: ArchivePlace, frames: AsyncIterable<Uint8Array>): Promise<SnapshotFile> {
  const [first, all] = await firstOf(frames)
  const { start } = await startOf(first)
  let last: Uint8Array = first
  async function* noticingTheLast(): AsyncGenerator<Uint8Array> {
    for await (const chunk of all) {
      last = chunk
      yield chunk
    }
  }
  const entries = entriesName(start.store, start.atMs, start.batch)
  await writeCompressed(to, entries, noticingTheLast())
  const file: SnapshotFile = { format: 1, entries, start, end: await endOf(last) }
  const name = snapshotName(start.store, file.end.atMs, file.end.batch)
  await to.buckets.write(
    to.bucket,
    to.prefix + name,
    oneChunk(Buffer.from(`${JSON.stringify(file, undefined, 2)}\n`)),
  )
  return file
}

async function firstOf(
  chunks: AsyncIterable<Uint8Array>,
): Promise<[first: Uint8Array, all: AsyncIterable<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true) throw new Error('The snapshot is empty.')
  async function* all(): AsyncGenerator<Uint8Array> {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return [first.value, all()]
}

async function startOf(chunk: Uint8Array): Promise<{ readonly start: ArchiveStart }> {
  for await (const frame of decodeFrames(oneChunk(chunk))) if (frame.kind === 'start') return frame
  throw new Error('The beginning of the snapshot is missing.')
}

async function endOf(chunk: Uint8Array): Promise<ArchiveEnd> {
  for await (const frame of decodeFrames(oneChunk(chunk))) if (frame.kind === 'end') return frame.end
  throw new Error('The snapshot was stopped before it finished.')
}

async function* oneChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve()
  yield chunk
}
