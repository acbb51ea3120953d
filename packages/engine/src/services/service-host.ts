import type { Stopping } from '../work/background-work.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Clock } from '../clock.ts'
import type { RecordSpaceName } from '../layout/key-space.ts'
import type { Metrics } from '../metering/metrics.ts'
import type { Randomness } from '../randomness.ts'
import type { RecordSpace } from '../records/record-space.ts'
import type { Scope } from '../scope.ts'
import type { MaybePromise, Store } from '../store/store.ts'

/** All that a service sees of the database: metrics, definitions and its own records come in, and DynamoDB's operations go
 *  out, as they would from any client. */
export interface ServiceHost {
  readonly clock: Clock
  readonly randomness: Randomness
  /** What was metered. */
  readonly metrics: Metrics
  readonly background: ServiceBackground
  /** Whether other servers work on the same store. */
  readonly isShared: boolean
  /** A table as it is defined now. */
  definitionOf(scope: Scope, tableName: string): TableDefinition | undefined
  /** What the service remembers, in a space that `layout/` has set aside for it. */
  records<T extends object>(space: RecordSpaceName): RecordSpace<T>
  /** Changes several records at once. */
  readonly transact: Store['transact']
  /** Carries out an operation, as a client's request would. */
  execute(scope: Scope, target: string, operation: string, input: unknown): MaybePromise<unknown>
}

/** Work beside requests. */
export interface ServiceBackground {
  run(work: (stopping: Stopping) => Promise<void>): void
  /** Repeats `work` on every server. */
  every(pauseMs: number, work: (stopping: Stopping) => Promise<void>): void
  /** Repeats `work` on one of the servers that share the store, whichever it is. */
  everyLeased(name: string, pauseMs: number, work: (stopping: Stopping) => Promise<void>): void
}
