import { ServiceError } from '@hashrange/core'
import type { Capacity } from './capacity.ts'
import { ThrottledError } from './throttled.ts'
import type { Table } from '../catalog/table.ts'
import type { Clock } from '../clock.ts'
import type { Scope } from '../scope.ts'
import type { MaybePromise } from '../store/store.ts'
import { codeOfOperation, meteredOperations, type MeteredOperation } from '../metering/operation-codes.ts'

/** The tables that a request names. */
type Tables = Table | readonly Table[] | undefined

/** Counts requests: how long they took, what they returned, and why they failed. */
export class RequestMeter {
  readonly #capacity: Capacity
  readonly #clock: Clock
  #seen: Tables
  #requests = 0
  #lookedAtMs = 0
  /** A power of two, minus one: one in that many requests plus one is timed. */
  #untimed = 0

  constructor(capacity: Capacity, clock: Clock) {
    this.#capacity = capacity
    this.#clock = clock
  }

  /** Carries out a request, and counts its latency, its answer or its error. A result that is available at once is
   *  not awaited. */
  meter(scope: Scope, operationName: string, run: () => MaybePromise<unknown>): MaybePromise<unknown> {
    const operation = codes.get(operationName) ?? -1
    const startedMs = this.#isTimed() ? performance.now() : undefined
    // Operations name their tables before they first wait, so what was seen until then belongs to one request.
    this.#seen = undefined
    let answer: MaybePromise<unknown>
    try {
      answer = run()
    } catch (error) {
      this.#failed(scope, this.#seen, operation, error)
      throw error
    }
    const tables = this.#seen
    if (answer instanceof Promise) return this.#meterLate(scope, tables, operation, startedMs, answer)
    this.#succeeded(tables, operation, startedMs, answer)
    return answer
  }

  async #meterLate(
    scope: Scope,
    tables: Tables,
    operation: number,
    startedMs: number | undefined,
    running: Promise<unknown>,
  ): Promise<unknown> {
    try {
      const answer = await running
      this.#succeeded(tables, operation, startedMs, answer)
      return answer
    } catch (error) {
      this.#failed(scope, tables, operation, error)
      throw error
    }
  }

  /** Called for each table that an operation on items names. */
  note(table: Table): void {
    const seen = this.#seen
    if (seen === undefined) this.#seen = table
    else if (seen !== table) this.#noteMore(table, seen)
  }

  /** Whether to measure the latency of a request. Reading the time costs about as much as all other metering; with
   *  thousands of requests per second, one in eight is enough. */
  #isTimed(): boolean {
    const request = ++this.#requests
    if ((request & 1023) === 0) {
      const nowMs = performance.now()
      this.#untimed = nowMs - this.#lookedAtMs < 500 ? 7 : 0
      this.#lookedAtMs = nowMs
    }
    return (request & this.#untimed) === 0
  }

  #succeeded(tables: Tables, operation: number, startedMs: number | undefined, answer: unknown): void {
    if (tables === undefined || operation < 0) return
    const latencyMs = startedMs === undefined ? undefined : performance.now() - startedMs
    if (isMany(tables)) {
      for (const table of tables) this.#capacity.didServe(table, operation, latencyMs, undefined)
      return
    }
    this.#capacity.didServe(tables, operation, latencyMs, returnedItems(operation, answer))
  }

  /** How the service classifies errors: its own failures, throttling, and all other errors of the client, except
   *  failed conditions, which are counted where they are checked. */
  #failed(scope: Scope, tables: Tables, operation: number, error: unknown): void {
    const nowMs = this.#clock.now()
    const named = tables === undefined ? [] : isMany(tables) ? tables : [tables]
    const count = (name: 'SystemErrors' | 'ThrottledRequests'): void => {
      if (operation < 0) return
      for (const table of named) this.#capacity.meters.of(table).table.countOperation(name, operation, nowMs)
    }
    if (!(error instanceof ServiceError) || error.code === 'InternalServerError') count('SystemErrors')
    else if (isThrottling(error)) count('ThrottledRequests')
    else if (isConflict(error)) {
      for (const table of named) this.#capacity.meters.of(table).table.count('TransactionConflict', nowMs)
    } else if (error.code !== 'ConditionalCheckFailedException') {
      this.#capacity.meters.ofAccount(scope).count('UserErrors', nowMs)
    }
  }

  #noteMore(table: Table, seen: Table | readonly Table[]): void {
    if (!isMany(seen)) this.#seen = [seen, table]
    else if (!seen.includes(table)) this.#seen = [...seen, table]
  }
}

const codes: ReadonlyMap<string, number> = new Map(meteredOperations.map((name, code) => [name, code]))

const query = codeOfOperation('Query' satisfies MeteredOperation)
const scan = codeOfOperation('Scan' satisfies MeteredOperation)
const executeStatement = codeOfOperation('ExecuteStatement' satisfies MeteredOperation)

function returnedItems(operation: number, answer: unknown): number | undefined {
  if (operation === query || operation === scan) return (answer as { readonly Count: number }).Count
  if (operation === executeStatement) return (answer as { readonly Items: readonly unknown[] }).Items.length
  return undefined
}

function isThrottling(error: ServiceError): boolean {
  return (
    error instanceof ThrottledError ||
    isCancelledFor(error, 'ProvisionedThroughputExceeded') ||
    isCancelledFor(error, 'ThrottlingError')
  )
}

function isConflict(error: ServiceError): boolean {
  return error.code === 'TransactionConflictException' || isCancelledFor(error, 'TransactionConflict')
}

function isCancelledFor({ members }: ServiceError, code: string): boolean {
  const reasons = members['CancellationReasons']
  return Array.isArray(reasons) && reasons.some((reason: { readonly Code?: unknown }) => reason.Code === code)
}

function isMany(tables: Table | readonly Table[]): tables is readonly Table[] {
  return Array.isArray(tables)
}
