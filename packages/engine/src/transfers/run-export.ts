import { createHash } from 'node:crypto'
import { itemsAt } from '../backups/items-at.ts'
import { currentEntries, type Entry } from '../backups/stored-pages.ts'
import { collectUndo } from '../backups/undo.ts'
import { breathe } from '../background/background-work.ts'
import type { Lease } from '../background/leases.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../catalog/table-definition.ts'
import type { Engine } from '../engine.ts'
import { storedJson, storedSizeBytes } from '../items/stored-item.ts'
import { countsKey } from '../layout/key-space.ts'
import { decodeCounters } from '../store/counters.ts'
import type { OpenSnapshot } from '../store/store.ts'
import type { RawJson } from '../wire/raw-json.ts'
import type { Buckets } from './buckets.ts'
import { changesBetween } from './changes-between.ts'
import { compressGzip } from './compress-gzip.ts'
import type { ExportedChanges, ExportedState, ExportJob, ExportResult } from './export-job.ts'
import { changeLine, itemLines } from './export-lines.ts'
import { dataFileKey, exportFolder, once, writeManifest, type ExportedFile } from './export-manifest.ts'
import { hashSegments, keptOf, segmentsFor, type HashSegment } from './hash-segment.ts'

interface Tally {
  itemCount: number
  sizeBytes: number
}

/** What an export reads, and where it goes. */
interface ExportRun {
  readonly engine: Engine
  readonly buckets: Buckets
  readonly job: ExportJob
  readonly snapshot: OpenSnapshot
  readonly definition: TableDefinition
  readonly lease: Lease
}

/** Writes an export's files. All of them come from one snapshot; requests go on meanwhile. */
export async function runExport(
  engine: Engine,
  buckets: Buckets,
  table: Table,
  job: ExportJob,
  lease: Lease,
): Promise<ExportResult> {
  await buckets.write(job.bucket, `${exportFolder(job)}_started`, once(new Uint8Array()))
  const snapshot = await engine.store.openSnapshot()
  try {
    const definition = (await engine.catalog.definitionIn(snapshot, table.definition)) ?? table.definition
    return await exportSnapshot({ engine, buckets, job, snapshot, definition, lease })
  } finally {
    snapshot.close()
  }
}

async function exportSnapshot(run: ExportRun): Promise<ExportResult> {
  const { engine, buckets, job, snapshot, definition } = run
  if (job.what.kind === 'full') await undoSince(run, job.what)
  const [, tableBytes = 0] = decodeCounters(await snapshot.get(countsKey(definition.tableId)))
  const files: ExportedFile[] = []
  const total: Tally = { itemCount: 0, sizeBytes: 0 }
  for (const segment of hashSegments(definition.tableId, segmentsFor(tableBytes))) {
    const tally: Tally = { itemCount: 0, sizeBytes: 0 }
    files.push(await writeDataFile(buckets, job, segment.number, linesOf(run, segment, tally), tally))
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

/** What an earlier attempt left there is written again, since the log has only grown. A moment is given in seconds, and may
 *  lie a little before recovery was turned on: the log need not say what items were before that. */
async function undoSince({ job, snapshot, definition, lease }: ExportRun, { atMs }: ExportedState): Promise<void> {
  const afterMs = Math.max(atMs, definition.recovery?.enabledAtMs ?? 0)
  await collectUndo(lease, snapshot, definition, afterMs, undoIdOf(job))
  if (lease.aborted) throw new Error('stopping')
}

function undoIdOf({ undoId }: ExportJob): number {
  if (undoId === undefined) throw new Error('a full export has an identifier for what it undoes')
  return undoId
}

function linesOf(run: ExportRun, segment: HashSegment, tally: Tally): AsyncGenerator<Uint8Array> {
  const { what } = run.job
  return what.kind === 'full' ? linesOfItems(run, segment, tally) : linesOfChanges(run, what, segment, tally)
}

async function* linesOfItems(
  { engine, job, snapshot, lease }: ExportRun,
  segment: HashSegment,
  tally: Tally,
): AsyncGenerator<Uint8Array> {
  const undone = keptOf(segment, undoIdOf(job))
  for await (const page of itemsAt(snapshot, segment.items, currentEntries(engine.store), undone)) {
    if (lease.aborted) throw new Error('stopping')
    tally.itemCount += page.length
    for (const { value } of page) tally.sizeBytes += storedSizeBytes(value)
    if (page.length > 0) yield itemLines(job.format, page.map(jsonOf))
    await breathe()
  }
}

function jsonOf({ value }: Entry): RawJson {
  return storedJson(value)
}

async function* linesOfChanges(
  { job, snapshot, definition, lease }: ExportRun,
  what: ExportedChanges,
  segment: HashSegment,
  tally: Tally,
): AsyncGenerator<Uint8Array> {
  for await (const change of changesBetween(snapshot, definition, segment, what, lease)) {
    tally.itemCount++
    tally.sizeBytes += change.sizeBytes
    yield changeLine(job.format, what.viewType, change)
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
