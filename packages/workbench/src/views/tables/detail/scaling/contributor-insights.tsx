import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isDenied } from '../../../../api/api.ts'
import { scopeKey, useCall } from '../../../../api/queries.ts'
import type { TableDescription } from '../../../../api-types.ts'
import { Select, Switch } from '../../../../components/controls/field.tsx'
import { ErrorBox, Skeleton } from '../../../../components/messages/notices.tsx'
import { Panel } from '../../../../components/page/page.tsx'
import { useScope } from '../../../../state/scope.tsx'
import { formatCount } from '../../../../values/format.ts'
import { useUpdate } from '../use-update.ts'
import { ruleText } from './rule-text.ts'

interface Insights {
  readonly ContributorInsightsStatus: string
  readonly ContributorInsightsRuleList?: readonly string[]
}

interface RuleReport {
  readonly AggregateValue?: number
  readonly Contributors?: readonly {
    readonly Keys: readonly string[]
    readonly ApproximateAggregateValue: number
  }[]
}

/** The busiest keys of the last hour, as Contributor Insights ranks them. */
export function ContributorInsights({
  table,
  isReadOnly,
}: {
  readonly table: TableDescription
  readonly isReadOnly: boolean
}) {
  const { TableName } = table
  const [index, setIndex] = useState('')
  const about = index === '' ? { TableName } : { TableName, IndexName: index }
  const { data, error, refetch } = useInsights(about)
  const { update, isBusy, error: failure } = useUpdate()
  const isOn = data?.status === 'ENABLED' || data?.status === 'ENABLING'
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName)
  return (
    <Panel
      title="Contributor Insights"
      hint="Ranks the keys that are read, written and throttled the most. The last hour is shown."
      className="is-half"
      actions={
        indexes.length > 0 && (
          <Select
            aria-label="Contributor Insights of"
            value={index}
            options={[{ value: '', label: 'the table' }, ...indexes]}
            onChange={setIndex}
          />
        )
      }
    >
      <div className="stack">
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {failure !== undefined && <ErrorBox error={failure} />}
        {data === undefined && error === null && <Skeleton lines={2} />}
        {data !== undefined && (
          <Switch
            label="Rank keys"
            isOn={isOn}
            disabled={isReadOnly || isBusy}
            onChange={(next) =>
              void update(
                'UpdateContributorInsights',
                { ...about, ContributorInsightsAction: next ? 'ENABLE' : 'DISABLE' },
                next ? 'Contributor Insights is on' : 'Contributor Insights is off',
              )
            }
          />
        )}
        {isOn && <Rules reports={data?.reports ?? []} />}
      </div>
    </Panel>
  )
}

function Rules({
  reports,
}: {
  readonly reports: readonly { readonly rule: string; readonly report: RuleReport }[]
}) {
  return reports.map(({ rule, report: { Contributors = [], AggregateValue = 0 } }) => (
    <section key={rule}>
      <h3 className="insight-title">{ruleText(rule)}</h3>
      {Contributors.length === 0 ? (
        <p className="muted">None in the last hour.</p>
      ) : (
        <ol className="insight-keys" aria-label={ruleText(rule)}>
          {Contributors.map(({ Keys, ApproximateAggregateValue: value }) => (
            <li key={Keys.join('\n')}>
              <span className="mono truncate" title={Keys.join(' · ')} dir="auto">
                {Keys.join(' · ')}
              </span>
              <span className="number">{formatCount(value)}</span>
              <span className="insight-bar" aria-hidden>
                <span style={{ width: `${String(AggregateValue === 0 ? 0 : (100 * value) / AggregateValue)}%` }} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  ))
}

function useInsights(about: { readonly TableName: string; readonly IndexName?: string }) {
  const scope = useScope()
  const call = useCall()
  return useQuery({
    queryKey: [scopeKey(scope), 'insights', about],
    queryFn: async ({ signal }) => {
      const insights = await call<Insights>('DescribeContributorInsights', about, signal)
      const end = Math.ceil(Date.now() / 60_000) * 60
      const isOn = insights.ContributorInsightsStatus === 'ENABLED'
      const rules = isOn ? (insights.ContributorInsightsRuleList ?? []) : []
      const reports = await Promise.all(
        rules.map(async (rule) => ({
          rule,
          report: await call<RuleReport>(
            'GetInsightRuleReport',
            { RuleName: rule, StartTime: end - 3600, EndTime: end, Period: 3600, MaxContributorCount: 5 },
            signal,
          ),
        })),
      )
      return { status: insights.ContributorInsightsStatus, reports }
    },
    refetchInterval: ({ state }) => (isDenied(state.error) ? false : 10_000),
  })
}
