/** A write of one item. Versions of an item only grow; what a version holds follows from its number. */
export interface Write {
  readonly key: string
  readonly version: number
  readonly isDelete: boolean
}

/** What a stream must show of a write. */
export interface Change extends Write {
  /** The version it replaced, if there was an item. */
  readonly replaced: number | undefined
}

interface Entry {
  /** The latest version that is known to have been written. */
  version: number
  isThere: boolean
  /** The latest that was ever asked for: numbers are not used twice. */
  highest: number
}

/** What clients know: which writes were acknowledged, and which may or may not have happened. An item is written by one client, one write
 *  at a time, so that after a crash it holds what was acknowledged last or what was asked for last, and nothing else. */
export class Ledger {
  readonly #entries = new Map<string, Entry>()
  readonly #pending = new Set<readonly Write[]>()
  #changes: Change[] = []
  acknowledged = 0

  isThere(key: string): boolean {
    return this.#entry(key).isThere
  }

  /** Notes that these writes are about to be asked for, all or nothing. */
  ask(wanted: readonly { readonly key: string; readonly isDelete: boolean }[]): readonly Write[] {
    const writes = wanted.map(({ key, isDelete }) => ({ key, isDelete, version: ++this.#entry(key).highest }))
    this.#pending.add(writes)
    return writes
  }

  acknowledge(writes: readonly Write[]): void {
    this.#pending.delete(writes)
    this.acknowledged += writes.length
    this.#apply(writes)
  }

  /** Compares with what is stored: the versions of all items there are. Afterwards nothing is uncertain any more. Answers what is wrong, and
   *  which of the uncertain writes have not happened. */
  settle(stored: ReadonlyMap<string, number>): {
    readonly problems: readonly string[]
    readonly unwritten: ReadonlySet<readonly Write[]>
  } {
    const problems: string[] = []
    const unwritten = new Set<readonly Write[]>()
    for (const writes of this.#pending) {
      const isWritten = writes.map(({ key, version, isDelete }) =>
        isDelete ? !stored.has(key) : stored.get(key) === version,
      )
      if (isWritten.every(Boolean)) this.#apply(writes)
      else if (isWritten.some(Boolean)) problems.push(`half a transaction: ${describe(writes, isWritten)}`)
      else unwritten.add(writes)
    }
    this.#pending.clear()
    for (const [key, { version, isThere }] of this.#entries) {
      const found = stored.get(key)
      if (found === (isThere ? version : undefined)) continue
      const expected = isThere ? `version ${version}` : `nothing: version ${version} was a deletion`
      problems.push(`${key} holds ${found === undefined ? 'nothing' : `version ${found}`} instead of ${expected}`)
    }
    for (const key of stored.keys()) {
      if (!this.#entries.has(key)) problems.push(`${key} was never written`)
    }
    return { problems, unwritten }
  }

  /** All changes since this was last asked for, each item's in order. */
  takeChanges(): readonly Change[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  #apply(writes: readonly Write[]): void {
    for (const write of writes) {
      const entry = this.#entry(write.key)
      this.#changes.push({ ...write, replaced: entry.isThere ? entry.version : undefined })
      entry.version = write.version
      entry.isThere = !write.isDelete
    }
  }

  #entry(key: string): Entry {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry: Entry = { version: 0, isThere: false, highest: 0 }
    this.#entries.set(key, entry)
    return entry
  }
}

function describe(writes: readonly Write[], isWritten: readonly boolean[]): string {
  return writes
    .map(({ key, version }, index) => `${key} version ${version} ${isWritten[index] ? 'was' : 'was not'} written`)
    .join(', ')
}
