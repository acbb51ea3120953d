import type { KeySchema, Scope } from '@hashrange/engine'
import type { InsightsSetting } from '../records/insights-records.ts'
import type { Monitoring } from '../monitoring.ts'

/** A CloudWatch rule that Contributor Insights creates for a table or an index: one ranking of its keys. */
export interface InsightRule {
  readonly name: string
  readonly setting: InsightsSetting
  /** Whole keys instead of partition keys. */
  readonly items: boolean
  readonly counts: 'accesses' | 'throttles'
  /** The attributes of the keys. */
  readonly keyLabels: readonly string[]
}

const kinds = [
  { code: 'PKC', items: false, counts: 'accesses' },
  { code: 'SKC', items: true, counts: 'accesses' },
  { code: 'PKT', items: false, counts: 'throttles' },
  { code: 'SKT', items: true, counts: 'throttles' },
] as const

/** Rules over whole keys only exist if there is a sort key. */
export function rulesOf(setting: InsightsSetting, { hash, range }: KeySchema): readonly InsightRule[] {
  if (!setting.enabled) return []
  return kinds
    .filter(({ items }) => !items || range.length > 0)
    .filter(({ counts }) => counts === 'throttles' || setting.mode === 'ACCESSED_AND_THROTTLED_KEYS')
    .map(({ code, items, counts }) => ({
      name: ruleName(code, setting),
      setting,
      items,
      counts,
      keyLabels: items ? [...hash, ...range] : hash,
    }))
}

const longestName = 128

/** `DynamoDBContributorInsights-PKC-<table>-<index>-<when>`, truncated to what CloudWatch accepts. */
function ruleName(code: string, { tableName, indexName, rulesMadeAtMs }: InsightsSetting): string {
  const start = `DynamoDBContributorInsights-${code}-`
  const end = `-${rulesMadeAtMs}`
  const resource = indexName === undefined ? tableName : `${tableName}-${indexName}`
  return start + resource.slice(0, longestName - start.length - end.length) + end
}

/** The key schema of a setting; undefined if its table or index was deleted. */
export function schemaOf(monitoring: Monitoring, scope: Scope, setting: InsightsSetting): KeySchema | undefined {
  const definition = monitoring.definitionOf(scope, setting.tableName)
  if (definition === undefined || definition.tableId !== setting.tableId) return undefined
  if (setting.indexName === undefined) return definition.keySchema
  return definition.globalIndexes.find(({ indexName }) => indexName === setting.indexName)?.keySchema
}

/** All rules that a scope has. */
export async function allRules(monitoring: Monitoring, scope: Scope): Promise<readonly InsightRule[]> {
  return (await monitoring.insights.settings.list(scope)).flatMap((setting) => {
    const schema = schemaOf(monitoring, scope, setting)
    return schema === undefined ? [] : rulesOf(setting, schema)
  })
}

/** Has whole keys ranked if a rule shows them. */
export async function rankInsights(monitoring: Monitoring): Promise<void> {
  for (const { scope, record } of await monitoring.insights.settings.all()) {
    const schema = schemaOf(monitoring, scope, record)
    if (schema === undefined) continue
    const isRanked = record.enabled && schema.range.length > 0
    monitoring.metrics.rankItems(scope, record.tableName, record.indexName, isRanked)
  }
}
