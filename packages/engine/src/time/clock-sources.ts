import { uptime } from 'node:os'
import type { Store } from '../store/store.ts'
import type { ClockReading } from './clock-estimate.ts'

/** The sources of time. */
export interface ClockSources {
  /** The clock of this machine, which somebody may set. */
  readonly wall: () => number
  /** Milliseconds that nobody can set. It may stand still while the machine sleeps. */
  readonly counter: () => number
  /** Milliseconds since the machine started, including sleep. */
  readonly uptime: () => number
}

export const systemSources: ClockSources = {
  wall: () => Date.now(),
  counter: () => performance.now(),
  uptime: () => uptime() * 1000,
}

/** Reads the clock that a store uses: its own, or this machine's. If the answer took a while, the time it shows was
 *  somewhere in between. */
export function readerOf(store: Store, { wall, counter }: ClockSources): () => Promise<ClockReading> {
  return async () => {
    const answer = await store.time?.()
    if (answer === undefined) return readHere(wall, counter)
    const { atMs, tookMs } = answer
    return { atMs: atMs + tookMs / 2, errorMs: tookMs / 2, counterMs: counter() }
  }
}

/** On a busy machine, other processes may run between the two readings. Then the difference is uncertain by as much. */
function readHere(wall: () => number, counter: () => number): ClockReading {
  const beforeMs = counter()
  const atMs = wall()
  const afterMs = counter()
  // The wall clock counts whole milliseconds.
  return { atMs, errorMs: Math.floor((afterMs - beforeMs) / 2), counterMs: (beforeMs + afterMs) / 2 }
}
