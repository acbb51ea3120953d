import { transactionConflict } from './transaction-conflict.ts'
import { tableVersionKey } from '../layout/key-space.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Decision, IsSpare, Key, Store, Value } from '../store/store.ts'
import type { Transactor } from '../store/transactor.ts'
import type { Moment, StoreClock } from '../time/store-clock.ts'
import type { Catalog } from './catalog.ts'
import { decodeTableVersion } from './stored-definition.ts'
import type { Table } from './table.ts'

/** Runs a transaction whose decision uses the definitions of some tables, and guarantees that they are the current
 *  ones: no write bypasses an index that is being built, or a stream that was just turned on. If this process has the
 *  store for itself, decisions run in commit order, and the definitions change in that order too, so there is nothing
 *  to do. In a shared store, the transaction itself reads the versions of the definitions, and so verifies them. If
 *  they are not the ones this server knows, it reads the new definitions and tries again. The time that a decision
 *  gets is the time of its definitions: if a shard of a change log starts at some moment, nothing from before that
 *  moment is written to it. */
export function transactOnTables<T>(
  transacting: Transacting,
  tables: readonly Table[],
  keys: readonly Key[],
  decide: DecideAt<T>,
  through: Transactor = transacting.store,
  isSpare?: IsSpare,
): Promise<T> {
  if (transacting.catalog.isShared) return transactVerified(transacting, tables, keys, decide, through)
  const at = transacting.clock.moment()
  return through.transact(keys, (values) => decide(values, at), isSpare)
}

/** What is needed to run transactions on tables. */
export interface Transacting {
  readonly store: Store
  readonly catalog: Catalog
  readonly clock: StoreClock
}

/** A decision that gets the time along with the values. */
export type DecideAt<T> = (values: readonly (Value | undefined)[], at: Moment) => Decision<T>

/** Far more than needed, even if tables changed all the time. */
const mostAttempts = 100

async function transactVerified<T>(
  transacting: Transacting,
  tables: readonly Table[],
  keys: readonly Key[],
  decide: DecideAt<T>,
  through: Transactor,
): Promise<T> {
  const distinct = tables.length === 1 ? tables : [...new Set(tables)]
  const versionKeys = distinct.map(({ id }) => tableVersionKey(id))
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const at = transacting.clock.moment()
    const attempted = through.transact([...keys, ...versionKeys], (values): Decision<Outcome<T>> => {
      for (let index = 0; index < distinct.length; index++) {
        if (!isCurrent(distinct[index], values[keys.length + index])) return { writes: [], answer: stale }
      }
      const { writes, answer, effect } = decide(values.slice(0, keys.length), at)
      return { writes, answer: { answer }, effect }
    })
    const outcome = await attempted.catch(rethrowAsServiceError)
    if (outcome !== stale) return outcome.answer
    await transacting.catalog.refresh()
  }
  throw new StorageError('io', 'The tables change faster than this server can follow.')
}

function rethrowAsServiceError(error: unknown): never {
  throw error instanceof StorageError && error.code === 'contended' ? transactionConflict() : error
}

type Outcome<T> = typeof stale | { readonly answer: T }

const stale = Symbol('stale')

/** A deleted table has nothing stored. */
function isCurrent(table: Table | undefined, stored: Value | undefined): boolean {
  if (table === undefined) return true
  // A replica that leaves its global table is deleted later: decisions see that nothing can be written to it.
  if (stored === undefined || table.isDropped) return table.isDropped
  return decodeTableVersion(stored).version === table.version
}
