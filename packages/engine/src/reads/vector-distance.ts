import type { VectorIndexDefinition } from '../definitions/table-definition.ts'

type DistanceFunction = VectorIndexDefinition['distanceFunction']

/** The largest number of single precision, beyond which no score goes. */
const mostScore = 3.4028234663852886e38

/** How far two vectors are from each other, in single precision. Of a DOT_PRODUCT, the largest is the most similar; of
 *  the others, the smallest. */
export function scoreOf(distance: DistanceFunction, one: Float32Array, other: Float32Array): number {
  return Math.fround(Math.min(mostScore, Math.max(-mostScore, unboundedScore(distance, one, other))))
}

function unboundedScore(distance: DistanceFunction, one: Float32Array, other: Float32Array): number {
  switch (distance) {
    case 'COSINE': {
      // One root of the product, not a product of roots: a vector is exactly as far from itself as 0.
      const lengths = Math.sqrt(dot(one, one) * dot(other, other))
      // A vector of zeros points nowhere: it is as far from identical as from opposite.
      return lengths === 0 ? 1 : Math.min(2, Math.max(0, 1 - dot(one, other) / lengths))
    }
    case 'EUCLIDEAN':
      return Math.sqrt(squaredDistance(one, other))
    case 'DOT_PRODUCT':
      return dot(one, other)
    default:
      throw new Error('an unknown distance function')
  }
}

export function isCloser(distance: DistanceFunction, one: number, other: number): boolean {
  return distance === 'DOT_PRODUCT' ? one > other : one < other
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

function squaredDistance(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2
  return sum
}
