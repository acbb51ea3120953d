/** Time comes from outside, so that a test can control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}
