import type { Worker } from 'node:worker_threads'
import type { Logger } from '../logger.ts'
import type { MetricFamily } from '../metrics/metric-family.ts'
import type { Activity } from './activity.ts'
import { watchdogThread } from './watchdog-thread.ts'

export interface WatchdogOptions {
  /** How long the event loop may be blocked before it is reported. */
  readonly stallMs?: number
  /** How long before it is reported while it is still blocked. */
  readonly hungMs?: number
  /** How long after the start it begins to watch, so that it does not slow down the first requests. */
  readonly afterMs?: number
}

/** Reports when the event loop was blocked: everybody waits then, and nobody knows why. A separate thread watches,
 *  because a blocked loop only notices it afterwards, if ever, and no longer knows what it was doing. */
export class Watchdog {
  readonly #activity: Activity
  readonly #logger: Logger
  readonly #options: Required<WatchdogOptions>
  readonly #starting: NodeJS.Timeout
  #beating: NodeJS.Timeout | undefined
  #thread: Worker | undefined
  #beatMs = performance.now()
  #cpuUsage = process.cpuUsage()
  #isStopped = false
  #stalls = 0
  #stalledMs = 0

  constructor(activity: Activity, logger: Logger, options: WatchdogOptions = {}) {
    this.#activity = activity
    this.#logger = logger
    this.#options = { stallMs: 1_000, hungMs: 10_000, afterMs: 1_000, ...options }
    this.#starting = setTimeout(() => void this.#start(), this.#options.afterMs).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#starting)
    clearInterval(this.#beating)
    await this.#thread?.terminate()
  }

  *metricFamilies(): Iterable<MetricFamily> {
    yield {
      name: 'hashrange_event_loop_stalls',
      help: 'How often the event loop was blocked for a second or longer.',
      type: 'counter',
      samples: [{ labels: {}, value: this.#stalls }],
    }
    yield {
      name: 'hashrange_event_loop_stalled_seconds',
      help: 'How long the event loop was blocked, in total, when it was blocked for a second or longer.',
      type: 'counter',
      unit: 'seconds',
      samples: [{ labels: {}, value: this.#stalledMs / 1000 }],
    }
  }

  /** Its code is loaded when it begins: a start need not wait for it. */
  async #start(): Promise<void> {
    const { Worker } = await import('node:worker_threads')
    if (this.#isStopped) return
    const { stallMs, hungMs } = this.#options
    const lookMs = stallMs / 4
    const workerData = { shared: this.#activity.shared, names: this.#activity.names, lookMs, stallMs, hungMs }
    const thread = new Worker(watchdogThread, { eval: true, workerData, stdout: false, stderr: false })
    thread.unref()
    // Without it everything else continues.
    thread.on('error', (error) => this.#logger.error('hashrange: the event loop is no longer watched:', error))
    this.#thread = thread
    this.#beatMs = performance.now()
    this.#beating = setInterval(() => this.#beat(lookMs), lookMs).unref()
  }

  #beat(lookMs: number): void {
    const nowMs = performance.now()
    const stillMs = nowMs - this.#beatMs - lookMs
    const { user, system } = process.cpuUsage(this.#cpuUsage)
    this.#beatMs = nowMs
    this.#cpuUsage = process.cpuUsage()
    this.#activity.beat()
    const stall = this.#activity.takeStall()
    if (stall === undefined || stillMs < this.#options.stallMs) return
    this.#stalls++
    this.#stalledMs += stillMs
    this.#logger.error(describe(stall.operation, stillMs / 1000, (user + system) / 1e6))
  }
}

/** A process that had little CPU time was not computing but waiting. */
function describe(operation: string | undefined, stillS: number, cpuS: number): string {
  const where = operation === undefined ? 'while no request was being processed' : `in ${operation}`
  const why =
    cpuS < stillS / 2
      ? ` It got only ${cpuS.toFixed(1)} s of CPU time: the machine is busy, or its disk is slow.`
      : ''
  return `hashrange: nothing was answered for ${stillS.toFixed(1)} s: the event loop was blocked ${where}.${why}`
}
