export interface Stopping {
  readonly aborted: boolean
}

/** Background work. Each piece is divided into short transactions, checks between them whether to stop, and can be
 *  continued by the next process. */
export class BackgroundWork {
  readonly #running = new Set<Promise<void>>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stop = new AbortController()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Aborted when all work is to stop. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  run(work: (stopping: Stopping) => Promise<void>): void {
    if (this.#stop.signal.aborted) return
    const running = work(this.#stop.signal)
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#onError(error)
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Repeats `work`, with a pause of `pauseMs` between its end and its next start. */
  every(pauseMs: number, work: (stopping: Stopping) => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.run(async (stopping) => {
        try {
          await work(stopping)
        } finally {
          if (!stopping.aborted) this.every(pauseMs, work)
        }
      })
    }, pauseMs)
    timer.unref()
    this.#timers.add(timer)
  }

  /** Resolves when all running work has ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#running)
  }
}

/** Lets requests run between two pieces of background work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
