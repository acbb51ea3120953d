/** Time comes in from outside, so that a test can own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}
