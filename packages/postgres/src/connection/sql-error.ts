import { readOnlyTransaction } from '../address/takes-no-writes.ts'

/** The server rejected a statement. */
export class SqlError extends Error {
  /** SQLSTATE: PostgreSQL's manual, "PostgreSQL Error Codes". */
  readonly code: string

  constructor(code: string, message: string) {
    super(`${message} (SQLSTATE ${code})`)
    this.name = 'SqlError'
    this.code = code
  }
}

/** The connection ended, or did not answer in time, while something was running on it. */
export class LinkLost extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'LinkLost'
  }
}

/** The database accepts what it is sent, or seems to, and says nothing. */
export class Unanswered extends LinkLost {
  constructor() {
    super('The database did not answer in time.')
    this.name = 'Unanswered'
  }
}

/** Whether somebody else's transaction interfered, so that the work must be repeated. */
export function isConflict(error: unknown): boolean {
  return error instanceof SqlError && conflictCodes.has(error.code)
}

/** Our own: raised by what is described in statements.ts. */
export const gateClosedCode = 'HRGAT'
export const movedCode = 'HRMOV'

/** Whether a node no longer has, or never had, what it was asked for. */
export function isElsewhere(error: unknown): boolean {
  return error instanceof SqlError && elsewhereCodes.has(error.code)
}

const elsewhereCodes = new Set([
  movedCode,
  '42P01', // undefined_table: Citus has dropped the table after moving it
  '42883', // undefined_function: the node has nothing of the schema
  '3F000', // invalid_schema_name
])

const conflictCodes = new Set([
  gateClosedCode,
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available: waited longer than lock_timeout
  '23505', // unique_violation: a key that was absent is there
  '22012', // division_by_zero: a row that was read is not there as it was; see statements.ts
])

/** Whether the server is shutting down, is starting, or has no room for another connection. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof LinkLost) return true
  if (error instanceof SqlError) return error.code.startsWith('08') || unavailableCodes.has(error.code)
  return false
}

const unavailableCodes = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '57014', // query_canceled: took longer than statement_timeout
  '42P01', // undefined_table: a newer version has renamed it
  readOnlyTransaction,
])
