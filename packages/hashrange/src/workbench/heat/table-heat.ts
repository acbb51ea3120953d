import { heatReport, type ReportSource, type Scope, type TableReport } from '@hashrange/engine'
import { keyRangeHistory, type KeyRangeHistory } from './key-range-history.ts'
import { operationHistory, type OperationHistory } from './operation-history.ts'
import { placeHistory, type PlaceHistory } from './place-history.ts'
import { placeNow, type PlaceNow } from './place-now.ts'
import { rangeUpTo, type RangeName, type TimeRange } from './time-range.ts'
import { topKeysOf, type TopKeys } from './top-keys.ts'

/** Everything that the page of a table shows. */
export interface TableHeat {
  readonly atMs: number
  readonly range: TimeRange
  readonly table: Omit<TableReport, 'places'>
  readonly places: readonly PlaceHeat[]
  readonly operations: readonly OperationHistory[]
  readonly errors: PlaceHistory['errors']
}

export interface PlaceHeat {
  /** What it does now. */
  readonly report: PlaceNow
  readonly history: Omit<PlaceHistory, 'errors'>
  readonly keyRanges: KeyRangeHistory
  readonly keys: TopKeys
}

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
  let errors: PlaceHistory['errors'] = []
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

function hasThrottles(history: Omit<PlaceHistory, 'errors'>): boolean {
  const { readThrottles, writeThrottles, readWouldThrottles, writeWouldThrottles } = history
  return [readThrottles, writeThrottles, readWouldThrottles, writeWouldThrottles].some((counts) =>
    counts.some((count) => count > 0),
  )
}
