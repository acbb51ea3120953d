/** Runs a few pieces of work at a time; the others wait for their turn, in order of arrival. */
export class Turns {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
