/** Which write an item is from: when it was made, and in which region. The later of two writes wins. */
export interface Stamp {
  /** Microseconds since 1970 by the calendar, or later: see `nextStamp`. */
  readonly micros: number
  readonly region: string
}

/** The stamp of a write in `region`. It is later than every write of the item that the region has seen, even if clocks
 *  differ or one was set back: whoever has seen a write and then writes, wins. */
export function nextStamp(previous: Stamp | undefined, nowMs: number, region: string): Stamp {
  const nowMicros = Math.floor(nowMs * 1000)
  return { micros: previous === undefined ? nowMicros : Math.max(nowMicros, previous.micros + 1), region }
}

/** Whether one write wins over another. All replicas decide alike: of two writes in the same microsecond, that of the
 *  region whose name comes later wins. */
export function isLater(one: Stamp, other: Stamp): boolean {
  return one.micros === other.micros ? one.region > other.region : one.micros > other.micros
}

export function sameStamp(one: Stamp, other: Stamp): boolean {
  return one.micros === other.micros && one.region === other.region
}
