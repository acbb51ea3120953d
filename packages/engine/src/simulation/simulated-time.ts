import type { StoreTimers } from '../store/store-timers.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Thrown into everything that is running when the machine stops. */
export class SimulatedCrash extends Error {}

interface Task {
  readonly run: () => void
}

interface Timer extends Task {
  readonly atMs: number
}

/** The order in which things happen: one at a time, chosen by the seed. Disk requests are carried out when it is
 *  their turn; time passes when nothing else is left to do, or now and then before. After a number of steps the
 *  machine stops. */
export class SimulatedTime implements StoreTimers {
  readonly #random: SeededRandom
  readonly #tasks: Task[] = []
  readonly #timers = new Set<Timer>()
  #nowMs = 0
  #stepsLeft: number
  #hasStopped = false
  #realWaits = 0

  constructor(random: SeededRandom, stepsUntilCrash: number) {
    this.#random = random
    this.#stepsLeft = stepsUntilCrash
  }

  get hasStopped(): boolean {
    return this.#hasStopped
  }

  now(): number {
    return this.#nowMs
  }

  after(ms: number, run: () => void): { cancel(): void } {
    const timer = { atMs: this.#nowMs + ms, run }
    this.#timers.add(timer)
    return { cancel: () => this.#timers.delete(timer) }
  }

  /** Something that happens later, unless the machine stops first. */
  later<T>(run: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#tasks.push({
        run: () => {
          try {
            resolve(run())
          } catch (error) {
            reject(error)
          }
        },
      })
    })
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve)
    })
  }

  /** Counts a step that happens at once. */
  step(): void {
    if (this.#hasStopped) throw new SimulatedCrash()
    if (this.#stepsLeft-- > 0) return
    this.#hasStopped = true
    throw new SimulatedCrash()
  }

  /** Lets things happen until `work` has settled or the machine has stopped. */
  async run(work: Promise<unknown>): Promise<void> {
    let isDone = false
    const settled = (): void => {
      isDone = true
    }
    work.then(settled, settled)
    for (;;) {
      await everythingThatIsReady()
      if (isDone || this.#hasStopped) return
      if (await this.#isWaitingForSomethingReal()) continue
      if (this.#stepsLeft-- <= 0) {
        this.#hasStopped = true
        return
      }
      this.#next()
    }
  }

  /** Code that is loaded on first use takes time. */
  async #isWaitingForSomethingReal(): Promise<boolean> {
    if (this.#tasks.length > 0 || this.#timers.size > 0) return false
    if (this.#realWaits++ > 1_000) throw new Error('the simulation has come to a standstill')
    await new Promise((resolve) => {
      setTimeout(resolve, 1)
    })
    return true
  }

  #next(): void {
    const isIdle = this.#tasks.length === 0
    const timer = isIdle || this.#random.chance(0.03) ? this.#earliest() : undefined
    // A disk is slow, but not for hours.
    if (timer !== undefined && (isIdle || timer.atMs - this.#nowMs < longestWaitMs)) {
      this.#timers.delete(timer)
      this.#nowMs = Math.max(this.#nowMs, timer.atMs)
      timer.run()
      return
    }
    const [task] = this.#tasks.splice(this.#random.below(this.#tasks.length), 1)
    if (task === undefined) throw new Error('the simulation has come to a standstill')
    this.#nowMs += this.#random.below(40)
    task.run()
  }

  #earliest(): Timer | undefined {
    let earliest: Timer | undefined
    for (const timer of this.#timers) if (earliest === undefined || timer.atMs < earliest.atMs) earliest = timer
    return earliest
  }
}

const longestWaitMs = 5_000

/** Promises that are already settled run first. */
function everythingThatIsReady(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
