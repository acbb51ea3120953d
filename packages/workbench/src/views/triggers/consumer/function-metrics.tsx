import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { scopeKey, useCall } from '../../../api/queries.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import { Waiting } from '../../../components/messages/notices.tsx'
import { useScope } from '../../../state/scope.tsx'
import { formatCount, formatMs } from '../../../values/format.ts'

const minutes = 60
const metrics = [
  ['calls', 'Invocations', 'Sum'],
  ['errors', 'Errors', 'Sum'],
  ['age', 'IteratorAge', 'Maximum'],
  ['duration', 'Duration', 'Average'],
] as const

interface MetricAnswer {
  readonly MetricDataResults: readonly {
    readonly Id: string
    readonly Timestamps: readonly number[]
    readonly Values: readonly number[]
  }[]
}

/** What CloudWatch has of a function: the last hour, minute by minute. */
export function FunctionMetrics({ functionName }: { readonly functionName: string }) {
  const scope = useScope()
  const call = useCall()
  const { data, error, refetch } = useQuery({
    queryKey: [scopeKey(scope), 'function-metrics', functionName],
    queryFn: async ({ signal }) => {
      const end = Math.ceil(Date.now() / 60_000) * 60
      const answer = await call<MetricAnswer>('GetMetricData', requestFor(functionName, end), signal)
      return { end, answer }
    },
    refetchInterval: 10_000,
  })
  const times = useMemo(
    () => (data === undefined ? [] : Array.from({ length: minutes }, (_, at) => data.end - (minutes - at) * 60)),
    [data],
  )
  if (data === undefined) return <Waiting error={error} onRetry={refetch} lines={4} />
  const valuesOf = (id: string, missing: number | null): (number | null)[] => {
    const found = data.answer.MetricDataResults.find(({ Id }) => Id === id)
    const byTime = new Map(found?.Timestamps.map((time, at) => [time, found.Values[at] ?? null]))
    return times.map((time) => byTime.get(time) ?? missing)
  }
  return (
    <div className="function-metrics">
      <section>
        <h3 className="trigger-label">Calls and errors per minute</h3>
        <Chart
          label="Calls and errors per minute"
          times={times}
          format={formatCount}
          series={[
            { label: 'Invocations', values: valuesOf('calls', 0), isFilled: true },
            { label: 'Errors', values: valuesOf('errors', 0), colour: '--chart-3' },
          ]}
        />
      </section>
      <section>
        <h3 className="trigger-label">Iterator age and duration</h3>
        <Chart
          label="Iterator age and duration"
          times={times}
          format={formatMs}
          series={[
            { label: 'IteratorAge, maximum', values: valuesOf('age', null), hasPoints: true },
            {
              label: 'Duration, average',
              values: valuesOf('duration', null),
              colour: '--chart-2',
              hasPoints: true,
            },
          ]}
        />
      </section>
    </div>
  )
}

function requestFor(functionName: string, end: number): object {
  return {
    StartTime: end - minutes * 60,
    EndTime: end,
    ScanBy: 'TimestampAscending',
    MetricDataQueries: metrics.map(([Id, MetricName, Stat]) => ({
      Id,
      MetricStat: {
        Period: 60,
        Stat,
        Metric: {
          Namespace: 'AWS/Lambda',
          MetricName,
          Dimensions: [{ Name: 'FunctionName', Value: functionName }],
        },
      },
    })),
  }
}
