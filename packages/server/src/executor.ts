import type { Admit, MaybePromise, Scope } from '@hashrange/engine'

/** What the wire needs of an engine. */
export interface Executor {
  knows(target: string, operation: string): boolean
  /** `body` is parsed JSON of any shape; the answer may hold raw JSON, and errors of the service are ServiceErrors.
   *  Answers and throws at once where nothing is to be waited for. `admit` decides whether the request is carried out at all. */
  execute(scope: Scope, target: string, operation: string, body: unknown, admit?: Admit): MaybePromise<unknown>
}
