import type { Scope } from '../scope.ts'
import type { MaybePromise } from '../store/store.ts'
import type { ServiceHost } from './service-host.ts'

/** An API beside DynamoDB's own, such as CloudWatch's. It is in a package of its own, above the engine, and is added
 *  when the engine is opened: the engine knows none of them. */
export interface Service {
  /** Its operations, by their target. The target may be DynamoDB's: some of its operations are implemented by another
   *  service. */
  readonly operations: ReadonlyMap<string, ServiceOperations>
  /** Starts background work. Called once, before the first request. */
  begin?(): Promise<void>
}

/** Called when the engine is opened. */
export type OpenService = (host: ServiceHost) => Service

export type ServiceOperations = ReadonlyMap<string, RunServiceOperation>

/** `body` may be any JSON value. */
export type RunServiceOperation = (scope: Scope, body: unknown) => MaybePromise<unknown>
