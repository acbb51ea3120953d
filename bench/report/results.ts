import type { Growth } from '../measure/growth.ts'
import type { MeasurementsByOperation } from '../measure/over-http.ts'
import type { Startup } from '../measure/startup.ts'

/** What a run found out; parts that were not asked for are absent. */
export interface Results {
  readonly http?: MeasurementsByOperation
  readonly embedded?: MeasurementsByOperation
  readonly growth?: Growth
  readonly startup?: Startup
}
