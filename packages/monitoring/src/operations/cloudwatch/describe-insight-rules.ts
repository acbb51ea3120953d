import { ServiceError } from '@hashrange/core'
import type { DescribeInsightRulesInput } from '../../api/cloudwatch-inputs.ts'
import { pageToken, readPageToken, type Scope } from '@hashrange/engine'
import { allRules, type InsightRule } from '../../insights/insight-rules.ts'
import type { Monitoring } from '../../monitoring.ts'

/** The rules that Contributor Insights has made; there are no others. */
export async function describeInsightRules(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeInsightRulesInput,
): Promise<unknown> {
  const { MaxResults = 500, NextToken } = input
  const after = NextToken === undefined ? undefined : readPageToken(NextToken)?.[0]
  if (NextToken !== undefined && after === undefined) {
    throw new ServiceError('InvalidNextToken', 'The next token specified is invalid.')
  }
  const rules = (await allRules(monitoring, scope))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .filter(({ name }) => after === undefined || name > after)
  const page = rules.slice(0, MaxResults)
  const last = page.at(-1)
  return {
    InsightRules: page.map(describe),
    NextToken: last !== undefined && rules.length > page.length ? pageToken([last.name]) : undefined,
  }
}

function describe(rule: InsightRule): unknown {
  return {
    Name: rule.name,
    State: 'ENABLED',
    Schema: '{"Name":"ServiceLogRule","Version":1}',
    Definition: JSON.stringify({
      Schema: { Name: 'ServiceLogRule', Version: 1 },
      AggregateOn: rule.counts === 'accesses' ? 'Sum' : 'Count',
      Contribution: {
        Keys: rule.keyLabels,
        ...(rule.counts === 'accesses' && { ValueOf: 'ConsumedThroughputUnits' }),
      },
    }),
    ManagedRule: true,
  }
}
