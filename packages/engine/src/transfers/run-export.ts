import { createHash } from 'node:crypto'
import { breathe } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import { progressWrite, readProgress } from '../work/work-progress.ts'
import { collectUndo, type UndoPlace } from '../backups/undo.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { hasCut, withCutInTurn } from '../cuts/cut-definition.ts'
import { itemsOfCut, type CutItem } from '../cuts/items-of-cut.ts'
import { countsOf } from '../catalog/counts.ts'
import type { Transacting } from '../catalog/transact-on-tables.ts'
import { storedJson, storedSizeBytes } from '../items/stored-item.ts'
import { sequenceAt } from '../store/sequence.ts'
import type { RawJson } from '../wire/raw-json.ts'
import type { Buckets } from './buckets.ts'
import { changesBetween } from './changes-between.ts'
import { compressGzip } from './compress-gzip.ts'
import type { ExportedChanges, ExportedState, ExportJob, ExportResult } from './export-job.ts'
import { changeLine, itemLines } from './export-lines.ts'
import { dataFileKey, exportFolder, once, writeManifest, type ExportedFile } from './export-manifest.ts'
import { hashSegments, segmentsFor, type HashSegment } from './hash-segment.ts'
import { TransferStopped } from './transfer-job.ts'

interface Tally {
  itemCount: number
  sizeBytes: number
}

/** What an export reads, and where it goes. */
interface ExportRun {
  readonly engine: Transacting
  readonly buckets: Buckets
  readonly job: ExportJob
  readonly cutId: number
  readonly definition: TableDefinition
  readonly lease: Lease
}

/** The progress of an export. ON DISK as JSON. */
interface ExportProgress {
  /** How much of what must be undone is known, and whether that is all of it. */
  readonly undone?: UndoPlace
  readonly isUndone?: boolean
  /** Into how many files the table is divided, and which have been written. */
  readonly segments?: number
  readonly files?: readonly ExportedFile[]
}

/** Writes the files of an export, one per part of the table. All of them are from one point in time, while requests
 *  continue. It continues where the last process or another server stopped. */
export async function runExport(
  engine: Transacting,
  buckets: Buckets,
  table: Table,
  job: ExportJob,
  lease: Lease,
): Promise<ExportResult> {
  await buckets.write(job.bucket, `${exportFolder(job)}_started`, once(new Uint8Array()))
  const cutId = requireCut(job)
  const definition = await cutTable(engine, table, job, cutId)
  const run: ExportRun = { engine, buckets, job, cutId, definition, lease }
  const begun = (await readProgress<ExportProgress>(engine.store, cutId)) ?? {}
  const undone = job.what.kind === 'full' ? await undoSince(run, job.what, begun) : begun
  const files = await writeFiles(run, undone)
  const total = (count: (file: ExportedFile) => number): number => files.reduce((sum, file) => sum + count(file), 0)
  return writeManifest(buckets, job, files, {
    itemCount: total(({ itemCount }) => itemCount),
    billedSizeBytes: total(({ sizeBytes }) => sizeBytes),
    endedAtMs: Math.max(engine.clock.now(), job.startedAtMs + 1),
  })
}

/** As long as there is a cut, neither the current items of the table nor its past are removed, even if it is deleted
 *  or recovery is turned off. */
function cutTable(engine: Transacting, table: Table, { what }: ExportJob, cutId: number): Promise<TableDefinition> {
  if (hasCut(table.definition, cutId)) return Promise.resolve(table.definition)
  return engine.catalog.change(table, (definition) => {
    if (definition.recovery === undefined) {
      throw new TransferStopped(
        'PointInTimeRecoveryUnavailable',
        `Point in time recovery is not enabled for table '${definition.tableName}'`,
      )
    }
    return withCutInTurn(definition, { id: cutId, kind: what.kind === 'full' ? 'reading' : 'log' })
  })
}

function requireCut({ cut }: ExportJob): number {
  if (cut === undefined) throw new Error('an export has a cut before it is run')
  return cut.id
}

/** A moment is given in seconds, and may be slightly before recovery was turned on: the log need not say what items
 *  were before that. */
async function undoSince(
  run: ExportRun,
  { atMs, steadyMs = atMs }: ExportedState,
  begun: ExportProgress,
): Promise<ExportProgress> {
  const { engine, cutId, definition, lease } = run
  if (begun.isUndone === true) return begun
  await collectUndo({
    store: engine.store,
    lease,
    source: definition,
    afterSteadyMs: Math.max(steadyMs, definition.recovery?.enabledAtMs ?? 0),
    undoId: cutId,
    from: begun.undone,
    note: (undone) => progressWrite(cutId, { undone }),
  })
  if (lease.aborted) throw new Error('stopping')
  return note(run, { isUndone: true })
}

async function note({ cutId, lease }: ExportRun, progress: ExportProgress): Promise<ExportProgress> {
  await lease.transact([], () => ({ writes: [progressWrite(cutId, progress)], answer: undefined }))
  return progress
}

async function writeFiles(run: ExportRun, begun: ExportProgress): Promise<readonly ExportedFile[]> {
  const { engine, definition } = run
  let progress = begun
  if (progress.segments === undefined) {
    const { bytes } = await countsOf(engine.store, definition.tableId)
    progress = await note(run, { ...progress, segments: segmentsFor(bytes) })
  }
  let { files = [] } = progress
  for (const segment of hashSegments(definition.tableId, progress.segments ?? 1).slice(files.length)) {
    const tally: Tally = { itemCount: 0, sizeBytes: 0 }
    const file = await writeDataFile(run, segment.number, linesOf(run, segment, tally), tally)
    files = [...files, file]
    await note(run, { ...progress, files })
  }
  return files
}

function linesOf(run: ExportRun, segment: HashSegment, tally: Tally): AsyncGenerator<Uint8Array> {
  const { what } = run.job
  return what.kind === 'full' ? linesOfItems(run, segment, tally) : linesOfChanges(run, what, segment, tally)
}

async function* linesOfItems(
  { engine, job, cutId, lease }: ExportRun,
  segment: HashSegment,
  tally: Tally,
): AsyncGenerator<Uint8Array> {
  for await (const { items } of itemsOfCut(engine.store, segment.items, cutId)) {
    if (lease.aborted) throw new Error('stopping')
    tally.itemCount += items.length
    for (const { value } of items) tally.sizeBytes += storedSizeBytes(value)
    if (items.length > 0) yield itemLines(job.format, items.map(jsonOf))
    await breathe()
  }
}

function jsonOf({ value }: CutItem): RawJson {
  return storedJson(value)
}

async function* linesOfChanges(
  { engine, job, definition, lease }: ExportRun,
  what: ExportedChanges,
  segment: HashSegment,
  tally: Tally,
): AsyncGenerator<Uint8Array> {
  const { fromMs, fromSteadyMs = fromMs, toMs, toSteadyMs = toMs } = what
  const between = { from: sequenceAt(fromSteadyMs), to: sequenceAt(toSteadyMs) }
  for await (const change of changesBetween(engine.store, definition, segment, between, lease)) {
    tally.itemCount++
    tally.sizeBytes += change.sizeBytes
    yield changeLine(job.format, what.viewType, change)
  }
}

async function writeDataFile(
  { buckets, job }: ExportRun,
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
  return { key, itemCount: tally.itemCount, sizeBytes: tally.sizeBytes, md5: md5.digest('base64'), etag }
}
