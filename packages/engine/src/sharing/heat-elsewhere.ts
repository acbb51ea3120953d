import type { HeatTotals } from '../metering/metrics.ts'
import { mergeKeys, mergeRankings, rankedKeys, rankingsOf, storedRankings } from '../metering/ranked-keys.ts'
import type { StoredRankings } from '../metering/ranked-keys.ts'
import type { HeatElsewhere, ResourceMeter } from '../metering/resource-meter.ts'
import { secondFields } from '../metering/seconds-ring.ts'
import type { CapacityReport } from './capacity-report.ts'

const keysTold = 8

/** How hot a table or index is here. */
export function heatTotalsOf({ seconds }: ResourceMeter, nowMs: number): HeatTotals {
  const now = Math.floor(nowMs / 1000)
  const perSecond = (field: number): number => Math.round(seconds.sum(field, now - 9, now + 1) * 10) / 100
  const lastMinute = (field: number): number => seconds.sum(field, now - 59, now + 1)
  return {
    readUnitsPerSecond: perSecond(secondFields.readUnits),
    writeUnitsPerSecond: perSecond(secondFields.writeUnits),
    readThrottles: lastMinute(secondFields.readThrottles),
    writeThrottles: lastMinute(secondFields.writeThrottles),
    readWouldThrottles: lastMinute(secondFields.readWouldThrottles),
    writeWouldThrottles: lastMinute(secondFields.writeWouldThrottles),
  }
}

export function toldKeysOf(meter: ResourceMeter): StoredRankings {
  return storedRankings(
    rankedKeys((ranking) => {
      const { current, previous } = meter.ranked(ranking)
      return mergeKeys(current, previous, keysTold)
    }),
  )
}

/** What others have told, added up. */
export function elsewhereOf(reports: readonly CapacityReport[]): HeatElsewhere | undefined {
  if (reports.length === 0) return undefined
  const sum = (field: keyof HeatTotals): number => reports.reduce((total, { heat }) => total + heat[field], 0)
  return {
    readUnitsPerSecond: sum('readUnitsPerSecond'),
    writeUnitsPerSecond: sum('writeUnitsPerSecond'),
    readThrottles: sum('readThrottles'),
    writeThrottles: sum('writeThrottles'),
    readWouldThrottles: sum('readWouldThrottles'),
    writeWouldThrottles: sum('writeWouldThrottles'),
    keys: reports.map(({ keys }) => rankingsOf(keys)).reduce(mergeRankings),
  }
}
