import { ServiceError } from '@hashrange/core'
import type { LambdaFunction } from './lambda-function.ts'
import type { Invoked } from './runner.ts'

const mostWaiting = 1_000
/** Lambda tries twice more, after a minute and after another two. */
const retriesMs = [60_000, 120_000]

/** Calls whose callers do not wait (`InvocationType: Event`). They are in memory: a restart loses them. */
export class EventQueue {
  readonly #call: (called: LambdaFunction, payload: Buffer) => Promise<Invoked>
  readonly #report: (sentence: string) => void
  readonly #stopping: AbortSignal
  #waiting = 0

  constructor(
    call: (called: LambdaFunction, payload: Buffer) => Promise<Invoked>,
    report: (sentence: string) => void,
    stopping: AbortSignal,
  ) {
    this.#call = call
    this.#report = report
    this.#stopping = stopping
  }

  add(called: LambdaFunction, payload: Buffer): void {
    if (this.#waiting >= mostWaiting) throw new ServiceError('TooManyRequestsException', 'Rate Exceeded.')
    this.#waiting++
    void this.#deliver(called, payload).finally(() => this.#waiting--)
  }

  async #deliver(called: LambdaFunction, payload: Buffer): Promise<void> {
    for (const pauseMs of [...retriesMs, undefined]) {
      const invoked = await this.#call(called, payload).catch(() => undefined)
      if ((invoked !== undefined && invoked.functionError === undefined) || this.#stopping.aborted) return
      if (pauseMs === undefined) break
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
      if (this.#stopping.aborted) return
    }
    this.#report(`An event for ${called.name} was discarded after three attempts.`)
  }
}
