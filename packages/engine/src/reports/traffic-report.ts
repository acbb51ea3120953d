import { countsOf } from '../catalog/counts.ts'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition } from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'
import { reportedTables, scopeOfTable, tablesToReport, type ReportSource } from './report-source.ts'

/** The traffic of tables, minute by minute: what `hashrange cost --recorded` prices. */
export interface TrafficReport {
  /** The start of the first minute. */
  readonly fromMs: number
  readonly minutes: number
  readonly tables: readonly TableTraffic[]
  /** How many tables were left out, because there are too many. */
  readonly leftOut: number
}

export interface TableTraffic {
  readonly accountId: string
  readonly region: string
  readonly tableName: string
  readonly billingMode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly tableClass?: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
  /** The table with its local indexes, then its global indexes. */
  readonly places: readonly PlaceTraffic[]
}

export interface PlaceTraffic {
  readonly indexName?: string
  readonly items: number
  readonly bytes: number
  /** Units of each minute; empty if there were none. */
  readonly readUnits: readonly number[]
  readonly writeUnits: readonly number[]
}

export interface TrafficRequest {
  /** How many minutes back, without the current one. */
  readonly minutes: number
  /** One account and region; all by default. */
  readonly scope?: Scope | undefined
}

const minuteMs = 60_000

/** The traffic of the last whole minutes. It begins with the first minute in which anything was counted, so that a
 *  server that just started does not look idle. */
export async function trafficReport(source: ReportSource, request: TrafficRequest): Promise<TrafficReport> {
  const toMs = Math.floor(source.clock.now() / minuteMs) * minuteMs
  const askedFromMs = toMs - request.minutes * minuteMs
  const tables = tablesToReport(source, request.scope)
  const whole: TableTraffic[] = []
  for (const table of tables.slice(0, reportedTables)) {
    whole.push(await tableTraffic(source, table, askedFromMs, request.minutes))
  }
  const idle = firstUsedMinute(whole, request.minutes)
  return {
    fromMs: askedFromMs + idle * minuteMs,
    minutes: request.minutes - idle,
    tables: whole.map((table) => ({ ...table, places: table.places.map((place) => without(place, idle)) })),
    leftOut: Math.max(0, tables.length - reportedTables),
  }
}

async function tableTraffic(
  source: ReportSource,
  table: Table,
  fromMs: number,
  minutes: number,
): Promise<TableTraffic> {
  const { accountId, region, tableName, billing, tableClass, globalIndexes } = table.definition
  const places = [await placeTraffic(source, table, undefined, fromMs, minutes)]
  for (const index of globalIndexes) places.push(await placeTraffic(source, table, index, fromMs, minutes))
  return {
    accountId,
    region,
    tableName,
    billingMode: billing.mode,
    ...(tableClass !== undefined && { tableClass }),
    places,
  }
}

async function placeTraffic(
  source: ReportSource,
  table: Table,
  index: IndexDefinition | undefined,
  fromMs: number,
  minutes: number,
): Promise<PlaceTraffic> {
  const scope = scopeOfTable(table)
  const toMs = fromMs + minutes * minuteMs
  const readUnits = Array.from({ length: minutes }, () => 0)
  const writeUnits = Array.from({ length: minutes }, () => 0)
  const consumed = await source.metrics.consumption(scope, table.name, index?.indexName, fromMs, toMs, 'minute')
  for (const each of consumed) {
    const minute = Math.floor((each.atMs - fromMs) / minuteMs)
    if (minute < 0 || minute >= minutes) continue
    readUnits[minute] = (readUnits[minute] ?? 0) + each.readUnits
    writeUnits[minute] = (writeUnits[minute] ?? 0) + each.writeUnits
  }
  const stored =
    index === undefined ? await storedWithLocalIndexes(source, table) : await countsOf(source.store, index.indexId)
  return { ...(index !== undefined && { indexName: index.indexName }), ...stored, readUnits, writeUnits }
}

/** Entries of local indexes are stored, and billed, like items. */
async function storedWithLocalIndexes(
  source: ReportSource,
  table: Table,
): Promise<{ readonly items: number; readonly bytes: number }> {
  let { items, bytes } = await countsOf(source.store, table.id)
  for (const { indexId } of table.definition.localIndexes) {
    const counts = await countsOf(source.store, indexId)
    items += counts.items
    bytes += counts.bytes
  }
  return { items, bytes }
}

/** How many minutes passed before the first traffic; zero if there was none. */
function firstUsedMinute(tables: readonly TableTraffic[], minutes: number): number {
  for (let minute = 0; minute < minutes; minute++) {
    for (const { places } of tables) {
      if (places.some(({ readUnits, writeUnits }) => (readUnits[minute] ?? 0) + (writeUnits[minute] ?? 0) > 0)) {
        return minute
      }
    }
  }
  return 0
}

/** Most indexes of most tables are idle most of the time: they are left out. */
function without(place: PlaceTraffic, minutes: number): PlaceTraffic {
  const rest = (units: readonly number[]): readonly number[] =>
    units.some((each) => each > 0) ? units.slice(minutes) : []
  return { ...place, readUnits: rest(place.readUnits), writeUnits: rest(place.writeUnits) }
}
