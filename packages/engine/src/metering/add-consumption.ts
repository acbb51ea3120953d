import type { Consumption } from './metrics.ts'

/** The sum of two, with the time of the first. */
export function addConsumption(left: Consumption | undefined, right: Consumption): Consumption {
  if (left === undefined) return right
  return {
    atMs: left.atMs,
    readUnits: left.readUnits + right.readUnits,
    writeUnits: left.writeUnits + right.writeUnits,
    readThrottles: left.readThrottles + right.readThrottles,
    writeThrottles: left.writeThrottles + right.writeThrottles,
    readWouldThrottles: left.readWouldThrottles + right.readWouldThrottles,
    writeWouldThrottles: left.writeWouldThrottles + right.writeWouldThrottles,
  }
}
