import { keySpace, segmentRange } from '../layout/key-space.ts'
import type { Key } from '../store/store.ts'

/** A part of a table, by the first four bytes of its partition keys' hashes. */
export interface HashSegment {
  readonly number: number
  readonly fromHash: number
  readonly toHash: number
  readonly items: KeyRange
}

interface KeyRange {
  readonly from: Key
  readonly to: Key
}

const hashes = 2 ** 32

/** Divides a table into equal parts: an export writes a file for each. */
export function hashSegments(tableId: number, count: number): readonly HashSegment[] {
  return Array.from({ length: count }, (_, number) => ({
    number,
    fromHash: Math.ceil((hashes * number) / count),
    toHash: Math.ceil((hashes * (number + 1)) / count),
    items: segmentRange(keySpace.item, tableId, number, count),
  }))
}

/** As many files as a new table has partitions in the service; more for a large table, so that none grows beyond what
 *  one reader would take at once. */
export function segmentsFor(tableBytes: number): number {
  return Math.min(256, Math.max(4, Math.ceil(tableBytes / 134_217_728)))
}
