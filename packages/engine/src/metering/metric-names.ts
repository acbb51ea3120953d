/** The metrics of an account. They show the settings of its tables, or its limits. */
export const accountMetrics = [
  'AccountMaxReads',
  'AccountMaxWrites',
  'AccountMaxTableLevelReads',
  'AccountMaxTableLevelWrites',
  'AccountProvisionedReadCapacityUtilization',
  'AccountProvisionedWriteCapacityUtilization',
  'MaxProvisionedTableReadCapacityUtilization',
  'MaxProvisionedTableWriteCapacityUtilization',
] as const

/** All metrics, under CloudWatch's names (namespace AWS/DynamoDB), and some of our own: what would have been
 *  throttled with enforcement, in total and for each reason. */
const metricNames = [
  'ConsumedReadCapacityUnits',
  'ConsumedWriteCapacityUnits',
  'ProvisionedReadCapacityUnits',
  'ProvisionedWriteCapacityUnits',
  'OnDemandMaxReadRequestUnits',
  'OnDemandMaxWriteRequestUnits',
  'ReadThrottleEvents',
  'WriteThrottleEvents',
  'ReadProvisionedThroughputThrottleEvents',
  'WriteProvisionedThroughputThrottleEvents',
  'ReadAccountLimitThrottleEvents',
  'WriteAccountLimitThrottleEvents',
  'ReadKeyRangeThroughputThrottleEvents',
  'WriteKeyRangeThroughputThrottleEvents',
  'ReadMaxOnDemandThroughputThrottleEvents',
  'WriteMaxOnDemandThroughputThrottleEvents',
  'ReadWouldBeThrottleEvents',
  'WriteWouldBeThrottleEvents',
  'ReadProvisionedThroughputWouldBeThrottleEvents',
  'WriteProvisionedThroughputWouldBeThrottleEvents',
  'ReadAccountLimitWouldBeThrottleEvents',
  'WriteAccountLimitWouldBeThrottleEvents',
  'ReadKeyRangeThroughputWouldBeThrottleEvents',
  'WriteKeyRangeThroughputWouldBeThrottleEvents',
  'ReadMaxOnDemandThroughputWouldBeThrottleEvents',
  'WriteMaxOnDemandThroughputWouldBeThrottleEvents',
  'ConditionalCheckFailedRequests',
  'TransactionConflict',
  'TimeToLiveDeletedItemCount',
  'OnlineIndexConsumedWriteCapacity',
  'ReplicationLatency',
  'PendingReplicationCount',
  'ThrottledRequests',
  'SystemErrors',
  'SuccessfulRequestLatency',
  'ReturnedItemCount',
  'ReturnedBytes',
  'ReturnedRecordsCount',
  'UserErrors',
  ...accountMetrics,
] as const

export type MetricName = (typeof metricNames)[number]

/** The metrics that show the settings of a table or index, whether it is used or not. */
export const settingMetrics = [
  'ProvisionedReadCapacityUnits',
  'ProvisionedWriteCapacityUnits',
  'OnDemandMaxReadRequestUnits',
  'OnDemandMaxWriteRequestUnits',
] as const satisfies readonly MetricName[]

export type Settings = { readonly [name in (typeof settingMetrics)[number]]?: number | undefined }

export type MetricUnit = 'Count' | 'Milliseconds' | 'Percent' | 'Bytes'

/** The service's dimensions. A metric of a table has TableName; of an index, also GlobalSecondaryIndexName; of an
 *  operation, also Operation; of what is sent to another region, also ReceivingRegion; of the account, none. */
export interface MetricDimensions {
  readonly TableName?: string | undefined
  readonly GlobalSecondaryIndexName?: string | undefined
  readonly Operation?: string | undefined
  readonly ReceivingRegion?: string | undefined
}

/** What a replica sends to another region is metered like an index with this name, which no index can have. ON DISK, in
 *  the keys of metrics. */
export function linkName(toRegion: string): string {
  return `@${toRegion}`
}

/** The region of such a name. */
export function regionOfLink(indexName: string | undefined): string | undefined {
  return indexName?.startsWith('@') === true ? indexName.slice(1) : undefined
}

/** What one series of datapoints describes. */
export interface Metric {
  readonly name: MetricName
  readonly dimensions: MetricDimensions
}

export function unitOf(name: MetricName): MetricUnit {
  if (name === 'SuccessfulRequestLatency' || name === 'ReplicationLatency') return 'Milliseconds'
  if (name === 'ReturnedBytes') return 'Bytes'
  return name.endsWith('Utilization') ? 'Percent' : 'Count'
}

export function isMetricName(name: string): name is MetricName {
  return known.has(name)
}

const known: ReadonlySet<string> = new Set(metricNames)
