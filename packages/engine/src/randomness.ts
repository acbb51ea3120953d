import { randomUUID } from 'node:crypto'

/** Randomness comes from outside, so that a test can control it. */
export interface Randomness {
  uuid(): string
}

export const systemRandomness: Randomness = { uuid: () => randomUUID() }

/** Draws random values before a decision runs, so that it gets the same values in the same order however often it
 *  runs. */
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
