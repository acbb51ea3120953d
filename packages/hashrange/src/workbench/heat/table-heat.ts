import { heatReport, type ReportSource, type Scope } from '@hashrange/engine'
import type { ErrorHistory, PlaceHeat, PlaceHistory, RangeName, TableHeat } from '@hashrange/workbench/answers'
import { keyRangeHistory } from './key-range-history.ts'
import { operationHistory } from './operation-history.ts'
import { placeHistory } from './place-history.ts'
import { placeNow } from './place-now.ts'
import { rangeUpTo } from './time-range.ts'
import { topKeysOf } from './top-keys.ts'

/** Undefined if there is no such table. */
export async function tableHeat(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  rangeName: RangeName,
): Promise<TableHeat | undefined> {
  const { atMs, tables } = await heatReport(source, scope, tableName)
  const [report] = tables
  if (report === undefined) return undefined
  const range = rangeUpTo(atMs, rangeName)
  const { places: reported, ...table } = report
  const places: PlaceHeat[] = []
  let errors: readonly ErrorHistory[] = []
  for (const place of reported) {
    const isProvisioned = place.provisioned !== undefined
    const { indexName } = place
    const { errors: found, ...history } = await placeHistory(
      source,
      scope,
      tableName,
      indexName,
      range,
      isProvisioned,
    )
    if (indexName === undefined) errors = found
    const keys = await topKeysOf(source, scope, tableName, indexName, range, hasThrottles(history))
    const keyRanges = await keyRangeHistory(source, scope, tableName, indexName, range)
    places.push({ report: placeNow(place), history, keyRanges, keys })
  }
  return { atMs, range, table, places, operations: await operationHistory(source, scope, tableName, range), errors }
}

function hasThrottles(history: PlaceHistory): boolean {
  const { readThrottles, writeThrottles, readWouldThrottles, writeWouldThrottles } = history
  return [readThrottles, writeThrottles, readWouldThrottles, writeWouldThrottles].some((counts) =>
    counts.some((count) => count > 0),
  )
}
