import type { Backups } from '../measure/backups.ts'
import type { Cost } from '../measure/costs.ts'
import type { Growth } from '../measure/growth.ts'
import type { Import } from '../measure/import.ts'
import type { MeasurementsByOperation } from '../measure/over-http.ts'
import type { OnPostgres } from '../measure/postgres.ts'
import type { Startup } from '../measure/startup.ts'
import type { Triggers } from '../measure/triggers.ts'
import type { Wait } from '../measure/waits.ts'

/** What a run found out; parts that were not asked for are absent. */
export interface Results {
  readonly http?: MeasurementsByOperation
  readonly embedded?: MeasurementsByOperation
  readonly model?: MeasurementsByOperation
  readonly changes?: MeasurementsByOperation
  readonly replicationLagMs?: number
  readonly links?: MeasurementsByOperation
  readonly linkLagMs?: number
  readonly linkReceiverCpuMicroseconds?: number
  readonly linkCatchUpMs?: number
  readonly triggers?: Triggers
  readonly backups?: Backups
  readonly growth?: Growth
  readonly import?: Import
  readonly postgres?: OnPostgres
  readonly costs?: readonly Cost[]
  readonly metering?: MeasurementsByOperation
  readonly auth?: MeasurementsByOperation
  readonly startup?: Startup
  readonly waits?: readonly Wait[]
}
