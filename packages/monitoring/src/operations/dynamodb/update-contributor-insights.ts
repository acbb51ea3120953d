import type { UpdateContributorInsightsInput } from '../../api/contributor-insights-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { findInsights } from '../../insights/find-insights.ts'
import { rankInsights } from '../../insights/insight-rules.ts'
import { settingParts, type InsightsMode, type InsightsSetting } from '../../records/insights-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export interface UpdateContributorInsightsOutput {
  readonly TableName: string
  readonly IndexName?: string
  readonly ContributorInsightsStatus: 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED'
  readonly ContributorInsightsMode?: InsightsMode
}

/** If nothing changes, the current status is returned; a change is reported as in progress, and is complete when it
 *  is next described. */
export async function updateContributorInsights(
  monitoring: Monitoring,
  scope: Scope,
  input: UpdateContributorInsightsInput,
): Promise<UpdateContributorInsightsOutput> {
  const { tableId, tableName, indexName } = await findInsights(monitoring, scope, input.TableName, input.IndexName)
  const enables = input.ContributorInsightsAction === 'ENABLE'
  const nowMs = monitoring.clock.now()
  const parts = settingParts(tableName, indexName)
  const { record: setting, isOther } = await monitoring.insights.settings.replace(scope, parts, (stored) => {
    const current = stored?.tableId === tableId ? stored : undefined
    if (!enables && current?.enabled !== true) return current
    const mode = input.ContributorInsightsMode ?? (enables && current?.enabled === true ? current.mode : undefined)
    if (enables && current?.enabled === true && mode === current.mode) return stored
    return {
      tableId,
      tableName,
      ...(indexName !== undefined && { indexName }),
      enabled: enables,
      mode: mode ?? (enables ? 'ACCESSED_AND_THROTTLED_KEYS' : (current?.mode ?? 'ACCESSED_AND_THROTTLED_KEYS')),
      rulesMadeAtMs: current?.enabled === true ? current.rulesMadeAtMs : nowMs,
      changedAtMs: nowMs,
    } satisfies InsightsSetting
  })
  // A record that was only removed belonged to another table of the same name.
  const hasChanged = isOther && setting !== undefined
  await rankInsights(monitoring)
  return {
    TableName: tableName,
    ...(indexName !== undefined && { IndexName: indexName }),
    ContributorInsightsStatus: enables
      ? hasChanged
        ? 'ENABLING'
        : 'ENABLED'
      : hasChanged
        ? 'DISABLING'
        : 'DISABLED',
    ...(setting !== undefined && { ContributorInsightsMode: setting.mode }),
  }
}
