import { createHash, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { readItem } from '@hashrange/core'
import { type Buckets } from '@hashrange/engine'
import { ionItemLine } from '@hashrange/engine/formats'
import type { Progress } from './progress.ts'
import { StateFile } from './state-file.ts'
import type { DatabasePort, WireItem } from './tables/database-port.ts'
import { itemCountOf, readBlueprint } from './tables/ensure-table.ts'
import { scanSegments, segmentStart, type SegmentPosition } from './tables/scan-segments.ts'

export type ExportFormat = 'DYNAMODB_JSON' | 'ION'

export interface ExportOptions {
  readonly from: DatabasePort
  readonly tableName: string
  readonly buckets: Buckets
  readonly bucket: string
  /** Where in the bucket; empty or ending with a slash. */
  readonly prefix: string
  readonly format: ExportFormat
  readonly segments?: number | undefined
  readonly statePath: string
  readonly progress: Progress
  readonly signal: AbortSignal
}

export interface ExportOutcome {
  readonly isComplete: boolean
  readonly folder: string
  readonly items: number
}

interface ExportedFile {
  readonly itemCount: number
  readonly md5Checksum: string
  readonly etag: string
  readonly dataFileS3Key: string
}

interface ExportState {
  readonly from: string
  readonly tableName: string
  readonly format: ExportFormat
  readonly bucket: string
  readonly prefix: string
  readonly id: string
  readonly startTime: string
  readonly positions: readonly SegmentPosition[]
  readonly files: readonly ExportedFile[]
}

/** What a segment has collected and not yet written. */
interface Part {
  lines: string[]
  bytes: number
  after: SegmentPosition
}

const partBytes = 33_554_432

/** Exports a table by scanning it, in the layout of the service's own exports: `ImportTable`, here and on AWS, can
 *  read it. Unlike the service's, it is not from one point in time: what is written meanwhile may or may not be
 *  included. */
export async function exportTable(options: ExportOptions): Promise<ExportOutcome> {
  const { from, tableName, buckets, bucket, prefix, format } = options
  const { file } = await StateFile.open<ExportState>(options.statePath, freshState(options), (found) => {
    const same: readonly (keyof ExportState)[] = ['tableName', 'format', 'bucket', 'prefix']
    return found.from === from.name && same.every((name) => found[name] === freshState(options)[name])
  })
  const folder = `${prefix}AWSDynamoDB/${file.state.id}/`
  const blueprint = await readBlueprint(from, tableName)
  await put(buckets, bucket, `${folder}_started`, '')
  await scanAll(options, file, folder)
  await file.save()
  const items = file.state.files.reduce((sum, { itemCount }) => sum + itemCount, 0)
  if (!file.state.positions.every(({ done }) => done)) return { isComplete: false, folder, items }

  await put(buckets, bucket, `${folder}hashrange-table.json`, JSON.stringify(blueprint))
  const filesKey = `${folder}manifest-files.json`
  const lines = file.state.files.map((entry) => `${JSON.stringify(entry)}\n`)
  await putWithChecksum(buckets, bucket, filesKey, lines.join(''))
  const summary = {
    version: '2020-06-30',
    startTime: file.state.startTime,
    endTime: new Date().toISOString(),
    exportTime: file.state.startTime,
    s3Bucket: bucket,
    s3Prefix: prefix === '' ? null : prefix.slice(0, -1),
    s3SseAlgorithm: null,
    s3SseKmsKeyId: null,
    manifestFilesS3Key: filesKey,
    itemCount: items,
    outputFormat: format,
  }
  await putWithChecksum(buckets, bucket, `${folder}manifest-summary.json`, JSON.stringify(summary))
  await file.remove()
  return { isComplete: true, folder, items }
}

function freshState({ from, tableName, format, bucket, prefix, segments = 4 }: ExportOptions): ExportState {
  return {
    from: from.name,
    tableName,
    format,
    bucket,
    prefix,
    id: `${String(Date.now()).padStart(14, '0')}-${randomUUID().slice(0, 8)}`,
    startTime: new Date().toISOString(),
    positions: Array.from({ length: segments }, () => segmentStart),
    files: [],
  }
}

async function scanAll(options: ExportOptions, file: StateFile<ExportState>, folder: string): Promise<void> {
  const { from, tableName, progress, signal, format } = options
  const { positions } = file.state
  const parts: Part[] = positions.map((after) => ({ lines: [], bytes: 0, after }))
  const encode = format === 'ION' ? ionLine : jsonLine
  progress.begin(
    tableName,
    await itemCountOf(from, tableName),
    positions.reduce((sum, { items }) => sum + items, 0),
  )
  await scanSegments({
    port: from,
    tableName,
    positions,
    signal,
    page: async (segment, items, after) => {
      const part = parts[segment]
      if (part === undefined) throw new Error('a segment that was not asked for')
      for (const item of items) {
        const line = encode(item)
        part.lines.push(line)
        part.bytes += line.length
      }
      part.after = after
      progress.add(items.length)
      if (part.bytes >= partBytes || after.done) await writePart(options, file, folder, segment, part)
    },
  })
  // After an interruption, what has been read is kept as well.
  for (const [segment, part] of parts.entries()) {
    if (part.lines.length > 0) await writePart(options, file, folder, segment, part)
  }
  progress.end()
}

const compress = promisify(gzip)

async function writePart(
  { buckets, bucket, format }: ExportOptions,
  file: StateFile<ExportState>,
  folder: string,
  segment: number,
  part: Part,
): Promise<void> {
  const itemCount = part.lines.length
  const bytes = await compress(part.lines.join(''))
  const name = randomUUID().replaceAll('-', '')
  const dataFileS3Key = `${folder}data/${name}.${format === 'ION' ? 'ion' : 'json'}.gz`
  const { etag } = await buckets.write(bucket, dataFileS3Key, once(bytes))
  const written = { itemCount, md5Checksum: md5Of(bytes), etag, dataFileS3Key }
  part.lines = []
  part.bytes = 0
  const { state } = file
  file.change({ ...state, positions: state.positions.with(segment, part.after), files: [...state.files, written] })
}

function jsonLine(item: WireItem): string {
  return `{"Item":${JSON.stringify(item)}}\n`
}

function ionLine(item: WireItem): string {
  return ionItemLine(readItem(item))
}

async function putWithChecksum(buckets: Buckets, bucket: string, key: string, text: string): Promise<void> {
  await put(buckets, bucket, key, text)
  await put(buckets, bucket, key.replace(/\.json$/, '.md5'), md5Of(Buffer.from(text)))
}

async function put(buckets: Buckets, bucket: string, key: string, text: string): Promise<void> {
  await buckets.write(bucket, key, once(Buffer.from(text)))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64')
}
