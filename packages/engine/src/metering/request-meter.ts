import { ServiceError } from '@hashrange/core'
import { ThrottledError } from '../capacity/throttled.ts'
import type { Table } from '../catalog/table.ts'
import type { Clock } from '../clock.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import type { Meters } from './meters.ts'
import { codeOfOperation, type MeteredOperation } from './operation-codes.ts'

/** The tables that a request has named. */
type Tables = Table | readonly Table[] | undefined

type Run = (engine: Engine, scope: Scope, body: unknown) => Promise<unknown>

/** An operation whose latency, answers and errors are counted. */
export function metered(name: string, run: Run): Run {
  const operation = codeOfOperation(name)
  return async (engine, scope, body) => {
    const startedMs = performance.now()
    const { requests } = engine
    let tables: Tables
    try {
      requests.begin()
      const running = run(engine, scope, body)
      tables = requests.seen
      const answer = await running
      if (tables !== undefined && operation >= 0) {
        requests.succeeded(tables, operation, performance.now() - startedMs, answer)
      }
      return answer
    } catch (error) {
      requests.failed(scope, tables, operation, error)
      throw error
    }
  }
}

/** Counts requests as such: how long they took, what they returned, and why they failed. */
export class RequestMeter {
  readonly #meters: Meters
  readonly #clock: Clock
  #seen: Tables

  constructor(meters: Meters, clock: Clock) {
    this.#meters = meters
    this.#clock = clock
  }

  /** Begins to watch which tables are named. Operations name theirs before they wait for anything, so that what was seen
   *  when they first wait is one request's. */
  begin(): void {
    this.#seen = undefined
  }

  /** Called for each table that an operation on items names. */
  note(table: Table): void {
    const seen = this.#seen
    if (seen === undefined) this.#seen = table
    else if (seen !== table) this.#noteMore(table, seen)
  }

  get seen(): Tables {
    return this.#seen
  }

  succeeded(tables: Table | readonly Table[], operation: number, latencyMs: number, answer: unknown): void {
    const nowMs = this.#clock.now()
    if (isMany(tables)) {
      for (const table of tables) this.#meters.of(table).table.served(operation, nowMs, latencyMs)
      return
    }
    const meter = this.#meters.of(tables).table
    meter.served(operation, nowMs, latencyMs)
    const returned = returnedItems(operation, answer)
    if (returned !== undefined) meter.countOperation('ReturnedItemCount', operation, nowMs, returned)
  }

  /** What the service counts as what: its own failures, throttling, and all else that is the client's fault but for
   *  conditions that did not hold, which are counted where they are checked. */
  failed(scope: Scope, tables: Tables, operation: number, error: unknown): void {
    const nowMs = this.#clock.now()
    const named = tables === undefined ? [] : isMany(tables) ? tables : [tables]
    const count = (name: 'SystemErrors' | 'ThrottledRequests'): void => {
      if (operation < 0) return
      for (const table of named) this.#meters.of(table).table.countOperation(name, operation, nowMs)
    }
    if (!(error instanceof ServiceError) || error.code === 'InternalServerError') count('SystemErrors')
    else if (isThrottling(error)) count('ThrottledRequests')
    else if (error.code !== 'ConditionalCheckFailedException') {
      this.#meters.ofAccount(scope).count('UserErrors', nowMs)
    }
  }

  #noteMore(table: Table, seen: Table | readonly Table[]): void {
    if (!isMany(seen)) this.#seen = [seen, table]
    else if (!seen.includes(table)) this.#seen = [...seen, table]
  }
}

const query = codeOfOperation('Query' satisfies MeteredOperation)
const scan = codeOfOperation('Scan' satisfies MeteredOperation)
const executeStatement = codeOfOperation('ExecuteStatement' satisfies MeteredOperation)

function returnedItems(operation: number, answer: unknown): number | undefined {
  if (operation === query || operation === scan) return (answer as { readonly Count: number }).Count
  if (operation === executeStatement) return (answer as { readonly Items: readonly unknown[] }).Items.length
  return undefined
}

const throttlingCodes: ReadonlySet<unknown> = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError'])

function isThrottling(error: ServiceError): boolean {
  if (error instanceof ThrottledError) return true
  const reasons = error.members['CancellationReasons']
  return (
    Array.isArray(reasons) &&
    reasons.some((reason: { readonly Code?: unknown }) => throttlingCodes.has(reason.Code))
  )
}

function isMany(tables: Table | readonly Table[]): tables is readonly Table[] {
  return Array.isArray(tables)
}
