import { ServiceError } from '@hashrange/core'
import type { RecoveryDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { earliestTimeSince, knownSince, steadyAt } from '../time/clock-eras.ts'
import type { ClockView } from '../time/clock-view.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The moments that a table can be restored to. Shown in whole seconds, as the service does. */
export interface RecoveryWindow {
  /** The time from which the log is complete, in steady time. */
  readonly sinceSteadyMs: number
  readonly earliestMs: number
  readonly latestMs: number
}

export function recoveryWindow(recovery: RecoveryDefinition, clock: ClockView): RecoveryWindow {
  const sinceSteadyMs = completeSince(recovery, clock)
  const earliestMs = earliestTimeSince(clock.eras, sinceSteadyMs)
  return { sinceSteadyMs, earliestMs, latestMs: Math.max(clock.nowMs, shownEarliest(earliestMs) * 1000) }
}

/** The log starts when it was turned on, or where its retention ends, except for times that can no longer be named. */
function completeSince({ enabledAtMs, periodDays }: RecoveryDefinition, clock: ClockView): number {
  return Math.max(enabledAtMs, clock.ago(periodDays * dayMs), knownSince(clock.eras))
}

/** The moment of steady time that `atMs` stands for. `now` may be slightly before the time that is shown as the
 *  earliest, just after recovery was turned on. */
export function restorableAt(window: RecoveryWindow, atMs: number, clock: ClockView): number {
  const steadyMs = steadyAt(clock.eras, atMs)
  if (steadyMs >= window.sinceSteadyMs && atMs <= window.latestMs) return steadyMs
  const { earliest, latest } = shown(window)
  throw new ServiceError(
    'InvalidRestoreTimeException',
    `RestoreDateTime '${isoSecond(Math.floor(atMs / 1000))}' must be within EarliestRestorableDateTime '${isoSecond(earliest)}' and LatestRestorableDateTime '${isoSecond(latest)}'`,
  )
}

/** The recovery settings after it is turned on, or requested with another period. What a shorter period has dropped
 *  does not come back with a longer one. */
export function changedRecovery(
  current: RecoveryDefinition | undefined,
  periodDays: number,
  clock: ClockView,
): RecoveryDefinition {
  return { periodDays, enabledAtMs: current === undefined ? clock.steadyMs : completeSince(current, clock) }
}

export interface ContinuousBackupsDescription {
  readonly ContinuousBackupsStatus: 'ENABLED'
  readonly PointInTimeRecoveryDescription: Readonly<Record<string, unknown>>
}

export function describeContinuousBackups(
  { recovery }: TableDefinition,
  clock: ClockView,
): ContinuousBackupsDescription {
  if (recovery === undefined) {
    return {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
    }
  }
  const { earliest, latest } = shown(recoveryWindow(recovery, clock))
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
