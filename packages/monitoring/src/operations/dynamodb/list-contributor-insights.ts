import { validationException } from '@hashrange/core'
import type { ListContributorInsightsInput } from '../../api/contributor-insights-inputs.ts'
import { pageToken, readPageToken, type Scope } from '@hashrange/engine'
import { findInsights } from '../../insights/find-insights.ts'
import { schemaOf } from '../../insights/insight-rules.ts'
import type { InsightsMode } from '../../records/insights-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export interface ListContributorInsightsOutput {
  readonly ContributorInsightsSummaries: readonly {
    readonly TableName: string
    readonly IndexName?: string
    readonly ContributorInsightsStatus: 'ENABLED'
    readonly ContributorInsightsMode: InsightsMode
  }[]
  readonly NextToken?: string
}

/** Those that are on: each table, then its indexes. */
export async function listContributorInsights(
  monitoring: Monitoring,
  scope: Scope,
  input: ListContributorInsightsInput,
): Promise<ListContributorInsightsOutput> {
  const { TableName, MaxResults = 100, NextToken } = input
  if (MaxResults < 1 || MaxResults > 100) {
    throw validationException('One or more parameter values were invalid: MaxResults must be between 1 and 100')
  }
  const after = NextToken === undefined ? undefined : readPageToken(NextToken)
  if (NextToken !== undefined && after === undefined) throw validationException('Invalid NextToken')
  const only = TableName === undefined ? undefined : (await findInsights(monitoring, scope, TableName)).tableName
  const { records, next } = await monitoring.insights.settings.page(scope, {
    limit: MaxResults,
    after,
    matches: (setting) =>
      setting.enabled &&
      (only === undefined || setting.tableName === only) &&
      schemaOf(monitoring, scope, setting) !== undefined,
  })
  const token = pageToken(next)
  return {
    ContributorInsightsSummaries: records.map(({ tableName, indexName, mode }) => ({
      TableName: tableName,
      ...(indexName !== undefined && { IndexName: indexName }),
      ContributorInsightsStatus: 'ENABLED',
      ContributorInsightsMode: mode,
    })),
    ...(token !== undefined && { NextToken: token }),
  }
}
