import { limits } from '@hashrange/core'
import type { Catalog } from '../catalog/catalog.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'
import { accountMetrics, settingMetrics, type Metric, type MetricName, type Settings } from './metric-names.ts'
import { Tally } from './tally.ts'

export interface Periods {
  readonly fromMs: number
  readonly toMs: number
  readonly periodMs: number
}

/** The series that have values whether there is traffic or not: what is provisioned, limited and allowed. */
export function constantsOf(catalog: Catalog, scope: Scope): readonly Metric[] {
  const definitions = definitionsIn(catalog, scope)
  const metrics: Metric[] = definitions.length === 0 ? [] : accountMetrics.map((name) => ({ name, dimensions: {} }))
  for (const definition of definitions) {
    const resources = [undefined, ...definition.globalIndexes.map(({ indexName }) => indexName)]
    for (const indexName of resources) {
      const settings = settingsOf(definition, indexName)
      for (const name of settingMetrics) {
        if (settings[name] === undefined) continue
        metrics.push({
          name,
          dimensions: {
            TableName: definition.tableName,
            ...(indexName !== undefined && { GlobalSecondaryIndexName: indexName }),
          },
        })
      }
    }
  }
  return metrics
}

/** What is known about a setting besides its definition. */
export interface RecordedSetting {
  readonly periods: ReadonlyMap<number, Tally>
  /** Its value before the first period. */
  readonly before: number | undefined
}

/** The datapoints of a series with a value at all times, one per period; undefined for other metrics. Periods without
 *  a record have the previous value. */
export function constantSeries(
  catalog: Catalog,
  scope: Scope,
  { name, dimensions }: Metric,
  { fromMs, toMs, periodMs }: Periods,
  { periods: recorded, before }: RecordedSetting,
): ReadonlyMap<number, Tally> | undefined {
  const setting = settingMetrics.find((one) => one === name)
  const isAccount = (accountMetrics as readonly MetricName[]).includes(name)
  if (!isAccount && setting === undefined) return undefined
  const definition = definitionsIn(catalog, scope).find(({ tableName }) => tableName === dimensions.TableName)
  const current =
    setting === undefined
      ? accountValue(definitionsIn(catalog, scope), name)
      : definition && settingsOf(definition, dimensions.GlobalSecondaryIndexName)[setting]
  const sinceMs = isAccount ? fromMs : Math.max(fromMs, definition?.createdAtMs ?? toMs)
  const series = new Map<number, Tally>()
  let last = before ?? (recorded.size === 0 ? current : undefined)
  for (let atMs = Math.floor(sinceMs / periodMs) * periodMs; atMs < toMs; atMs += periodMs) {
    if (series.size >= mostPeriods) break
    const known = recorded.get(atMs)
    if (known !== undefined) {
      series.set(atMs, known)
      last = known.last
    } else if (last !== undefined) {
      const tally = new Tally()
      tally.add(last)
      series.set(atMs, tally)
    }
  }
  return series
}

const mostPeriods = 100_800

/** The settings of a table or index. */
export function settingsOf(definition: TableDefinition, indexName: string | undefined): Settings {
  const given =
    indexName === undefined
      ? definition.billing
      : definition.globalIndexes.find((index) => index.indexName === indexName)
  const provisioned = definition.billing.mode === 'PROVISIONED' ? given?.throughput : undefined
  return {
    ProvisionedReadCapacityUnits: provisioned?.readUnits,
    ProvisionedWriteCapacityUnits: provisioned?.writeUnits,
    OnDemandMaxReadRequestUnits: given?.onDemandLimits?.maxReadUnits,
    OnDemandMaxWriteRequestUnits: given?.onDemandLimits?.maxWriteUnits,
  }
}

function accountValue(definitions: readonly TableDefinition[], name: MetricName): number | undefined {
  const side = name.includes('Read') ? 'readUnits' : 'writeUnits'
  const provisioned = definitions
    .filter(({ billing }) => billing.mode === 'PROVISIONED')
    .flatMap(({ billing, globalIndexes }) => [billing, ...globalIndexes])
    .map(({ throughput }) => throughput?.[side] ?? 0)
  if (name.startsWith('AccountMaxTableLevel')) return limits.throughputPerTable
  if (name.startsWith('AccountMax')) return limits.throughputPerAccount
  if (name.startsWith('AccountProvisioned')) {
    return (100 * provisioned.reduce((sum, units) => sum + units, 0)) / limits.throughputPerAccount
  }
  return (100 * Math.max(0, ...provisioned)) / limits.throughputPerTable
}

function definitionsIn(catalog: Catalog, { accountId, region }: Scope): readonly TableDefinition[] {
  return [...catalog.all()]
    .map(({ definition }) => definition)
    .filter((definition) => definition.accountId === accountId && definition.region === region)
}
