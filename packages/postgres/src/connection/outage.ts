import { StorageError } from '@hashrange/engine'
import { isRefusedWrite, takesNoWrites } from '../address/takes-no-writes.ts'
import { LinkLost, Unanswered } from './sql-error.ts'

/** What an outage concerns: some connections to the database. */
export interface Affected {
  /** How many connections there are. */
  readonly size: number
  /** When one of them last answered. */
  readonly answeredAtMs: number
  /** Rejects requests that wait for a connection, and closes idle connections. */
  refuse(error: StorageError): void
}

/** Knows whether the database answers. While it does not, requests are rejected at once, instead of waiting as long
 *  as the first ones did. From time to time it is tried, and the first success ends the outage. */
export class Outage {
  readonly #attempt: () => Promise<void>
  readonly #affected: Affected[] = []
  #refusal: StorageError | undefined
  #timer: NodeJS.Timeout | undefined
  #isSilent = false
  #count = 0
  #isClosed = false

  constructor(attempt: () => Promise<void>) {
    this.#attempt = attempt
  }

  /** Why requests are rejected right now; undefined while the database answers. */
  get refusal(): StorageError | undefined {
    return this.#refusal
  }

  /** Whether it began because the database, though connected, was silent. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /** How many there have been. */
  get count(): number {
    return this.#count
  }

  concerns(affected: Affected): void {
    this.#affected.push(affected)
  }

  /** A connection could not be created. As long as others exist, the database answers, though perhaps not everybody. */
  suspect(cause: unknown): void {
    if (this.#affected.every(({ size }) => size === 0)) this.begin(cause)
  }

  /** A statement was not answered in time. If others are answered meanwhile, the database is not silent: it may wait for
   *  one of its nodes, or for a standby that has to confirm a commit. */
  suspectSilence(cause: Unanswered, freshMs: number): void {
    const answeredAtMs = Math.max(...this.#affected.map((affected) => affected.answeredAtMs))
    if (performance.now() - answeredAtMs > freshMs) this.begin(cause)
  }

  begin(cause: unknown): void {
    if (this.#isClosed || this.#refusal !== undefined) return
    const refusal = unreachable(cause)
    this.#refusal = refusal
    this.#isSilent = cause instanceof Unanswered
    this.#count++
    for (const affected of this.#affected) affected.refuse(refusal)
    this.#tryLater()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #tryLater(): void {
    this.#timer = setTimeout(() => void this.#try(), retryAfterMs)
    this.#timer.unref()
  }

  async #try(): Promise<void> {
    try {
      await this.#attempt()
      this.#refusal = undefined
      this.#isSilent = false
    } catch (cause) {
      // The latest reason says more than the first: "did not answer" may have become "is starting up".
      this.#refusal = unreachable(cause)
      if (!this.#isClosed) this.#tryLater()
    }
  }
}

const retryAfterMs = 250

export function unreachable(cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  if (isRefusedWrite(cause)) return takesNoWrites('one of them', cause)
  const reason = cause instanceof Error ? cause.message : String(cause)
  const known = cause instanceof LinkLost ? reason : `The database cannot be reached (${reason}).`
  return new StorageError('unavailable', known, cause)
}
