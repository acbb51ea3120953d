/** The operations of the services in this package, by the target that names them on the wire. */
export const monitoringOperations = {
  /** Application Auto Scaling. */
  AnyScaleFrontendService: [
    'DeleteScalingPolicy',
    'DeleteScheduledAction',
    'DeregisterScalableTarget',
    'DescribeScalableTargets',
    'DescribeScalingActivities',
    'DescribeScalingPolicies',
    'DescribeScheduledActions',
    'GetPredictiveScalingForecast',
    'ListTagsForResource',
    'PutScalingPolicy',
    'PutScheduledAction',
    'RegisterScalableTarget',
    'TagResource',
    'UntagResource',
  ],
  /** CloudWatch: reading metrics, and alarms. */
  GraniteServiceVersion20100801: [
    'DeleteAlarms',
    'DescribeAlarmHistory',
    'DescribeAlarms',
    'DescribeAlarmsForMetric',
    'DescribeInsightRules',
    'DisableAlarmActions',
    'EnableAlarmActions',
    'GetInsightRuleReport',
    'GetMetricData',
    'GetMetricStatistics',
    'ListMetrics',
    'ListTagsForResource',
    'PutMetricAlarm',
    'PutMetricData',
    'SetAlarmState',
    'TagResource',
    'UntagResource',
  ],
} as const

export type AutoScalingOperation = (typeof monitoringOperations)['AnyScaleFrontendService'][number]
export type CloudWatchOperation = (typeof monitoringOperations)['GraniteServiceVersion20100801'][number]

/** The parts of DynamoDB's own API about auto scaling and Contributor Insights. */
export const dynamodbOperations = [
  'DescribeContributorInsights',
  'DescribeGlobalTableSettings',
  'DescribeTableReplicaAutoScaling',
  'ListContributorInsights',
  'UpdateContributorInsights',
  'UpdateGlobalTableSettings',
  'UpdateTableReplicaAutoScaling',
] as const

export type DynamodbOperation = (typeof dynamodbOperations)[number]
