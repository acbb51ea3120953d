import { initialState, type Alarm, type AlarmMetric, type FollowedCapacity } from '../records/alarm-records.ts'
import type { MetricDataQueryInput, StatisticName } from '../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { resourceIdOf, type ScalableResource } from '../resources/scalable-resource.ts'
import { policyAction, type ScalingPolicy } from '../records/scaling-records.ts'
import type { CustomizedMetric } from '../api/auto-scaling-inputs.ts'

export interface PolicyAlarmsRequest {
  readonly scope: Scope
  readonly resource: ScalableResource
  /** The names of its alarms are created here. */
  readonly policy: Omit<ScalingPolicy, 'alarmNames'>
  readonly capacity: number
  readonly nowMs: number
  readonly uuid: () => string
}

/** How far below its target utilization a table must be to scale in, in percent of what is provisioned. */
const scaleInMarginPercent = 20

/** How many alarms a policy has at most. */
export const mostAlarms = 4

/** The alarms that trigger a policy. For a table's own utilization there are four, as in the service: consumption
 *  above the target for two minutes, or well below it for fifteen; and two that watch what is provisioned. */
export function policyAlarms(request: PolicyAlarmsRequest): readonly Alarm[] {
  const { tracking } = request.policy
  const customized = tracking.CustomizedMetricSpecification
  return customized === undefined ? utilizationAlarms(request) : customizedAlarms(request, customized)
}

function utilizationAlarms(request: PolicyAlarmsRequest): readonly Alarm[] {
  const { resource, policy, capacity } = request
  const { TargetValue: target, DisableScaleIn: scalesOutOnly } = policy.tracking
  const units = resource.units === 'read' ? 'ReadCapacityUnits' : 'WriteCapacityUnits'
  const consumed: AlarmMetric = {
    namespace: 'AWS/DynamoDB',
    metricName: `Consumed${units}`,
    dimensions: dimensionsOf(resource),
    statistic: 'Sum',
    periodSeconds: 60,
  }
  const provisioned: AlarmMetric = {
    ...consumed,
    metricName: `Provisioned${units}`,
    statistic: 'Average',
    periodSeconds: 300,
  }
  const high = (target / 100) * 60
  const low = (Math.max(0, target - scaleInMarginPercent) / 100) * 60
  const make = (kind: string, metric: AlarmMetric, periods: number, above: boolean, factor: number): Alarm => ({
    ...alarmBase(request, kind, periods, above),
    metric,
    threshold: capacity * factor,
    follows: followed(resource, factor),
  })
  return [
    make('AlarmHigh', consumed, 2, true, high),
    ...(scalesOutOnly === true ? [] : [make('AlarmLow', consumed, 15, false, low)]),
    make('ProvisionedCapacityHigh', provisioned, 3, true, 1),
    make('ProvisionedCapacityLow', provisioned, 3, false, 1),
  ]
}

/** For any other metric: above the target for three minutes, or more than a tenth below it for fifteen. */
function customizedAlarms(request: PolicyAlarmsRequest, specification: CustomizedMetric): readonly Alarm[] {
  const { TargetValue: target, DisableScaleIn: scalesOutOnly } = request.policy.tracking
  const watched = watchedBy(specification)
  const make = (kind: string, periods: number, above: boolean, threshold: number): Alarm => ({
    ...alarmBase(request, kind, periods, above),
    ...watched,
    threshold,
  })
  return [
    make('AlarmHigh', 3, true, target),
    ...(scalesOutOnly === true ? [] : [make('AlarmLow', 15, false, target * 0.9)]),
  ]
}

function watchedBy(specification: CustomizedMetric): Pick<Alarm, 'metric' | 'queries'> {
  const { MetricName, Namespace, Dimensions, Statistic, Unit, Metrics } = specification
  if (Metrics !== undefined) {
    return {
      queries: Metrics.map((query): MetricDataQueryInput => {
        // A policy's queries give no period: it is one minute.
        const { MetricStat } = query
        return MetricStat === undefined
          ? { ...query, Period: 60 }
          : { ...query, MetricStat: { ...MetricStat, Period: 60 } }
      }),
    }
  }
  return {
    metric: {
      namespace: Namespace ?? '',
      metricName: MetricName ?? '',
      dimensions: Dimensions ?? [],
      statistic: (Statistic ?? 'Average') as StatisticName,
      periodSeconds: 60,
      ...(Unit !== undefined && { unit: Unit }),
    },
  }
}

function alarmBase(
  { scope, resource, policy, nowMs, uuid }: PolicyAlarmsRequest,
  kind: string,
  evaluationPeriods: number,
  above: boolean,
): Omit<Alarm, 'threshold'> {
  const action = policyAction(scope, { ...policy, alarmNames: [] })
  return {
    name: `TargetTracking-${resourceIdOf(resource.tableName, resource.indexName)}-${kind}-${uuid()}`,
    description: `DO NOT EDIT OR DELETE. For TargetTrackingScaling policy ${action}.`,
    actionsEnabled: true,
    okActions: [],
    alarmActions: [action],
    insufficientDataActions: [],
    evaluationPeriods,
    comparison: above ? 'GreaterThanThreshold' : 'LessThanThreshold',
    tags: {},
    createdAtMs: nowMs,
    configuredAtMs: nowMs,
    state: initialState(nowMs),
  }
}

function dimensionsOf({ tableName, indexName }: ScalableResource): readonly {
  readonly Name: string
  readonly Value: string
}[] {
  return [
    { Name: 'TableName', Value: tableName },
    ...(indexName === undefined ? [] : [{ Name: 'GlobalSecondaryIndexName', Value: indexName }]),
  ]
}

function followed({ tableName, indexName, units }: ScalableResource, factor: number): FollowedCapacity {
  return { tableName, ...(indexName !== undefined && { indexName }), units, factor }
}
