import type { Admit, MaybePromise, Scope } from '@hashrange/engine'

/** What the wire needs from an engine. */
export interface Executor {
  knows(target: string, operation: string): boolean
  /** `body` is parsed JSON of any shape; the result may contain raw JSON, and errors of the service are
   *  ServiceErrors. Returns and throws synchronously if nothing needs to be awaited. `admit` decides whether the
   *  request is carried out at all. */
  execute(scope: Scope, target: string, operation: string, body: unknown, admit?: Admit): MaybePromise<unknown>
}
