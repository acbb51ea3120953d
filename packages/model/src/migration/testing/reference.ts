/** What a record holds; undefined if it does not exist. */
export interface Value {
  readonly at: string
  readonly n: number
}

interface Version {
  readonly value: Value | undefined
  /** When its write began, and when it was known to be done. */
  readonly began: number
  done: number
}

/** What was written when, so that every answer can be judged: a value is right if it was there at some moment of the call. */
export class Reference {
  readonly #versions = new Map<string, Version[]>()
  readonly #groups = new Map<string, Set<string>>()
  readonly #busy = new Set<string>()
  #time = 0
  answers = 0
  writes = 0

  /** What is there before the clock runs. */
  plant(group: string, id: string, value: Value): void {
    this.#add(group, id, { value, began: 0, done: 0 })
  }

  tick(): number {
    return ++this.#time
  }

  /** Writes one record; each has one writer at a time. False if someone else is writing it. */
  async write(
    group: string,
    id: string,
    write: (present: Value | undefined) => Promise<Value | undefined>,
    next: (present: Value | undefined) => Value | undefined,
  ): Promise<boolean> {
    const key = JSON.stringify([group, id])
    if (this.#busy.has(key)) return false
    this.#busy.add(key)
    try {
      const present = this.#versions.get(key)?.at(-1)?.value
      const version: Version = { value: next(present), began: this.tick(), done: Infinity }
      this.#add(group, id, version)
      await write(present)
      version.done = this.tick()
      this.writes++
      return true
    } finally {
      this.#busy.delete(key)
    }
  }

  present(group: string, id: string): Value | undefined {
    return this.#versions.get(JSON.stringify([group, id]))?.at(-1)?.value
  }

  ids(group: string): readonly string[] {
    return [...(this.#groups.get(group) ?? [])]
  }

  /** What is wrong with an answer for one record; undefined if nothing is. */
  judge(group: string, id: string, answer: Value | undefined, since: number): string | undefined {
    this.answers++
    const versions = this.#versions.get(JSON.stringify([group, id])) ?? []
    const possible = versions.filter((_, i) => (versions[i + 1]?.done ?? Infinity) >= since)
    const isBefore = versions.length === 0 || ((versions[0]?.began ?? 0) > 0 && (versions[0]?.done ?? 0) >= since)
    const isSame = (value: Value | undefined): boolean => value?.n === answer?.n && value?.at === answer?.at
    if (possible.some(({ value }) => isSame(value)) || (isBefore && answer === undefined)) return undefined
    return `${group}/${id} is ${JSON.stringify(answer)}, not ${JSON.stringify(possible.map(({ value }) => value ?? null))}`
  }

  #add(group: string, id: string, version: Version): void {
    const key = JSON.stringify([group, id])
    const versions = this.#versions.get(key) ?? []
    this.#versions.set(key, versions)
    // Only what a call that is under way can see matters.
    if (versions.length > 20) versions.splice(0, 10)
    versions.push(version)
    const ids = this.#groups.get(group) ?? new Set()
    this.#groups.set(group, ids)
    ids.add(id)
  }
}
