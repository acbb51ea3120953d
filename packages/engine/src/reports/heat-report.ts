import { countsOf, type Counts } from '../catalog/counts.ts'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition, Throughput } from '../definitions/table-definition.ts'
import type { Heat, HeatTotals, HotKey, PartitionHeat } from '../metering/metrics.ts'
import type { Scope } from '../scope.ts'
import { latencyReport, type OperationReport } from './latency-report.ts'
import { reportedTables, scopeOfTable, tablesToReport, type ReportSource } from './report-source.ts'

/** What the tables are doing right now, for `hashrange top` and the workbench. Limited in size, however many tables
 *  there are. */
export interface HeatReport {
  readonly atMs: number
  readonly tables: readonly TableReport[]
  /** How many tables were left out, because there are too many. */
  readonly leftOut: number
  readonly accounts: readonly AccountReport[]
}

/** What does not belong to any table. */
export interface AccountReport extends Scope {
  /** Requests that were rejected as invalid, in the last minute or so. */
  readonly userErrors: number
}

export interface TableReport {
  readonly accountId: string
  readonly region: string
  readonly tableName: string
  readonly status: string
  readonly billingMode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  /** The table, then its global indexes. */
  readonly places: readonly PlaceReport[]
  /** Of the last minute or so, most requests first. */
  readonly operations: readonly OperationReport[]
}

export interface PlaceReport extends HeatTotals {
  readonly indexName?: string
  readonly status: string
  readonly items: number
  readonly bytes: number
  /** What was provisioned; absent for on-demand. */
  readonly provisioned?: { readonly readUnits: number; readonly writeUnits: number }
  /** Its total capacity, in units per second; zero while it is not in use. */
  readonly readCapacity: number
  readonly writeCapacity: number
  /** In the order of their keys; if there are many, the busiest. */
  readonly partitions: readonly PartitionHeat[]
  readonly partitionCount: number
  readonly hottestReads: readonly ReportedKey[]
  readonly hottestWrites: readonly ReportedKey[]
  readonly mostThrottledReads: readonly ReportedKey[]
  readonly mostThrottledWrites: readonly ReportedKey[]
}

export interface ReportedKey {
  readonly text: string
  readonly amount: number
  readonly overestimate: number
}

const reportedPartitions = 64
const reportedKeys = 10
const keyTextCharacters = 200
const tablesWithLatencies = 30

/** How hot the tables of one account and region are, or all. */
export async function heatReport(source: ReportSource, scope?: Scope, tableName?: string): Promise<HeatReport> {
  const tables = tablesToReport(source, scope).filter(({ name }) => tableName === undefined || name === tableName)
  const heats = heatsOf(source, tables, tableName)
  const withLatencies = busiestTables(tables, heats)
  const reports: TableReport[] = []
  for (const table of tables.slice(0, reportedTables)) {
    const operations = withLatencies.has(table) ? await latencyReport(source, scopeOfTable(table), table.name) : []
    reports.push(await tableReport(source, table, heats, operations))
  }
  return {
    atMs: source.clock.now(),
    tables: reports,
    leftOut: Math.max(0, tables.length - reportedTables),
    accounts: await Promise.all(scopesOf(tables).map((each) => accountReport(source, each))),
  }
}

async function tableReport(
  source: ReportSource,
  table: Table,
  heats: ReadonlyMap<string, Heat>,
  operations: readonly OperationReport[],
): Promise<TableReport> {
  const { accountId, region, tableName, status, billing, globalIndexes } = table.definition
  const placeOf = async (index: IndexDefinition | undefined): Promise<PlaceReport> => {
    const counts = await countsOf(source.store, index?.indexId ?? table.id)
    return placeReport(table, index, counts, heats.get(heatName(scopeOfTable(table), tableName, index?.indexName)))
  }
  const places = [await placeOf(undefined)]
  for (const index of globalIndexes) places.push(await placeOf(index))
  return { accountId, region, tableName, status, billingMode: billing.mode, places, operations }
}

