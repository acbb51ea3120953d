import type { NeedsOf } from './need.ts'
import { sentTags, sentText, sentTexts } from './sent-member.ts'
import { removedTagKeys, requestTagKeys } from './tag-keys.ts'

/** What CloudWatch needs: of alarms and rules where there are some, and else of everything. */
export const cloudWatchNeeds: Readonly<Record<string, NeedsOf>> = {
  ...onAlarms('AlarmNames', 'DeleteAlarms', 'DisableAlarmActions', 'EnableAlarmActions', 'DescribeAlarms'),
  ...onAlarms('AlarmName', 'PutMetricAlarm', 'SetAlarmState', 'DescribeAlarmHistory'),
  ...onEverything(
    'cloudwatch',
    'DescribeAlarmsForMetric',
    'DescribeInsightRules',
    'GetMetricData',
    'GetMetricStatistics',
    'ListMetrics',
  ),
  GetInsightRuleReport: ({ scope, body }) => [
    {
      action: 'cloudwatch:GetInsightRuleReport',
      resource: `arn:aws:cloudwatch:${scope.region}:${scope.accountId}:insight-rule/${sentText(body, 'RuleName') ?? '*'}`,
    },
  ],
  PutMetricData: ({ body }) => {
    const namespace = sentText(body, 'Namespace')
    const keys = namespace === undefined ? undefined : new Map([['cloudwatch:namespace', namespace]])
    return [{ action: 'cloudwatch:PutMetricData', resource: '*', ...(keys && { keys }) }]
  },
  ...onTagged('cloudwatch'),
}

/** What Application Auto Scaling needs. Its targets have no names of their own that a policy could use. */
export const autoScalingNeeds: Readonly<Record<string, NeedsOf>> = {
  ...onTargets(
    'DeleteScalingPolicy',
    'DeleteScheduledAction',
    'DeregisterScalableTarget',
    'GetPredictiveScalingForecast',
    'PutScalingPolicy',
    'PutScheduledAction',
    'RegisterScalableTarget',
  ),
  ...onEverything(
    'application-autoscaling',
    'DescribeScalableTargets',
    'DescribeScalingActivities',
    'DescribeScalingPolicies',
    'DescribeScheduledActions',
  ),
  ...onTagged('application-autoscaling'),
}

type Needs = Readonly<Record<string, NeedsOf>>

function onAlarms(member: string, ...operations: readonly string[]): Needs {
  return each(operations, (name) => ({ scope, body }) => {
    const one = sentText(body, member)
    const named = one === undefined ? sentTexts(body, member) : [one]
    const tags = requestTagKeys(sentTags(body))
    return (named.length === 0 ? ['*'] : named).map((alarm) => ({
      action: `cloudwatch:${name}`,
      resource: `arn:aws:cloudwatch:${scope.region}:${scope.accountId}:alarm:${alarm}`,
      ...(tags && { keys: tags }),
    }))
  })
}

function onTargets(...operations: readonly string[]): Needs {
  return each(operations, (name) => ({ scope, body }) => {
    const keys = new Map<string, string>()
    for (const [key, member] of targetKeys) {
      const value = sentText(body, member)
      if (value !== undefined) keys.set(key, value)
    }
    const resource = `arn:aws:application-autoscaling:${scope.region}:${scope.accountId}:scalable-target/*`
    return [{ action: `application-autoscaling:${name}`, resource, keys }]
  })
}

const targetKeys = [
  ['application-autoscaling:service-namespace', 'ServiceNamespace'],
  ['application-autoscaling:scalable-dimension', 'ScalableDimension'],
] as const

function onTagged(service: string): Needs {
  return each(['ListTagsForResource', 'TagResource', 'UntagResource'], (name) => ({ body }) => {
    const keys =
      name === 'UntagResource' ? removedTagKeys(sentTexts(body, 'TagKeys')) : requestTagKeys(sentTags(body))
    const resource = sentText(body, 'ResourceARN') ?? '*'
    return [{ action: `${service}:${name}`, resource, ...(keys && { keys }) }]
  })
}

function onEverything(service: string, ...operations: readonly string[]): Needs {
  return each(operations, (name) => () => [{ action: `${service}:${name}`, resource: '*' }])
}

function each(operations: readonly string[], needsOf: (name: string) => NeedsOf): Needs {
  return Object.fromEntries(operations.map((name) => [name, needsOf(name)]))
}
