import { ServiceError, validationException } from '@hashrange/core'
import type { ExportTableToPointInTimeInput } from '../api/transfer-inputs.ts'
import { recoveryWindow } from '../backups/recovery-window.ts'
import type { Table } from '../catalog/table.ts'
import type { ExportedChanges, ExportedState, ExportJob } from './export-job.ts'

/** The export that is asked for; refuses what the table's recovery does not reach back to. */
export function readExport(
  input: ExportTableToPointInTimeInput,
  table: Table,
  job: { readonly id: string; readonly nowMs: number },
): ExportJob {
  if (input.S3Prefix === '') throw emptyPrefix()
  const { accountId, region, tableName, tableUuid } = table.definition
  const earliestMs = earliestTimeMs(table, job.nowMs)
  const isIncremental = input.ExportType === 'INCREMENTAL_EXPORT'
  return {
    id: job.id,
    accountId,
    region,
    tableName,
    tableUuid,
    status: 'IN_PROGRESS',
    startedAtMs: job.nowMs,
    format: input.ExportFormat ?? 'DYNAMODB_JSON',
    what: isIncremental ? readChanges(input, earliestMs, job.nowMs) : readState(input, earliestMs, job.nowMs),
    bucket: input.S3Bucket,
    sseAlgorithm: input.S3SseAlgorithm ?? 'AES256',
    ...(input.ClientToken !== undefined && { clientToken: input.ClientToken }),
    ...(input.S3BucketOwner !== undefined && { bucketOwner: input.S3BucketOwner }),
    ...(input.S3Prefix !== undefined && { prefix: input.S3Prefix }),
    ...(input.S3SseKmsKeyId !== undefined && { sseKmsKeyId: input.S3SseKmsKeyId }),
  }
}

/** From when on each moment of the table is known. */
function earliestTimeMs({ name, definition: { recovery } }: Table, nowMs: number): number {
  if (recovery === undefined) {
    throw new ServiceError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${name}'`,
    )
  }
  return recoveryWindow(recovery, nowMs).earliestMs
}

function readState(input: ExportTableToPointInTimeInput, earliestMs: number, nowMs: number): ExportedState {
  if (input.IncrementalExportSpecification !== undefined) {
    throw validationException('IncrementalExportSpecification can only be given with ExportType INCREMENTAL_EXPORT')
  }
  const atMs = input.ExportTime === undefined ? nowMs : Math.round(input.ExportTime * 1000)
  assertKnown(atMs, earliestMs, nowMs)
  return { kind: 'full', atMs }
}

const shortestPeriodMs = 15 * 60_000
const longestPeriodMs = 24 * 3_600_000

function readChanges(input: ExportTableToPointInTimeInput, earliestMs: number, nowMs: number): ExportedChanges {
  const { ExportFromTime, ExportToTime, ExportViewType } = input.IncrementalExportSpecification ?? {}
  if (ExportFromTime === undefined) {
    throw validationException(
      'IncrementalExportSpecification with ExportFromTime is required for INCREMENTAL_EXPORT',
    )
  }
  if (input.ExportTime !== undefined) {
    throw validationException('ExportTime cannot be given with ExportType INCREMENTAL_EXPORT')
  }
  const fromMs = Math.round(ExportFromTime * 1000)
  const toMs = ExportToTime === undefined ? nowMs : Math.round(ExportToTime * 1000)
  if (toMs - fromMs < shortestPeriodMs) {
    throw invalidTime(
      'Difference between export period from time and export period to time is less than 15 minutes',
    )
  }
  if (toMs - fromMs > longestPeriodMs) {
    throw invalidTime('Difference between export period from time and export period to time is more than 24 hours')
  }
  assertKnown(fromMs, earliestMs, nowMs)
  assertKnown(toMs, earliestMs, nowMs)
  return { kind: 'incremental', fromMs, toMs, viewType: ExportViewType ?? 'NEW_AND_OLD_IMAGES' }
}

/** Clients give seconds: the second in which recovery was turned on, or which is now, counts whole. */
function assertKnown(timeMs: number, earliestMs: number, nowMs: number): void {
  if (timeMs < Math.floor(earliestMs / 1000) * 1000 || timeMs > nowMs) throw invalidTime('Export Time is invalid')
}

function invalidTime(words: string): ServiceError {
  return new ServiceError('InvalidExportTimeException', words)
}

function emptyPrefix(): ServiceError {
  return validationException(
    "1 validation error detected: Value '' at 's3Prefix' failed to satisfy constraint: Member must have length greater than or equal to 1",
  )
}
