/** What a record holds; undefined if it does not exist. */
export interface Value {
  readonly at: string
  readonly n: number
}

/** What is there before the clock runs. */
export interface Planted {
  /** The names in each group. */
  readonly ids: readonly string[]
  readonly valueOf: (group: string, id: string) => Value | undefined
}

interface Version {
  readonly value: Value | undefined
  /** When its write began, and when it was known to be done. */
  readonly began: number
  done: number
}

/** What was written when, so that every answer can be judged: a value is right if it was there at some moment of the call. Only
 *  what has changed is kept: what was there in the beginning is computed, so that a million records need no memory. */
export class Reference {
  readonly #planted: Planted
  readonly #versions = new Map<string, Version[]>()
  readonly #added = new Map<string, Set<string>>()
  readonly #busy = new Set<string>()
  #time = 0
  answers = 0
  writes = 0

  constructor(planted: Planted) {
    this.#planted = planted
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
    const key = keyOf(group, id)
    if (this.#busy.has(key)) return false
    this.#busy.add(key)
    try {
      const present = this.present(group, id)
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
    return this.#versionsOf(group, id).at(-1)?.value
  }

  ids(group: string): readonly string[] {
    return [...this.#planted.ids, ...(this.#added.get(group) ?? [])]
  }

  /** What is wrong with an answer for one record; undefined if nothing is. */
  judge(group: string, id: string, answer: Value | undefined, since: number): string | undefined {
    this.answers++
    const versions = this.#versionsOf(group, id)
    const possible = versions.filter((_, i) => (versions[i + 1]?.done ?? Infinity) >= since)
    const isBefore = versions.length === 0 || ((versions[0]?.began ?? 0) > 0 && (versions[0]?.done ?? 0) >= since)
    const isSame = (value: Value | undefined): boolean => value?.n === answer?.n && value?.at === answer?.at
    if (possible.some(({ value }) => isSame(value)) || (isBefore && answer === undefined)) return undefined
    return `${group}/${id} is ${JSON.stringify(answer)}, not ${JSON.stringify(possible.map(({ value }) => value ?? null))}`
  }

  #versionsOf(group: string, id: string): readonly Version[] {
    const known = this.#versions.get(keyOf(group, id))
    if (known !== undefined) return known
    const value = this.#planted.valueOf(group, id)
    return value === undefined ? [] : [{ value, began: 0, done: 0 }]
  }

  #add(group: string, id: string, version: Version): void {
    const versions = [...this.#versionsOf(group, id)]
    // Only what a call that is under way can see matters.
    if (versions.length > 20) versions.splice(0, 10)
    versions.push(version)
    this.#versions.set(keyOf(group, id), versions)
    if (this.#planted.valueOf(group, id) !== undefined) return
    const ids = this.#added.get(group) ?? new Set()
    this.#added.set(group, ids)
    ids.add(id)
  }
}

function keyOf(group: string, id: string): string {
  return `${group}/${id}`
}
