import { stepMs } from './clock-eras.ts'
import type { ClockSources } from './clock-sources.ts'
import { serverOffMessage, serverRightMessage } from './clock-messages.ts'
import type { ClockOffset } from './store-clock.ts'

/** Watches the clock of a server whose store uses another, and reports when it is off. */
export class ServerWatch {
  readonly #sources: ClockSources
  readonly #tell: (sentence: string) => void
  #wallLeadMs: number
  #toldOffMs = 0
  #toldAtMs = Number.NEGATIVE_INFINITY

  constructor(sources: ClockSources, tell: (sentence: string) => void) {
    this.#sources = sources
    this.#tell = tell
    this.#wallLeadMs = sources.wall() - sources.counter()
  }

  /** Whether it has been set since the last call, or the machine has slept. */
  hasJumped(): boolean {
    const leadMs = this.#sources.wall() - this.#sources.counter()
    const byMs = leadMs - this.#wallLeadMs
    this.#wallLeadMs = leadMs
    return Math.abs(byMs) > stepMs
  }

  /** Reports that it is off, off by a different amount, or right again; not all the time if it jumps back and forth. */
  compare({ serverAheadMs, errorMs }: ClockOffset): void {
    const offMs = Math.abs(serverAheadMs) > toldFromMs + errorMs ? serverAheadMs : 0
    const isKnown = Math.abs(offMs - this.#toldOffMs) <= toldFromMs + errorMs
    const counterMs = this.#sources.counter()
    if (isKnown || counterMs - this.#toldAtMs < tellEveryMs) return
    this.#toldOffMs = offMs
    this.#toldAtMs = counterMs
    this.#tell(offMs === 0 ? serverRightMessage() : serverOffMessage(offMs))
  }
}

const toldFromMs = 1_000
const tellEveryMs = 10_000
