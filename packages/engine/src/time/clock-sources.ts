import { uptime } from 'node:os'
import type { Store } from '../store/store.ts'
import type { ClockReading } from './clock-estimate.ts'

/** What there is to tell the time by. */
export interface ClockSources {
  /** What the clock of this machine says, which somebody may set. */
  readonly wall: () => number
  /** Milliseconds that nobody sets. It may stand still while the machine sleeps. */
  readonly counter: () => number
  /** Milliseconds since the machine has started, and those in which it slept are among them. */
  readonly uptime: () => number
}

export const systemSources: ClockSources = {
  wall: () => Date.now(),
  counter: () => performance.now(),
  uptime: () => uptime() * 1000,
}

/** Reads the clock that a store goes by: its own, or this machine's. An answer that was under way for a while tells a time that was
 *  somewhere in between. */
export function readerOf(store: Store, { wall, counter }: ClockSources): () => Promise<ClockReading> {
  return async () => {
    const answer = await store.time?.()
    if (answer === undefined) return { atMs: wall(), errorMs: 0, counterMs: counter() }
    const { atMs, tookMs } = answer
    return { atMs: atMs + tookMs / 2, errorMs: tookMs / 2, counterMs: counter() }
  }
}
