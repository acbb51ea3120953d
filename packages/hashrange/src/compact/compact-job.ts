import { StorageError, type CompactedStore, type Store } from '@hashrange/engine'

/** The progress of a compaction. */
export interface CompactState {
  readonly entries: number
  readonly ofEntries: number
  /** At the end: the outcome, or why it was given up. */
  readonly compacted?: CompactedStore
  readonly failure?: string
}

/** A compaction within a server, which continues whether anybody asks for it or not. */
export class CompactJob {
  readonly #stopping = { aborted: false }
  #state: CompactState = { entries: 0, ofEntries: 0 }
  #isOver = false
  readonly #over: Promise<void>

  constructor(compact: NonNullable<Store['compact']>) {
    this.#over = this.#run(compact)
  }

  /** Its progress, after a moment, or as soon as it is over. */
  async state(): Promise<CompactState> {
    let timer: NodeJS.Timeout | undefined
    const moment = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs)
    })
    await Promise.race([this.#over, moment])
    clearTimeout(timer)
    return this.#state
  }

  stop(): void {
    this.#stopping.aborted = true
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async #run(compact: NonNullable<Store['compact']>): Promise<void> {
    try {
      const compacted = await compact({
        stopping: this.#stopping,
        onProgress: (entries, ofEntries) => {
          this.#state = { entries, ofEntries }
        },
      })
      this.#state = { ...this.#state, compacted }
    } catch (error) {
      const failure = error instanceof StorageError ? error.message : `The compaction failed: ${String(error)}`
      this.#state = { ...this.#state, failure }
    }
    this.#isOver = true
  }
}

const waitMs = 500
