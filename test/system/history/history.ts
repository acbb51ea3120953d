/** One operation of a client on lists that are only ever appended to. Every value is appended at most once, so that a list that is
 *  read tells which appends came before it, and in which order. */
export interface Operation {
  readonly id: number
  readonly client: string
  readonly invokedAtMs: number
  /** Infinite where no answer came: then it has happened at some time, or never. */
  readonly completedAtMs: number
  readonly appends: ReadonlyMap<string, string>
  /** What each list was seen to hold; for a list that it appends to, before the append. */
  readonly reads: ReadonlyMap<string, readonly string[]>
}

/** Records operations as clients carry them out. */
export class History {
  readonly operations: Operation[] = []
  #nextId = 0

  /** Runs `attempt`, which answers what it read. A definite refusal is no part of the history unless it tells what it saw. */
  async record(
    client: string,
    appends: ReadonlyMap<string, string>,
    attempt: () => Promise<Outcome>,
  ): Promise<Outcome['kind']> {
    const id = this.#nextId++
    const invokedAtMs = performance.now()
    const outcome = await attempt()
    const completedAtMs = performance.now()
    switch (outcome.kind) {
      case 'done':
        this.operations.push({ id, client, invokedAtMs, completedAtMs, appends, reads: outcome.reads })
        break
      case 'refused':
        if (outcome.reads.size > 0) {
          const none = new Map<string, string>()
          this.operations.push({ id, client, invokedAtMs, completedAtMs, appends: none, reads: outcome.reads })
        }
        break
      case 'unknown':
        this.operations.push({ id, client, invokedAtMs, completedAtMs: Infinity, appends, reads: new Map() })
        break
    }
    return outcome.kind
  }
}

export interface Outcome {
  /** `unknown`: it may have happened, may still happen, or not. */
  readonly kind: 'done' | 'refused' | 'unknown'
  readonly reads: ReadonlyMap<string, readonly string[]>
}
