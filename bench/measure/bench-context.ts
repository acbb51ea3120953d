import type { LoadOrder } from '../load/load-order.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../report/progress.ts'
import type { Resources } from '../resources.ts'
import type { OrderTaker } from './order-taker.ts'
import type { RoundResult } from './round-result.ts'

/** What every part of a run works with. */
export interface BenchContext {
  readonly options: Options
  readonly resources: Resources
  readonly progress: Progress
  readonly generator: OrderTaker<LoadOrder, RoundResult>
  /** A temporary folder on the project's disk. */
  readonly folder: string
}

/** Outstanding requests: one for each connection of the load generator, or for each caller in the process. */
export const concurrency = 32
