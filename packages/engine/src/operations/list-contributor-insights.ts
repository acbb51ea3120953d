import { validationException } from '@hashrange/core'
import type { ListContributorInsightsInput } from '../api/contributor-insights-inputs.ts'
import type { Engine } from '../engine.ts'
import { findInsights } from '../insights/find-insights.ts'
import { schemaOf } from '../insights/insight-rules.ts'
import type { InsightsMode } from '../insights/insights-records.ts'
import { pageToken, readPageToken } from '../records/page-token.ts'
import type { Scope } from '../scope.ts'

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
  engine: Engine,
  scope: Scope,
  input: ListContributorInsightsInput,
): Promise<ListContributorInsightsOutput> {
  const { TableName, MaxResults = 100, NextToken } = input
  if (MaxResults < 1 || MaxResults > 100) {
    throw validationException('One or more parameter values were invalid: MaxResults must be between 1 and 100')
  }
  const after = NextToken === undefined ? undefined : readPageToken(NextToken)
  if (NextToken !== undefined && after === undefined) throw validationException('Invalid NextToken')
  const only = TableName === undefined ? undefined : (await findInsights(engine, scope, TableName)).tableName
  const { records, next } = await engine.insights.settings.page(scope, {
    limit: MaxResults,
    after,
    matches: (setting) =>
      setting.enabled &&
      (only === undefined || setting.tableName === only) &&
      schemaOf(engine, scope, setting) !== undefined,
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
