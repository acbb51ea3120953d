/** The inputs of operations of CloudWatch, as `readServiceInput` returns them. Times are seconds since 1970. */
export interface DimensionInput {
  readonly Name: string
  readonly Value: string
}

export interface MetricInput {
  readonly Namespace?: string
  readonly MetricName?: string
  readonly Dimensions?: readonly DimensionInput[]
}

export interface MetricStatInput {
  readonly Metric: MetricInput
  readonly Period: number
  readonly Stat: string
  readonly Unit?: string
}

export interface MetricDataQueryInput {
  readonly Id: string
  readonly MetricStat?: MetricStatInput
  readonly Expression?: string
  readonly Label?: string
  readonly ReturnData?: boolean
  readonly Period?: number
  readonly AccountId?: string
}

export interface GetMetricDataInput {
  readonly MetricDataQueries: readonly MetricDataQueryInput[]
  readonly StartTime: number
  readonly EndTime: number
  readonly NextToken?: string
  readonly ScanBy?: 'TimestampDescending' | 'TimestampAscending'
  readonly MaxDatapoints?: number
}

export interface GetMetricStatisticsInput {
  readonly Namespace: string
  readonly MetricName: string
  readonly Dimensions?: readonly DimensionInput[]
  readonly StartTime: number
  readonly EndTime: number
  readonly Period: number
  readonly Statistics?: readonly StatisticName[]
  readonly ExtendedStatistics?: readonly string[]
  readonly Unit?: string
}

export type StatisticName = 'SampleCount' | 'Average' | 'Sum' | 'Minimum' | 'Maximum'

export interface ListMetricsInput {
  readonly Namespace?: string
  readonly MetricName?: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value?: string }[]
  readonly NextToken?: string
  readonly RecentlyActive?: 'PT3H'
  readonly IncludeLinkedAccounts?: boolean
  readonly OwningAccount?: string
}

export type ComparisonOperator =
  | 'GreaterThanOrEqualToThreshold'
  | 'GreaterThanThreshold'
  | 'LessThanThreshold'
  | 'LessThanOrEqualToThreshold'
  | 'LessThanLowerOrGreaterThanUpperThreshold'
  | 'LessThanLowerThreshold'
  | 'GreaterThanUpperThreshold'

export type AlarmStateValue = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA'

export interface PutMetricAlarmInput {
  readonly AlarmName: string
  readonly AlarmDescription?: string
  readonly ActionsEnabled?: boolean
  readonly OKActions?: readonly string[]
  readonly AlarmActions?: readonly string[]
  readonly InsufficientDataActions?: readonly string[]
  readonly MetricName?: string
  readonly Namespace?: string
  readonly Statistic?: StatisticName
  readonly ExtendedStatistic?: string
  readonly Dimensions?: readonly DimensionInput[]
  readonly Period?: number
  readonly Unit?: string
  readonly EvaluationPeriods?: number
  readonly DatapointsToAlarm?: number
  readonly Threshold?: number
  readonly ComparisonOperator?: ComparisonOperator
  readonly TreatMissingData?: string
  readonly EvaluateLowSampleCountPercentile?: string
  readonly Metrics?: readonly MetricDataQueryInput[]
  readonly Tags?: readonly TagInput[]
  readonly ThresholdMetricId?: string
  readonly EvaluationCriteria?: object
}

export interface TagInput {
  readonly Key: string
  readonly Value: string
}

export interface AlarmNamesInput {
  readonly AlarmNames: readonly string[]
}

export interface DescribeAlarmsInput {
  readonly AlarmNames?: readonly string[]
  readonly AlarmNamePrefix?: string
  readonly AlarmTypes?: readonly string[]
  readonly ChildrenOfAlarmName?: string
  readonly ParentsOfAlarmName?: string
  readonly StateValue?: AlarmStateValue
  readonly ActionPrefix?: string
  readonly MaxRecords?: number
  readonly NextToken?: string
}

export interface DescribeAlarmsForMetricInput {
  readonly MetricName: string
  readonly Namespace: string
  readonly Statistic?: StatisticName
  readonly ExtendedStatistic?: string
  readonly Dimensions?: readonly DimensionInput[]
  readonly Period?: number
  readonly Unit?: string
}

export interface DescribeAlarmHistoryInput {
  readonly AlarmName?: string
  readonly AlarmTypes?: readonly string[]
  readonly HistoryItemType?: string
  readonly StartDate?: number
  readonly EndDate?: number
  readonly MaxRecords?: number
  readonly NextToken?: string
  readonly ScanBy?: 'TimestampDescending' | 'TimestampAscending'
}

export interface SetAlarmStateInput {
  readonly AlarmName: string
  readonly StateValue: AlarmStateValue
  readonly StateReason: string
  readonly StateReasonData?: string
}

export interface DescribeInsightRulesInput {
  readonly NextToken?: string
  readonly MaxResults?: number
}

export interface GetInsightRuleReportInput {
  readonly RuleName: string
  readonly StartTime: number
  readonly EndTime: number
  readonly Period: number
  readonly MaxContributorCount?: number
  readonly Metrics?: readonly string[]
  readonly OrderBy?: string
}

export interface ListTagsInput {
  readonly ResourceARN: string
}

export interface TagAlarmInput {
  readonly ResourceARN: string
  readonly Tags: readonly TagInput[]
}

export interface UntagAlarmInput {
  readonly ResourceARN: string
  readonly TagKeys: readonly string[]
}

export interface PutMetricDataInput {
  readonly Namespace: string
  readonly MetricData?: readonly MetricDatum[]
  readonly EntityMetricData?: readonly { readonly MetricData?: readonly MetricDatum[] }[]
}

export interface MetricDatum {
  readonly MetricName: string
  readonly Dimensions?: readonly DimensionInput[]
  readonly Timestamp?: number
  readonly Value?: number
  readonly StatisticValues?: {
    readonly SampleCount: number
    readonly Sum: number
    readonly Minimum: number
    readonly Maximum: number
  }
  readonly Values?: readonly number[]
  readonly Counts?: readonly number[]
  readonly Unit?: string
}
