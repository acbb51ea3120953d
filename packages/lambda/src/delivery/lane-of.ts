import { createHash } from 'node:crypto'

/** Which of the lanes of a shard the records with a key go to. ON DISK: progress is kept for each lane. */
export function laneOf(orderKey: string, lanes: number): number {
  if (lanes === 1) return 0
  return createHash('sha256').update(orderKey, 'latin1').digest().readUInt32BE(0) % lanes
}
