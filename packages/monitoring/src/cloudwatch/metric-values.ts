/** A value of a time series. */
export interface Value {
  /** The start of its period. */
  readonly atMs: number
  readonly value: number
}
