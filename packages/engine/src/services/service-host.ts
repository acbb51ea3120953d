import type { StreamReader } from '../streams/stream-reader.ts'
import type { LogReader } from '../streams/log-reader.ts'
import type { Stopping } from '../work/background-work.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { RecordSpaceName } from '../layout/key-space.ts'
import type { Metrics } from '../metering/metrics.ts'
import type { Randomness } from '../randomness.ts'
import type { RecordSpace } from '../records/record-space.ts'
import type { Scope } from '../scope.ts'
import type { MaybePromise, Range, Store } from '../store/store.ts'
import type { Throttling } from '../partitions/throttling.ts'
import type { StoreClock } from '../time/store-clock.ts'
import type { Lease } from '../work/leases.ts'

/** What a service sees of the database: it reads metrics, definitions and its own records, and calls DynamoDB's
 *  operations as any client would. */
export interface ServiceHost {
  readonly clock: StoreClock
  readonly randomness: Randomness
  /** Reads what was metered. */
  readonly metrics: Metrics
  readonly background: ServiceBackground
  /** Reads what was changed in tables. */
  readonly streams: StreamReader
  /** Reads the change logs of tables. */
  readonly logs: LogReader
  /** Whether other servers use the same store. */
  readonly isShared: boolean
  /** The accounts and regions that have a table of this name. */
  scopesOf(tableName: string): readonly Scope[]
  /** The current definition of a table. */
  definitionOf(scope: Scope, tableName: string): TableDefinition | undefined
  /** The records of the service, in a space that `layout/` has reserved for it. */
  records<T extends object>(space: RecordSpaceName): RecordSpace<T>
  /** Changes several records at once. */
  readonly transact: Store['transact']
  /** Reads from one snapshot, in spaces that `layout/` has reserved for the service. */
  readonly view: Store['view']
  /** An identifier that nothing else in the store has, for the keys of a service. */
  newId(): Promise<number>
  /** Removes what lies between the bounds, in small transactions. */
  deleteRange(range: Range, stopping: Stopping): Promise<void>
  /** Removes in the background what is marked for removal. */
  purge(): void
  /** What happens to requests that AWS would throttle. */
  readonly throttling: Throttling
  /** Carries out an operation, like a client's request. */
  execute(scope: Scope, target: string, operation: string, input: unknown): MaybePromise<unknown>
}

/** Background work. */
export interface ServiceBackground {
  /** Aborted when the engine closes. */
  readonly stopping: AbortSignal
  run(work: (stopping: Stopping) => Promise<void>): void
  /** Repeats `work` on every server. */
  every(pauseMs: number, work: (stopping: Stopping) => Promise<void>): void
  /** Repeats `work` on one of the servers that share the store, whichever it is. */
  everyLeased(name: string, pauseMs: number, work: (lease: Lease) => Promise<void>): void
  /** Does `work` unless another server that shares the store is doing it; returns whether it was done here. */
  hold(name: string, stopping: Stopping, work: (lease: Lease) => Promise<void>): Promise<boolean>
}
