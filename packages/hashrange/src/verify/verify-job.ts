import { StorageError, type Store } from '@hashrange/engine'
import { verifyStore, type Finding, type VerifyProgress, type VerifyReport } from '@hashrange/engine/verify'

/** What a verification has to report since the last call. */
export interface VerifyPiece {
  readonly findings: readonly Finding[]
  readonly progress: VerifyProgress | undefined
  /** At the end: the outcome, or why it could not continue. */
  readonly report?: VerifyReport
  readonly failure?: string
}

export interface VerifyJobOptions {
  readonly store: Store
  readonly table: string | undefined
  readonly repair: boolean
}

/** A verification within a server, which is asked for its progress. If nobody asks for a minute, it ends. */
export class VerifyJob {
  readonly #stopping = { aborted: false }
  readonly #onOver: () => void
  #findings: Finding[] = []
  #progress: VerifyProgress | undefined
  #report: VerifyReport | undefined
  #failure: string | undefined
  /** The last response, and its number: it may have been lost on its way. */
  #piece: { readonly number: number; readonly piece: VerifyPiece } | undefined
  #watch: NodeJS.Timeout | undefined
  #wake: () => void = () => undefined

  constructor(options: VerifyJobOptions, onOver: () => void) {
    this.#onOver = onOver
    this.#watchForReader()
    void this.#run(options)
  }

  /** The next piece, once there is something to report, or after a moment. Undefined if it is neither the next nor
   *  the last one again. */
  async read(number: number): Promise<VerifyPiece | undefined> {
    const last = this.#piece
    if (last?.number === number) return last.piece
    if (number !== (last?.number ?? -1) + 1) return undefined
    this.#watchForReader()
    if (this.#findings.length === 0 && this.isRunning) await this.#somethingToTell()
    const piece = this.#takePiece()
    this.#piece = { number, piece }
    return piece
  }

  stop(): void {
    this.#stopping.aborted = true
  }

  get isRunning(): boolean {
    return this.#report === undefined && this.#failure === undefined
  }

  async #run(options: VerifyJobOptions): Promise<void> {
    try {
      this.#report = await verifyStore({
        ...options,
        stopping: this.#stopping,
        onFinding: (finding) => {
          // The report contains the number of those that are not listed.
          if (this.#findings.length < mostWaiting) this.#findings.push(finding)
          this.#wake()
        },
        onProgress: (progress) => {
          this.#progress = progress
        },
      })
    } catch (error) {
      this.#failure = error instanceof StorageError ? error.message : `The verification failed: ${String(error)}`
    }
    this.#wake()
  }

  #takePiece(): VerifyPiece {
    const findings = this.#findings.slice(0, mostAtOnce)
    this.#findings = this.#findings.slice(mostAtOnce)
    const piece = { findings, progress: this.#progress }
    if (this.isRunning || this.#findings.length > 0) return piece
    return {
      ...piece,
      ...(this.#report !== undefined && { report: this.#report }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
    }
  }

  #somethingToTell(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #watchForReader(): void {
    clearTimeout(this.#watch)
    this.#watch = setTimeout(() => {
      this.stop()
      this.#onOver()
    }, patienceMs).unref()
  }
}

const waitMs = 500
const patienceMs = 60_000
const mostAtOnce = 1_000
const mostWaiting = 100_000
