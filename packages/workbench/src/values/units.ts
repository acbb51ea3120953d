import { limits } from '@hashrange/core'

/** What reading this many bytes of one item costs. */
export function readUnits(bytes: number, consistent = false): number {
  const whole = Math.max(1, Math.ceil(bytes / limits.readUnitBytes))
  return consistent ? whole : whole / 2
}

/** What writing an item of this many bytes costs, for the table alone. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / limits.writeUnitBytes))
}

/** What reading so much of a table or an index costs: pages are rounded as a whole, so this is a little low. */
export function scanUnits(bytes: number, consistent = false): number {
  const whole = Math.ceil(bytes / limits.readUnitBytes)
  return consistent ? whole : whole / 2
}
