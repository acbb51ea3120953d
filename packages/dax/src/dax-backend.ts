import type { Clock, MaybePromise, Scope } from '@hashrange/engine'
import type { Authenticate, Executor } from '@hashrange/server'
import type { KeptLists } from './wire/attribute-lists.ts'
import type { KeyAttribute } from './wire/keys.ts'

/** All that DAX needs of the server that it stands before. */
export interface DaxBackend {
  /** Carries out what is admitted. */
  readonly executor: Executor
  /** Whose tables a connection is about; it is signed for `dax`. */
  readonly authenticate: Authenticate
  /** On a closed server: throws unless the caller may do this, and returns the scope to carry it out in. */
  readonly admit?: ((scope: Scope, operation: string, body: unknown) => Scope) | undefined
  /** A table, by its name or ARN; undefined if there is none. */
  tableOf(scope: Scope, tableName: string): MaybePromise<DaxTable | undefined>
  readonly clock: Pick<Clock, 'now'>
  readonly keptLists: KeptLists
}

export interface DaxTable {
  /** Its name, also if it was found by its ARN. */
  readonly name: string
  readonly keys: readonly KeyAttribute[]
}
