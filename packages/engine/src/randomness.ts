import { randomUUID } from 'node:crypto'

/** Randomness comes in from outside, so that a test can own it. */
export interface Randomness {
  uuid(): string
}

export const systemRandomness: Randomness = { uuid: () => randomUUID() }

/** Draws before a decision is asked, so that it is given the same in the same order however often it is. */
export function drawUuids(randomness: Randomness, count: number): () => () => string {
  const drawn = Array.from({ length: count }, () => randomness.uuid())
  return () => {
    let next = 0
    return () => {
      const uuid = drawn[next++]
      if (uuid === undefined) throw new Error('more was drawn than was thought of')
      return uuid
    }
  }
}
