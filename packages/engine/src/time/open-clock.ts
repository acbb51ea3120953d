import type { Clock } from '../clock.ts'
import { StorageError } from '../store/storage-error.ts'
import { timeOfSequence } from '../store/sequence.ts'
import type { Store } from '../store/store.ts'
import { leadOf, stepMs } from './clock-eras.ts'
import type { ClockReading } from './clock-estimate.ts'
import { readerOf, systemSources, type ClockSources } from './clock-sources.ts'
import { behindDataMessage, notCredibleMessage, refusedMessage } from './clock-messages.ts'
import { readClockRecord, recordSetBack, type ClockRecord } from './clock-record.ts'
import { FollowedClock, isCredible } from './followed-clock.ts'
import { OwnedClock } from './owned-clock.ts'
import type { StoreClock } from './store-clock.ts'

export interface ClockOptions {
  readonly store: Store
  /** Returns the time, in place of the store's own clock. */
  readonly clock?: Clock
  /** How far the clock of this server may be off from that of a database before the server refuses to start; five
   *  minutes by default, which is what AWS tolerates of its clients. */
  readonly maxClockOffsetMs?: number | undefined
  /** Called with a sentence about clocks that an operator should know. */
  readonly onClock?: ((sentence: string) => void) | undefined
}

/** The clock of a store. A server whose own clock is off by too much is rejected. */
export function openClock(options: ClockOptions): Promise<StoreClock> {
  const { store, clock } = options
  return clock === undefined ? openFollowedClock(options) : openOwnedClock(store, clock)
}

export async function openFollowedClock(options: ClockOptions, sources = systemSources): Promise<FollowedClock> {
  const { store, maxClockOffsetMs: maxOffsetMs = 5 * 60_000, onClock: tell = () => undefined } = options
  const read = readerOf(store, sources)
  const isElsewhere = store.time !== undefined
  const first = isElsewhere ? await bestOf(read, 3) : await read()
  if (!isCredible(first)) throw new StorageError('clock', notCredibleMessage(first.atMs, isElsewhere))
  if (isElsewhere) assertNear(first, sources, maxOffsetMs)
  const record = await recordAt(store, first.atMs, (behindMs) => tell(behindDataMessage(isElsewhere, behindMs)))
  return new FollowedClock({ store, sources, read, tell }, first, record)
}

async function openOwnedClock(store: Store, clock: Clock): Promise<OwnedClock> {
  return new OwnedClock(store, clock, await recordAt(store, clock.now(), () => undefined))
}

/** What is known about a clock that shows `nowMs` when its store is opened: if the logs are ahead of it, it was set
 *  back while nobody looked. */
async function recordAt(store: Store, nowMs: number, onBehind: (byMs: number) => void): Promise<ClockRecord> {
  const record = await readClockRecord(store)
  const lastMs = timeOfSequence((await store.lastSequence?.()) ?? 0n)
  const behindMs = lastMs - leadOf(record.eras) - nowMs
  if (behindMs <= stepMs) return record
  onBehind(behindMs)
  return recordSetBack(store, { nowMs, steadyMs: lastMs })
}

/** The reading that took the shortest time. */
async function bestOf(read: () => Promise<ClockReading>, count: number): Promise<ClockReading> {
  let best = await read()
  for (let more = 1; more < count; more++) {
    const reading = await read()
    if (reading.errorMs < best.errorMs) best = reading
  }
  return best
}

function assertNear({ atMs, errorMs, counterMs }: ClockReading, sources: ClockSources, maxOffsetMs: number): void {
  const wallMs = sources.wall()
  const aheadMs = wallMs - (atMs + sources.counter() - counterMs)
  if (Math.abs(aheadMs) <= maxOffsetMs + errorMs) return
  const problem = { kind: 'clock-off', offMs: Math.abs(aheadMs) } as const
  throw new StorageError('clock', refusedMessage(aheadMs, maxOffsetMs, wallMs), undefined, problem)
}
