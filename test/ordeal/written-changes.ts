import { closeSync, existsSync, openSync, readSync } from 'node:fs'

/** What a function has written down, read as it grows: a million lines are read once. */
export class WrittenChanges {
  readonly #file: string
  /** The last change of each item. */
  readonly #last = new Map<string, number>()
  /** The line in which each change of an item was written down first. */
  readonly #firstLines = new Map<string, number[]>()
  readonly problems: string[] = []
  lines = 0
  #offset = 0
  #rest = ''

  constructor(file: string) {
    this.#file = file
  }

  read(): void {
    if (!existsSync(this.#file)) return
    const file = openSync(this.#file, 'r')
    const buffer = Buffer.alloc(1 << 20)
    try {
      for (let count = 1; count > 0;) {
        count = readSync(file, buffer, 0, buffer.length, this.#offset)
        this.#offset += count
        const lines = (this.#rest + buffer.toString('latin1', 0, count)).split('\n')
        this.#rest = lines.pop() ?? ''
        for (const line of lines) this.#add(line)
      }
    } finally {
      closeSync(file)
    }
  }

  /** Whether all of these items were delivered up to this change. */
  has(keys: readonly string[], round: number): boolean {
    return keys.every((key) => this.#last.get(key) === round)
  }

  lastOf(key: string): number {
    return this.#last.get(key) ?? 0
  }

  firstLineOf(key: string, round: number): number {
    return this.#firstLines.get(key)?.[round] ?? Infinity
  }

  /** The first time that a change is written down, the one before it has been. */
  #add(line: string): void {
    const [key = '', text = ''] = line.split(' ')
    const round = Number(text)
    const before = this.lastOf(key)
    if (round > before + 1) this.problems.push(`${key} was delivered with ${round} after ${before}`)
    if (round > before) {
      this.#last.set(key, round)
      let first = this.#firstLines.get(key)
      if (first === undefined) this.#firstLines.set(key, (first = []))
      first[round] = this.lines
    }
    this.lines++
  }
}
