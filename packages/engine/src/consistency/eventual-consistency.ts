/** How far behind eventually consistent reads may be. */
export interface EventualConsistency {
  /** They see each change within this many milliseconds; one second by default. */
  readonly maxLagMs?: number | undefined
  /** The seed. The same seed, with the same writes at the same times, gives the same delays. */
  readonly seed?: number | undefined
  /** How much memory the past may take; beyond that, the oldest changes are seen early. */
  readonly maxBytes?: number | undefined
}

export const defaultMaxLagMs = 1_000
export const defaultLagSeed = 1
export const defaultLagBytes = 64 * 1024 * 1024
