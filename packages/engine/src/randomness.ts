import { randomUUID } from 'node:crypto'

/** Randomness comes in from outside, so that a test can own it. */
export interface Randomness {
  uuid(): string
}

export const systemRandomness: Randomness = { uuid: () => randomUUID() }
