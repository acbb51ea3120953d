const firstPauseMs = 500
const longestPauseMs = 60_000
const mostRemembered = 10_000

/** What could not be delivered recently, and when it is tried again. In memory: whoever takes over tries at once. */
export class Failures {
  readonly #onError: (error: unknown) => void
  readonly #failed = new Map<string, { readonly attempts: number; readonly untilMs: number }>()

  /** `onError` is called for the first failure in a row. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  mustWait(name: string): boolean {
    const failed = this.#failed.get(name)
    return failed !== undefined && performance.now() < failed.untilMs
  }

  note(name: string, error: unknown): void {
    const attempts = (this.#failed.get(name)?.attempts ?? 0) + 1
    if (attempts === 1) this.#onError(error)
    if (this.#failed.size >= mostRemembered) this.#failed.clear()
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1))
    this.#failed.set(name, { attempts, untilMs: performance.now() + pauseMs })
  }

  forget(name: string): void {
    this.#failed.delete(name)
  }
}
