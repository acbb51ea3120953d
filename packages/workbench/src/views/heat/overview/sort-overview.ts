import type { PlaceOverview, TableOverview } from '../../../answers/heat.ts'

export interface SortedTables {
  /** Those with traffic in the last hour, the hottest first. */
  readonly busy: readonly TableOverview[]
  /** The others, by name. */
  readonly idle: readonly TableOverview[]
}

/** A table is as hot as the hottest of its places. */
export function sortByHeat(tables: readonly TableOverview[], filter: string): SortedTables {
  const lower = filter.trim().toLowerCase()
  const found = tables.filter(({ tableName }) => tableName.toLowerCase().includes(lower))
  return {
    busy: found
      .filter(isBusy)
      .toSorted((a, b) => heatOfTable(b) - heatOfTable(a) || compare(a.tableName, b.tableName)),
    idle: found.filter((table) => !isBusy(table)).toSorted((a, b) => compare(a.tableName, b.tableName)),
  }
}

export function isBusyPlace(place: PlaceOverview): boolean {
  return place.readMinutes.length > 0 || place.writeMinutes.length > 0
}

/** How close a place is to throttling: the busiest partition's share of its capacity, or the total share of the total
 *  capacity. */
function heatOfPlace(place: PlaceOverview): number {
  const { readShare, writeShare, readUnitsPerSecond, writeUnitsPerSecond, readCapacity, writeCapacity } = place
  return Math.max(
    readShare,
    writeShare,
    readUnitsPerSecond / Math.max(1, readCapacity),
    writeUnitsPerSecond / Math.max(1, writeCapacity),
  )
}

function heatOfTable({ places }: TableOverview): number {
  const heat = Math.max(0, ...places.map(heatOfPlace))
  // If nothing is happening, what was hottest within the hour.
  const recent = Math.max(
    0,
    ...places.flatMap(({ readMinutes, writeMinutes }) => [...readMinutes, ...writeMinutes]),
  )
  return heat + recent / 1e6
}

function isBusy({ places }: TableOverview): boolean {
  return places.some(isBusyPlace)
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
