import { ModelError } from '../errors.ts'
import type { Position } from './cursor.ts'

/** Where a cursor keeps the period; no attribute can have this name, since the service allows no empty ones. */
export const bucketName = ''

/** The period that is being read, and where in it: all that must be remembered of positions in many periods. */
export function bucketPlace(buckets: readonly string[], positions: readonly Position[]): Position {
  const current = positions.findIndex((position) => position !== 'end')
  const position = positions[current]
  return { ...(typeof position === 'object' && position), [bucketName]: { S: buckets[current] ?? '' } }
}

export function bucketPositions(buckets: readonly string[], place: Position | undefined): readonly Position[] {
  const { [bucketName]: bucket, ...key } = typeof place === 'object' ? place : {}
  const current = buckets.indexOf(bucket?.S ?? '')
  if (current === -1) {
    throw new ModelError('INVALID_CURSOR', 'The cursor belongs to another range. Start again without a cursor.')
  }
  return buckets.map((_, i) => (i < current ? 'end' : i > current || Object.keys(key).length === 0 ? 'start' : key))
}
