import { createHash } from 'node:crypto'
import type { Stopping } from '../background/background-work.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../catalog/table-definition.ts'
import type { Engine } from '../engine.ts'
import { countsKey } from '../layout/key-space.ts'
import { decodeCounters } from '../store/counters.ts'
import type { OpenSnapshot, Snapshot } from '../store/store.ts'
import type { Buckets } from './buckets.ts'
import { changesBetween } from './changes-between.ts'
import { compressGzip } from './compress-gzip.ts'
import type { ExportJob, ExportResult } from './export-job.ts'
import { changeLine, itemLines } from './export-lines.ts'
import { dataFileKey, exportFolder, once, writeManifest, type ExportedFile } from './export-manifest.ts'
import { hashSegments, segmentsFor, type HashSegment } from './hash-segment.ts'
import { itemsAt } from './items-at.ts'

interface Tally {
  itemCount: number
  sizeBytes: number
}

/** Writes an export's files. All of them come from one snapshot; requests go on meanwhile. */
export async function runExport(
  engine: Engine,
  buckets: Buckets,
  table: Table,
  job: ExportJob,
  stopping: Stopping,
): Promise<ExportResult> {
  await buckets.write(job.bucket, `${exportFolder(job)}_started`, once(new Uint8Array()))
  const snapshot = await engine.store.openSnapshot()
  try {
    return await exportSnapshot(engine, buckets, snapshot, table, job, stopping)
  } finally {
    snapshot.close()
  }
}

async function exportSnapshot(
  engine: Engine,
  buckets: Buckets,
  snapshot: OpenSnapshot,
  table: Table,
  job: ExportJob,
  stopping: Stopping,
): Promise<ExportResult> {
  const definition = (await engine.catalog.definitionIn(snapshot, table.definition)) ?? table.definition
  const [, tableBytes = 0] = decodeCounters(await snapshot.get(countsKey(table.id)))
  const files: ExportedFile[] = []
  const total: Tally = { itemCount: 0, sizeBytes: 0 }
  for (const segment of hashSegments(table.id, segmentsFor(tableBytes))) {
    const tally: Tally = { itemCount: 0, sizeBytes: 0 }
    const lines = linesOf(snapshot, definition, segment, job, tally, stopping)
    files.push(await writeDataFile(buckets, job, segment.number, lines, tally))
    total.itemCount += tally.itemCount
    total.sizeBytes += tally.sizeBytes
  }
  const endedAtMs = Math.max(engine.clock.now(), job.startedAtMs + 1)
  return writeManifest(buckets, job, files, {
    itemCount: total.itemCount,
    billedSizeBytes: total.sizeBytes,
    endedAtMs,
  })
}

async function* linesOf(
  snapshot: Snapshot,
  definition: TableDefinition,
  segment: HashSegment,
  job: ExportJob,
  tally: Tally,
  stopping: Stopping,
): AsyncGenerator<Uint8Array> {
  const { what, format } = job
  if (what.kind === 'full') {
    for await (const { items, sizeBytes } of itemsAt(snapshot, definition, segment, what.atMs, stopping)) {
      tally.itemCount += items.length
      tally.sizeBytes += sizeBytes
      if (items.length > 0) yield itemLines(format, items)
    }
    return
  }
  for await (const change of changesBetween(snapshot, definition, segment, what, stopping)) {
    tally.itemCount++
    tally.sizeBytes += change.sizeBytes
    yield changeLine(format, what.viewType, change)
  }
}

async function writeDataFile(
  buckets: Buckets,
  job: ExportJob,
  part: number,
  lines: AsyncIterable<Uint8Array>,
  tally: Tally,
): Promise<ExportedFile> {
  const key = dataFileKey(job, part)
  const md5 = createHash('md5')
  const compressed = compressGzip(lines)
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of compressed) {
      md5.update(chunk)
      yield chunk
    }
  }
  const { etag } = await buckets.write(job.bucket, key, hashed())
  return { key, itemCount: tally.itemCount, md5: md5.digest(), etag }
}
