import { useQuery } from '@tanstack/react-query'
import { isDenied, type Call } from '../../../../api/api.ts'
import { scopeKey, useCall } from '../../../../api/queries.ts'
import { useScope } from '../../../../state/scope.tsx'
import { alarmsOfTable, isOfTable, type Alarm, type Scaling } from './scaling-facts.ts'

const lookAgainMs = 5_000
const mostPages = 20

/** What Application Auto Scaling has about a table and its indexes. */
export function useScaling(tableName: string) {
  const scope = useScope()
  const call = useCall()
  return useQuery({
    queryKey: [scopeKey(scope), 'scaling', tableName],
    queryFn: async ({ signal }): Promise<Scaling> => {
      const [targets, policies, scheduled, activities] = await Promise.all([
        pages<Scaling['targets'][number]>(call, 'DescribeScalableTargets', 'ScalableTargets', signal),
        pages<Scaling['policies'][number]>(call, 'DescribeScalingPolicies', 'ScalingPolicies', signal),
        pages<Scaling['scheduled'][number]>(call, 'DescribeScheduledActions', 'ScheduledActions', signal),
        pages<Scaling['activities'][number]>(call, 'DescribeScalingActivities', 'ScalingActivities', signal),
      ])
      const ofTable = ({ ResourceId }: { readonly ResourceId: string }): boolean => isOfTable(ResourceId, tableName)
      return {
        targets: targets.filter(ofTable),
        policies: policies.filter(ofTable),
        scheduled: scheduled.filter(ofTable),
        activities: activities.filter(ofTable).slice(0, 50),
      }
    },
    refetchInterval: ({ state }) => (isDenied(state.error) ? false : lookAgainMs),
  })
}

/** The alarms that watch a table. */
export function useAlarms(tableName: string) {
  const scope = useScope()
  const call = useCall()
  return useQuery({
    queryKey: [scopeKey(scope), 'alarms', tableName],
    queryFn: async ({ signal }): Promise<readonly Alarm[]> =>
      alarmsOfTable(await pages<Alarm>(call, 'DescribeAlarms', 'MetricAlarms', signal, {}), tableName),
    refetchInterval: ({ state }) => (isDenied(state.error) ? false : lookAgainMs),
  })
}

async function pages<Entry>(
  call: Call,
  operation: string,
  member: string,
  signal: AbortSignal,
  input: object = { ServiceNamespace: 'dynamodb' },
): Promise<readonly Entry[]> {
  const found: Entry[] = []
  let next: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const answer: Readonly<Record<string, unknown>> = await call(
      operation,
      { ...input, ...(next !== undefined && { NextToken: next }) },
      signal,
    )
    found.push(...((answer[member] ?? []) as readonly Entry[]))
    next = answer['NextToken'] as string | undefined
    if (next === undefined) break
  }
  return found
}
