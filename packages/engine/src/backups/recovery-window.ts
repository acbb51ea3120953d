import { ServiceError } from '@hashrange/core'
import type { RecoveryDefinition, TableDefinition } from '../catalog/table-definition.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The moments that a table can be restored to. Shown in whole seconds, as the service does. */
export interface RecoveryWindow {
  readonly earliestMs: number
  readonly latestMs: number
}

export function recoveryWindow({ enabledAtMs, periodDays }: RecoveryDefinition, nowMs: number): RecoveryWindow {
  const earliestMs = Math.max(enabledAtMs, nowMs - periodDays * dayMs)
  return { earliestMs, latestMs: Math.max(nowMs, shownEarliest(earliestMs) * 1000) }
}

/** `now` may be a moment before what is shown as the earliest, just after recovery was turned on. */
export function assertRestorable(window: RecoveryWindow, atMs: number): void {
  if (atMs >= window.earliestMs && atMs <= window.latestMs) return
  const { earliest, latest } = shown(window)
  throw new ServiceError(
    'InvalidRestoreTimeException',
    `RestoreDateTime '${isoSecond(Math.floor(atMs / 1000))}' must be within EarliestRestorableDateTime '${isoSecond(earliest)}' and LatestRestorableDateTime '${isoSecond(latest)}'`,
  )
}

/** Recovery as it becomes when it is turned on, or asked for with another period. What a shorter period has let go of does
 *  not come back with a longer one. */
export function changedRecovery(
  current: RecoveryDefinition | undefined,
  periodDays: number,
  nowMs: number,
): RecoveryDefinition {
  const enabledAtMs = current === undefined ? nowMs : recoveryWindow(current, nowMs).earliestMs
  return { periodDays, enabledAtMs }
}

export interface ContinuousBackupsDescription {
  readonly ContinuousBackupsStatus: 'ENABLED'
  readonly PointInTimeRecoveryDescription: Readonly<Record<string, unknown>>
}

export function describeContinuousBackups(
  { recovery }: TableDefinition,
  nowMs: number,
): ContinuousBackupsDescription {
  if (recovery === undefined) {
    return {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
    }
  }
  const { earliest, latest } = shown(recoveryWindow(recovery, nowMs))
  return {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: {
      EarliestRestorableDateTime: earliest,
      LatestRestorableDateTime: latest,
      PointInTimeRecoveryStatus: 'ENABLED',
      RecoveryPeriodInDays: recovery.periodDays,
    },
  }
}

function shown({ earliestMs, latestMs }: RecoveryWindow): { earliest: number; latest: number } {
  return { earliest: shownEarliest(earliestMs), latest: Math.floor(latestMs / 1000) }
}

function shownEarliest(earliestMs: number): number {
  return Math.ceil(earliestMs / 1000)
}

function isoSecond(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? String(seconds) : `${date.toISOString().slice(0, 19)}Z`
}
