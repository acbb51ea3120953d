import { ServiceError, validationException } from '@hashrange/core'
import type { ExportTableToPointInTimeInput } from '../api/transfer-inputs.ts'
import { recoveryWindow, type RecoveryWindow } from '../backups/recovery-window.ts'
import type { Table } from '../catalog/table.ts'
import { steadyAt } from '../time/clock-eras.ts'
import type { ClockView } from '../time/clock-view.ts'
import type { ExportedChanges, ExportedState, ExportJob } from './export-job.ts'

/** The requested export; rejects times that the table's recovery does not reach. */
export function readExport(
  input: ExportTableToPointInTimeInput,
  table: Table,
  clock: ClockView,
  id: string,
): ExportJob {
  if (input.S3Prefix === '') throw emptyPrefix()
  const { accountId, region, tableName, tableUuid } = table.definition
  const { nowMs } = clock
  const known = new KnownTimes(windowOf(table, clock), clock)
  const isIncremental = input.ExportType === 'INCREMENTAL_EXPORT'
  return {
    id,
    accountId,
    region,
    tableName,
    tableUuid,
    status: 'IN_PROGRESS',
    startedAtMs: nowMs,
    format: input.ExportFormat ?? 'DYNAMODB_JSON',
    what: isIncremental ? readChanges(input, known, nowMs) : readState(input, known),
    bucket: input.S3Bucket,
    sseAlgorithm: input.S3SseAlgorithm ?? 'AES256',
    ...(input.ClientToken !== undefined && { clientToken: input.ClientToken }),
    ...(input.S3BucketOwner !== undefined && { bucketOwner: input.S3BucketOwner }),
    ...(input.S3Prefix !== undefined && { prefix: input.S3Prefix }),
    ...(input.S3SseKmsKeyId !== undefined && { sseKmsKeyId: input.S3SseKmsKeyId }),
  }
}

function windowOf({ name, definition: { recovery } }: Table, clock: ClockView): RecoveryWindow {
  if (recovery === undefined) {
    throw new ServiceError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${name}'`,
    )
  }
  return recoveryWindow(recovery, clock)
}

function readState(input: ExportTableToPointInTimeInput, known: KnownTimes): ExportedState {
  if (input.IncrementalExportSpecification !== undefined) {
    throw validationException('IncrementalExportSpecification can only be given with ExportType INCREMENTAL_EXPORT')
  }
  if (input.ExportTime === undefined) return { kind: 'full', ...known.now() }
  const atMs = Math.round(input.ExportTime * 1000)
  return { kind: 'full', atMs, steadyMs: known.at(atMs) }
}

const shortestPeriodMs = 15 * 60_000
const longestPeriodMs = 24 * 3_600_000

function readChanges(input: ExportTableToPointInTimeInput, known: KnownTimes, nowMs: number): ExportedChanges {
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
  known.at(fromMs)
  known.at(toMs)
  return {
    kind: 'incremental',
    fromMs,
    toMs,
    fromSteadyMs: known.begin(fromMs),
    toSteadyMs: known.begin(toMs),
    viewType: ExportViewType ?? 'NEW_AND_OLD_IMAGES',
  }
}

/** The moments of a table that can be exported, in steady time. */
class KnownTimes {
  readonly #window: RecoveryWindow
  readonly #clock: ClockView

  constructor(window: RecoveryWindow, clock: ClockView) {
    this.#window = window
    this.#clock = clock
  }

  now(): { readonly atMs: number; readonly steadyMs: number } {
    return { atMs: this.#clock.nowMs, steadyMs: this.#clock.steadyMs }
  }

  /** Clients give seconds: the second in which recovery was turned on, and the current second, count as a whole. */
  at(atMs: number): number {
    const { earliestMs, sinceSteadyMs } = this.#window
    const steadyMs = steadyAt(this.#clock.eras, atMs)
    const isKnown = steadyMs >= sinceSteadyMs - (earliestMs - Math.floor(earliestMs / 1000) * 1000)
    if (!isKnown || atMs > this.#clock.nowMs) throw invalidTime('Export Time is invalid')
    return steadyMs
  }

  /** Where what came before a moment ends. */
  begin(atMs: number): number {
    return steadyAt(this.#clock.eras, atMs - 1) + 1
  }
}

function invalidTime(words: string): ServiceError {
  return new ServiceError('InvalidExportTimeException', words)
}

function emptyPrefix(): ServiceError {
  return validationException(
    "1 validation error detected: Value '' at 's3Prefix' failed to satisfy constraint: Member must have length greater than or equal to 1",
  )
}
