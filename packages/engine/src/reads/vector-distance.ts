import type { AttributeValue } from '@hashrange/core'
import type { VectorIndexDefinition } from '../definitions/table-definition.ts'

type DistanceFunction = VectorIndexDefinition['distanceFunction']

/** A vector in single precision; undefined if the value is not a list of exactly so many numbers that fit. Items with
 *  such values are not in the index. */
export function vectorOf(value: AttributeValue | undefined, dimensions: number): Float32Array | undefined {
  if (value === undefined || !('L' in value)) return undefined
  return numbersOf(value.L, dimensions)
}

export function numbersOf(elements: readonly AttributeValue[], dimensions: number): Float32Array | undefined {
  if (elements.length !== dimensions) return undefined
  const vector = new Float32Array(dimensions)
  for (const [position, element] of elements.entries()) {
    if (!('N' in element)) return undefined
    vector[position] = Number(element.N)
    if (!Number.isFinite(vector[position])) return undefined
  }
  return vector
}

/** How far two vectors are from each other. Of a DOT_PRODUCT, the largest is the most similar; of the others, the
 *  smallest. */
export function scoreOf(distance: DistanceFunction, one: Float32Array, other: Float32Array): number {
  switch (distance) {
    case 'COSINE': {
      const lengths = Math.sqrt(dot(one, one)) * Math.sqrt(dot(other, other))
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
