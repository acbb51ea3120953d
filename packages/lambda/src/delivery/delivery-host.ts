import type { Scope } from '@hashrange/engine'
import type { Invoked } from '../functions/runner.ts'
import type { Figures } from './figures.ts'
import type { Discarded } from './discarded.ts'

/** What consumers need of the service. */
export interface DeliveryHost {
  readonly nowMs: () => number
  /** Calls a function. Throws a ServiceError if that is not possible. */
  invoke(scope: Scope, functionName: string, payload: Buffer): Promise<Invoked>
  /** Tells the destination of a mapping of records that were given up. */
  discard(discarded: Discarded): Promise<void>
  readonly figures: Figures
  /** Tells monitoring how old the last record of a batch is that is passed to a function. */
  measureAge(scope: Scope, functionName: string, ageMs: number): void
  /** Reports what belongs to no request. */
  readonly report: (sentence: string) => void
  /** The pause before the first retry; it doubles with each further one. */
  readonly retryMs: number
}
