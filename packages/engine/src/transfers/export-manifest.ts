import { createHash } from 'node:crypto'
import type { Buckets } from './buckets.ts'
import { exportArnOf, type ExportJob, type ExportResult } from './export-job.ts'
import { tableArn } from '../definitions/table-arn.ts'

/** A data file of an export, as its manifest lists it. ON DISK as JSON while the export is running. */
export interface ExportedFile {
  readonly key: string
  readonly itemCount: number
  /** Of the items, by the service's rules. */
  readonly sizeBytes: number
  /** Of the file as it is stored, compressed; in base64. */
  readonly md5: string
  readonly etag: string
}

/** Where an export's own files are. */
export function exportFolder({ prefix, id }: ExportJob): string {
  return `${withSlash(prefix)}AWSDynamoDB/${id}/`
}

/** Incremental exports share one folder for their data; each full export has its own. The name is the same when an
 *  interrupted export is continued, so that it replaces what it had written. */
export function dataFileKey(job: ExportJob, part: number): string {
  const folder =
    job.what.kind === 'full' ? `${exportFolder(job)}data/` : `${withSlash(job.prefix)}AWSDynamoDB/data/`
  const digest = createHash('sha256').update(`${job.id}/${part}`).digest()
  let name = ''
  for (const byte of digest.subarray(0, 26)) name += 'abcdefghijklmnopqrstuvwxyz234567'.charAt(byte & 31)
  return `${folder}${name}.${job.format === 'ION' ? 'ion' : 'json'}.gz`
}

/** Writes the list of files and then the summary, which readers wait for, each with its checksum. */
export async function writeManifest(
  buckets: Buckets,
  job: ExportJob,
  files: readonly ExportedFile[],
  totals: { readonly itemCount: number; readonly billedSizeBytes: number; readonly endedAtMs: number },
): Promise<ExportResult> {
  const { itemCount, billedSizeBytes } = totals
  const filesKey = `${exportFolder(job)}manifest-files.json`
  const summaryKey = `${exportFolder(job)}manifest-summary.json`
  const lines = files.map((file) =>
    JSON.stringify({
      itemCount: file.itemCount,
      md5Checksum: file.md5,
      etag: file.etag,
      dataFileS3Key: file.key,
    }),
  )
  await writeWithChecksum(buckets, job.bucket, filesKey, `${lines.join('\n')}\n`)
  await writeWithChecksum(buckets, job.bucket, summaryKey, JSON.stringify(summaryOf(job, filesKey, totals)))
  return { itemCount, billedSizeBytes, manifest: summaryKey }
}

function summaryOf(
  job: ExportJob,
  manifestFilesS3Key: string,
  totals: { readonly itemCount: number; readonly billedSizeBytes: number; readonly endedAtMs: number },
): Readonly<Record<string, unknown>> {
  const { what } = job
  return {
    version: what.kind === 'full' ? '2020-06-30' : '2023-08-01',
    exportArn: exportArnOf(job),
    startTime: isoTime(job.startedAtMs),
    endTime: isoTime(totals.endedAtMs),
    tableArn: tableArn(job),
    tableId: job.tableUuid,
    ...(what.kind === 'full'
      ? { exportTime: isoTime(what.atMs) }
      : { exportFromTime: isoTime(what.fromMs), exportToTime: isoTime(what.toMs) }),
    s3Bucket: job.bucket,
    s3Prefix: job.prefix ?? null,
    s3SseAlgorithm: job.sseAlgorithm,
    s3SseKmsKeyId: job.sseKmsKeyId ?? null,
    manifestFilesS3Key,
    billedSizeBytes: totals.billedSizeBytes,
    itemCount: totals.itemCount,
    outputFormat: job.format,
    ...(what.kind === 'incremental' && { outputView: what.viewType, exportType: 'INCREMENTAL_EXPORT' }),
  }
}

async function writeWithChecksum(buckets: Buckets, bucket: string, key: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  await buckets.write(bucket, key, once(bytes))
  const md5 = createHash('md5').update(bytes).digest('base64')
  await buckets.write(bucket, key.replace(/\.json$/, '.md5'), once(Buffer.from(md5)))
}

/** One chunk, as something to be written. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function withSlash(prefix: string | undefined): string {
  if (prefix === undefined || prefix === '') return ''
  return prefix.endsWith('/') ? prefix : `${prefix}/`
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