function placeReport(
  table: Table,
  index: IndexDefinition | undefined,
  counts: Counts,
  heat: Heat | undefined,
): PlaceReport {
  const { billing, status } = table.definition
  const throughput: Throughput | undefined = index === undefined ? billing.throughput : index.throughput
  const partitions = heat?.partitions ?? []
  return {
    ...(index !== undefined && { indexName: index.indexName }),
    status: index?.status ?? status,
    items: counts.items,
    bytes: counts.bytes,
    ...(billing.mode === 'PROVISIONED' &&
      throughput !== undefined && {
        provisioned: { readUnits: throughput.readUnits, writeUnits: throughput.writeUnits },
      }),
    readCapacity: heat?.readCapacity ?? 0,
    writeCapacity: heat?.writeCapacity ?? 0,
    readUnitsPerSecond: heat?.readUnitsPerSecond ?? 0,
    writeUnitsPerSecond: heat?.writeUnitsPerSecond ?? 0,
    readThrottles: heat?.readThrottles ?? 0,
    writeThrottles: heat?.writeThrottles ?? 0,
    readWouldThrottles: heat?.readWouldThrottles ?? 0,
    writeWouldThrottles: heat?.writeWouldThrottles ?? 0,
    partitions: busiestPartitions(partitions),
    partitionCount: partitions.length,
    hottestReads: reported(heat?.hottestReads),
    hottestWrites: reported(heat?.hottestWrites),
    mostThrottledReads: reported(heat?.mostThrottledReads),
    mostThrottledWrites: reported(heat?.mostThrottledWrites),
  }
}

async function accountReport(source: ReportSource, scope: Scope): Promise<AccountReport> {
  const nowMs = source.clock.now()
  const fromMs = Math.floor(nowMs / 60_000) * 60_000 - 60_000
  const points = await source.metrics.series(
    scope,
    { name: 'UserErrors', dimensions: {} },
    fromMs,
    nowMs + 1,
    60_000,
  )
  return { ...scope, userErrors: points.reduce((total, { sum }) => total + sum, 0) }
}

/** Latencies are read for each operation separately: if there are many tables, only for the busiest. */
function busiestTables(tables: readonly Table[], heats: ReadonlyMap<string, Heat>): ReadonlySet<Table> {
  const inUse = tables.flatMap((table) => {
    const heat = heats.get(heatName(scopeOfTable(table), table.name, undefined))
    return heat === undefined ? [] : [{ table, units: heat.readUnitsPerSecond + heat.writeUnitsPerSecond }]
  })
  const busiest = inUse.toSorted((a, b) => b.units - a.units).slice(0, tablesWithLatencies)
  return new Set(busiest.map(({ table }) => table))
}

/** A partition is as busy as the share of its capacity that is used. */
function busiestPartitions(partitions: readonly PartitionHeat[]): readonly PartitionHeat[] {
  if (partitions.length <= reportedPartitions) return partitions
  const kept = new Set(partitions.toSorted((a, b) => usedShare(b) - usedShare(a)).slice(0, reportedPartitions))
  return partitions.filter((partition) => kept.has(partition))
}

function usedShare(partition: PartitionHeat): number {
  const { readUnitsPerSecond, writeUnitsPerSecond, readCapacity, writeCapacity } = partition
  return Math.max(readUnitsPerSecond / Math.max(1, readCapacity), writeUnitsPerSecond / Math.max(1, writeCapacity))
}

function reported(keys: readonly HotKey[] | undefined): readonly ReportedKey[] {
  return (keys ?? []).slice(0, reportedKeys).map(({ text, amount, overestimate }) => ({
    text: text.length > keyTextCharacters ? `${text.slice(0, keyTextCharacters)}…` : text,
    amount,
    overestimate,
  }))
}

function heatsOf(
  { metrics }: ReportSource,
  tables: readonly Table[],
  tableName: string | undefined,
): ReadonlyMap<string, Heat> {
  const heats = new Map<string, Heat>()
  for (const scope of scopesOf(tables)) {
    for (const heat of metrics.heat(scope, tableName)) {
      heats.set(heatName(scope, heat.tableName, heat.indexName), heat)
    }
  }
  return heats
}

function heatName({ accountId, region }: Scope, tableName: string, indexName: string | undefined): string {
  return `${accountId}/${region}/${tableName}/${indexName ?? ''}`
}

function scopesOf(tables: readonly Table[]): readonly Scope[] {
  const scopes = new Map<string, Scope>()
  for (const table of tables) {
    const scope = scopeOfTable(table)
    scopes.set(`${scope.accountId}/${scope.region}`, scope)
  }
  return [...scopes.values()]
}
