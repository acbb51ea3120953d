import type { DescribeContributorInsightsInput } from '../../api/contributor-insights-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { findInsights } from '../../insights/find-insights.ts'
import { rulesOf } from '../../insights/insight-rules.ts'
import type { InsightsMode } from '../../records/insights-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export interface DescribeContributorInsightsOutput {
  readonly TableName: string
  readonly IndexName?: string
  readonly ContributorInsightsRuleList?: readonly string[]
  readonly ContributorInsightsStatus: 'ENABLED' | 'DISABLED'
  readonly LastUpdateDateTime?: number
  readonly ContributorInsightsMode?: InsightsMode
}

export async function describeContributorInsights(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeContributorInsightsInput,
): Promise<DescribeContributorInsightsOutput> {
  const found = await findInsights(monitoring, scope, input.TableName, input.IndexName)
  const { tableName, indexName, keySchema, setting } = found
  return {
    TableName: tableName,
    ...(indexName !== undefined && { IndexName: indexName }),
    ...(setting?.enabled === true && {
      ContributorInsightsRuleList: rulesOf(setting, keySchema).map(({ name }) => name),
    }),
    ContributorInsightsStatus: setting?.enabled === true ? 'ENABLED' : 'DISABLED',
    ...(setting !== undefined && {
      LastUpdateDateTime: setting.changedAtMs / 1000,
      ContributorInsightsMode: setting.mode,
    }),
  }
}
