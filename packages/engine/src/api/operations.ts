/** The operations of each service, by the prefix of the `X-Amz-Target` header that names them. */
export const operationsByTarget = {
  DynamoDB_20120810: [
    'BatchExecuteStatement',
    'BatchGetItem',
    'BatchWriteItem',
    'CreateBackup',
    'CreateGlobalTable',
    'CreateTable',
    'DeleteBackup',
    'DeleteItem',
    'DeleteResourcePolicy',
    'DeleteTable',
    'DescribeBackup',
    'DescribeContinuousBackups',
    'DescribeContributorInsights',
    'DescribeEndpoints',
    'DescribeExport',
    'DescribeGlobalTable',
    'DescribeGlobalTableSettings',
    'DescribeImport',
    'DescribeKinesisStreamingDestination',
    'DescribeLimits',
    'DescribeTable',
    'DescribeTableReplicaAutoScaling',
    'DescribeTimeToLive',
    'DisableKinesisStreamingDestination',
    'EnableKinesisStreamingDestination',
    'ExecuteStatement',
    'ExecuteTransaction',
    'ExportTableToPointInTime',
    'GetItem',
    'GetResourcePolicy',
    'ImportTable',
    'ListBackups',
    'ListContributorInsights',
    'ListExports',
    'ListGlobalTables',
    'ListImports',
    'ListTables',
    'ListTagsOfResource',
    'PutItem',
    'PutResourcePolicy',
    'Query',
    'RestoreTableFromBackup',
    'RestoreTableToPointInTime',
    'Scan',
    'SearchVectors',
    'TagResource',
    'TransactGetItems',
    'TransactWriteItems',
    'UntagResource',
    'UpdateContinuousBackups',
    'UpdateContributorInsights',
    'UpdateGlobalTable',
    'UpdateGlobalTableSettings',
    'UpdateItem',
    'UpdateKinesisStreamingDestination',
    'UpdateTable',
    'UpdateTableReplicaAutoScaling',
    'UpdateTimeToLive',
  ],
  DynamoDBStreams_20120810: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'],
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
  /** CloudWatch: what reads metrics, and alarms. */
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
    'SetAlarmState',
    'TagResource',
    'UntagResource',
  ],
} as const

export type TargetPrefix = keyof typeof operationsByTarget
/** DynamoDB's own operations and those of its streams. */
export type OperationName = (typeof operationsByTarget)['DynamoDB_20120810' | 'DynamoDBStreams_20120810'][number]
export type AutoScalingOperation = (typeof operationsByTarget)['AnyScaleFrontendService'][number]
export type CloudWatchOperation = (typeof operationsByTarget)['GraniteServiceVersion20100801'][number]

const operationsByFullTarget: ReadonlyMap<string, string> = new Map(
  Object.entries(operationsByTarget).flatMap(([prefix, names]) =>
    names.map((name): [string, string] => [`${prefix}.${name}`, name]),
  ),
)

/** The operation that an `X-Amz-Target` header such as `DynamoDB_20120810.GetItem` names. */
export function operationOfTarget(target: string): string | undefined {
  return operationsByFullTarget.get(target)
}
