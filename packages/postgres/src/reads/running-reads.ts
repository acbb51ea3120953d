import type { MaybePromise } from '@hashrange/engine'
import { rethrowAsStorageError } from '../connection/rethrow.ts'

/** Closing a store waits for the reads that are still running. */
export class RunningReads {
  #count = 0
  #whenNone: (() => void)[] = []

  /** Counts a read until it has ended. What the database says of its failure becomes an error of the store. */
  counted<T>(result: MaybePromise<T>): MaybePromise<T> {
    if (!(result instanceof Promise)) return result
    this.#count++
    return result.then(
      (answer) => {
        this.#ended()
        return answer
      },
      (error: unknown) => {
        this.#ended()
        return rethrowAsStorageError(error)
      },
    )
  }

  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#whenNone.push(resolve))
  }

  #ended(): void {
    this.#count--
    if (this.#count === 0) for (const resolve of this.#whenNone.splice(0)) resolve()
  }
}
