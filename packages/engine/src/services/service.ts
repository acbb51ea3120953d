import type { Scope } from '../scope.ts'
import type { MaybePromise } from '../store/store.ts'
import type { ServiceHost } from './service-host.ts'

/** An API that stands beside DynamoDB's own, such as CloudWatch's. A package of its own holds it, above the engine, and
 *  whoever opens the engine adds it: the engine knows none of them. */
export interface Service {
  /** Its operations, by the target under which they are asked for. The target may be DynamoDB's: some of its operations
   *  are another service's work. */
  readonly operations: ReadonlyMap<string, ServiceOperations>
  /** Begins what goes on beside requests. Called once, before the first of them. */
  begin?(): Promise<void>
}

/** Given when the engine is opened. */
export type OpenService = (host: ServiceHost) => Service

export type ServiceOperations = ReadonlyMap<string, RunServiceOperation>

/** `body` may be anything that JSON can say. */
export type RunServiceOperation = (scope: Scope, body: unknown) => MaybePromise<unknown>
