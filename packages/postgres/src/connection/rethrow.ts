import { StorageError } from '@hashrange/engine'
import { sharesConnections } from '../address/assert-own-session.ts'
import { unreachable } from './outage.ts'
import { isUnavailable, SqlError } from './sql-error.ts'

/** invalid_sql_statement_name: what this connection prepared was prepared on another one. */
const unknownStatement = '26000'

/** Turns errors of the connection or the database into errors of the store. */
export function rethrowAsStorageError(error: unknown): never {
  if (isUnavailable(error)) throw unreachable(error)
  if (error instanceof SqlError) {
    if (error.code === unknownStatement) throw sharesConnections(error)
    throw new StorageError('io', `The database refused a statement (${error.message}).`, error)
  }
  throw error
}
