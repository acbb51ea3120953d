import { textOfValue, type HotKey, type KeyRanking, type Scope } from '@hashrange/engine'
import type { InsightRule } from './insight-rules.ts'
import type { Monitoring } from '../monitoring.ts'

export interface ReportRequest {
  readonly fromMs: number
  readonly toMs: number
  readonly periodMs: number
}

/** A key and its count, in total and in each period in which it was among the most used. */
export interface Contributor {
  readonly keys: readonly string[]
  readonly sum: number
  readonly maximum: number
  readonly values: readonly { readonly atMs: number; readonly value: number }[]
}

export interface RuleReport {
  /** Most used first, by their sums. */
  readonly contributors: readonly Contributor[]
  readonly periods: readonly ReportPeriod[]
}

export interface ReportPeriod {
  readonly atMs: number
  readonly amounts: readonly number[]
}

const keysOfAPeriod = 100

/** What the meters have recorded about the keys that were used, or throttled, most. Reads and writes count together. */
export async function ruleReport(
  monitoring: Monitoring,
  scope: Scope,
  rule: InsightRule,
  { fromMs, toMs, periodMs }: ReportRequest,
): Promise<RuleReport> {
  const found = new Map<string, { readonly keys: readonly string[]; readonly byTime: Map<number, number> }>()
  const periods: ReportPeriod[] = []
  for (let atMs = Math.floor(fromMs / periodMs) * periodMs; atMs < toMs; atMs += periodMs) {
    const amounts = new Map<string, number>()
    for (const ranking of rankingsOf(rule)) {
      for (const key of await topKeys(monitoring, scope, rule, ranking, atMs, Math.min(toMs, atMs + periodMs))) {
        const keys = key.values.map(textOfValue)
        const name = JSON.stringify(keys)
        const known = found.get(name) ?? { keys, byTime: new Map<number, number>() }
        found.set(name, known)
        known.byTime.set(atMs, (known.byTime.get(atMs) ?? 0) + key.amount)
        amounts.set(name, (amounts.get(name) ?? 0) + key.amount)
      }
    }
    if (amounts.size > 0) periods.push({ atMs, amounts: [...amounts.values()] })
  }
  const contributors = [...found.values()].map(({ keys, byTime }) => {
    const values = [...byTime].map(([atMs, value]) => ({ atMs, value }))
    const all = values.map(({ value }) => value)
    return { keys, sum: all.reduce((sum, value) => sum + value, 0), maximum: Math.max(...all), values }
  })
  return { contributors: contributors.toSorted((one, other) => other.sum - one.sum), periods }
}

function rankingsOf({ counts }: InsightRule): readonly KeyRanking[] {
  return counts === 'accesses' ? ['reads', 'writes'] : ['throttledReads', 'throttledWrites']
}

function topKeys(
  monitoring: Monitoring,
  scope: Scope,
  { setting, items }: InsightRule,
  ranking: KeyRanking,
  fromMs: number,
  toMs: number,
): Promise<readonly HotKey[]> {
  const { tableName, indexName } = setting
  return monitoring.metrics.topKeys({
    scope,
    tableName,
    indexName,
    fromMs,
    toMs,
    ranking,
    items,
    limit: keysOfAPeriod,
  })
}
