/** How far behind eventually consistent reads may be. */
export interface EventualConsistency {
  /** Each change is seen by them at some moment within so many milliseconds; one second unless told. */
  readonly maxLagMs?: number | undefined
  /** Another number gives other delays; the same one, for the same writes at the same times, the same. */
  readonly seed?: number | undefined
  /** How much memory the past may take; beyond it, the oldest changes are seen early. */
  readonly maxBytes?: number | undefined
}

export const defaultMaxLagMs = 1_000
export const defaultLagSeed = 1
export const defaultLagBytes = 64 * 1024 * 1024
