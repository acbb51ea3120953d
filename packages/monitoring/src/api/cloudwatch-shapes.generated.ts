/** The input shapes of Amazon CloudWatch's operations, derived from its API model, version 2010-08-01, by
 *  scripts/generate-shapes.mjs: one shape a line, in the form that `shapes.ts` reads. */
export const shapeLines = String.raw`
AccountId string 1..255
ActionConfiguration structure AlarmTagsPropagation:AlarmTagsPropagation
ActionPrefix string 1..1024
ActionsEnabled boolean
AlarmDescription string 0..1024
AlarmName string 1..255
AlarmNamePrefix string 1..255
AlarmNames list AlarmName ..100
AlarmPromQLCriteria structure Query!:Query PendingPeriod:PendingPeriod RecoveryPeriod:RecoveryPeriod
AlarmTagsPropagation structure Enabled!:AlarmTagsPropagationEnabled IncludedTagKeys:AlarmTagsPropagationTagKeys ExcludedTagKeys:AlarmTagsPropagationTagKeys
AlarmTagsPropagationEnabled boolean
AlarmTagsPropagationTagKey string 1..128
AlarmTagsPropagationTagKeys list AlarmTagsPropagationTagKey 1..50
AlarmType string enum CompositeAlarm|MetricAlarm|LogAlarm
AlarmTypes list AlarmType
AmazonResourceName string 1..1024
ComparisonOperator string enum GreaterThanOrEqualToThreshold|GreaterThanThreshold|LessThanThreshold|LessThanOrEqualToThreshold|LessThanLowerOrGreaterThanUpperThreshold|LessThanLowerThreshold|GreaterThanUpperThreshold
ContributorId string 1..16
Counts list DatapointValue
DatapointValue double
DatapointsToAlarm integer 1..
DeleteAlarmsInput structure AlarmNames!:AlarmNames
DescribeAlarmHistoryInput structure AlarmName:AlarmName AlarmContributorId:ContributorId AlarmTypes:AlarmTypes HistoryItemType:HistoryItemType StartDate:Timestamp EndDate:Timestamp MaxRecords:MaxRecords NextToken:NextToken ScanBy:ScanBy
DescribeAlarmsForMetricInput structure MetricName!:MetricName Namespace!:Namespace Statistic:Statistic ExtendedStatistic:ExtendedStatistic Dimensions:Dimensions Period:Period Unit:StandardUnit
DescribeAlarmsInput structure AlarmNames:AlarmNames AlarmNamePrefix:AlarmNamePrefix AlarmTypes:AlarmTypes ChildrenOfAlarmName:AlarmName ParentsOfAlarmName:AlarmName StateValue:StateValue ActionPrefix:ActionPrefix MaxRecords:MaxRecords NextToken:NextToken
DescribeInsightRulesInput structure NextToken:NextToken MaxResults:InsightRuleMaxResults
Dimension structure Name!:DimensionName Value!:DimensionValue
DimensionFilter structure Name!:DimensionName Value:DimensionValue
DimensionFilters list DimensionFilter ..10
DimensionName string 1..255
DimensionValue string 1..1024
Dimensions list Dimension ..30
DisableAlarmActionsInput structure AlarmNames!:AlarmNames
EnableAlarmActionsInput structure AlarmNames!:AlarmNames
Entity structure KeyAttributes:EntityKeyAttributesMap Attributes:EntityAttributesMap
EntityAttributesMap map EntityAttributesMapValueString 0..10 keys EntityAttributesMapKeyString
EntityAttributesMapKeyString string 1..256
EntityAttributesMapValueString string 1..2048
EntityKeyAttributesMap map EntityKeyAttributesMapValueString 2..4 keys EntityKeyAttributesMapKeyString
EntityKeyAttributesMapKeyString string 1..32
EntityKeyAttributesMapValueString string 1..2048
EntityMetricData structure Entity:Entity MetricData:MetricData
EntityMetricDataList list EntityMetricData
EvaluateLowSampleCountPercentile string 1..255
EvaluationCriteria structure PromQLCriteria:AlarmPromQLCriteria
EvaluationInterval integer 10..3600
EvaluationPeriods integer 1..
EvaluationWindow structure WallClockWindow:WallClockWindow SlidingWindow:SlidingWindow
ExtendedStatistic string
ExtendedStatistics list ExtendedStatistic 1..10
GetInsightRuleReportInput structure RuleName!:InsightRuleName StartTime!:Timestamp EndTime!:Timestamp Period!:Period MaxContributorCount:InsightRuleUnboundInteger Metrics:InsightRuleMetricList OrderBy:InsightRuleOrderBy
GetMetricDataInput structure MetricDataQueries!:MetricDataQueries StartTime!:Timestamp EndTime!:Timestamp NextToken:NextToken ScanBy:ScanBy MaxDatapoints:GetMetricDataMaxDatapoints LabelOptions:LabelOptions
GetMetricDataLabelTimezone string
GetMetricDataMaxDatapoints integer
GetMetricStatisticsInput structure Namespace!:Namespace MetricName!:MetricName Dimensions:Dimensions StartTime!:Timestamp EndTime!:Timestamp Period!:Period Statistics:Statistics ExtendedStatistics:ExtendedStatistics Unit:StandardUnit
HistoryItemType string enum ConfigurationUpdate|StateUpdate|Action|AlarmContributorStateUpdate|AlarmContributorAction
IncludeLinkedAccounts boolean
InsightRuleMaxResults integer 1..500
InsightRuleMetricList list InsightRuleMetricName
InsightRuleMetricName string 1..32 pattern [\x20-\x7E]+
InsightRuleName string 1..128 pattern [\x20-\x7E]+
InsightRuleOrderBy string 1..32 pattern [\x20-\x7E]+
InsightRuleUnboundInteger integer
LabelOptions structure Timezone:GetMetricDataLabelTimezone
ListMetricsInput structure Namespace:Namespace MetricName:MetricName Dimensions:DimensionFilters NextToken:NextToken RecentlyActive:RecentlyActive IncludeLinkedAccounts:IncludeLinkedAccounts OwningAccount:AccountId
ListTagsForResourceInput structure ResourceARN!:AmazonResourceName
MaxRecords integer 1..100
Metric structure Namespace:Namespace MetricName:MetricName Dimensions:Dimensions
MetricData list MetricDatum
MetricDataQueries list MetricDataQuery
MetricDataQuery structure Id!:MetricId MetricStat:MetricStat Expression:MetricExpression Label:MetricLabel ReturnData:ReturnData Period:Period AccountId:AccountId
MetricDatum structure MetricName!:MetricName Dimensions:Dimensions Timestamp:Timestamp Value:DatapointValue StatisticValues:StatisticSet Values:Values Counts:Counts Unit:StandardUnit StorageResolution:StorageResolution
MetricExpression string 1..2048
MetricId string 1..255
MetricLabel string
MetricName string 1..255
MetricStat structure Metric!:Metric Period!:Period Stat!:Stat Unit:StandardUnit
Namespace string 1..255 pattern [^:].*
NextToken string
OnlyStartEvaluatingAfterWarmUpPeriodEnds boolean
PendingPeriod integer 0..86400
Period integer 1..
PutMetricAlarmInput structure AlarmName!:AlarmName AlarmDescription:AlarmDescription ActionsEnabled:ActionsEnabled OKActions:ResourceList AlarmActions:ResourceList InsufficientDataActions:ResourceList MetricName:MetricName Namespace:Namespace Statistic:Statistic ExtendedStatistic:ExtendedStatistic Dimensions:Dimensions Period:Period Unit:StandardUnit EvaluationPeriods:EvaluationPeriods DatapointsToAlarm:DatapointsToAlarm Threshold:Threshold ComparisonOperator:ComparisonOperator TreatMissingData:TreatMissingData EvaluateLowSampleCountPercentile:EvaluateLowSampleCountPercentile Metrics:MetricDataQueries Tags:TagList ThresholdMetricId:MetricId EvaluationWindow:EvaluationWindow WarmUpConfiguration:WarmUpConfiguration EvaluationCriteria:EvaluationCriteria EvaluationInterval:EvaluationInterval ActionConfiguration:ActionConfiguration
PutMetricDataInput structure Namespace!:Namespace MetricData:MetricData EntityMetricData:EntityMetricDataList StrictEntityValidation:StrictEntityValidation
Query string 1..10000
RecentlyActive string enum PT3H
RecoveryPeriod integer 0..86400
ResourceList list ResourceName ..5
ResourceName string 1..1024
ReturnData boolean
ScanBy string enum TimestampDescending|TimestampAscending
SetAlarmStateInput structure AlarmName!:AlarmName StateValue!:StateValue StateReason!:StateReason StateReasonData:StateReasonData
SlidingWindow structure
StandardUnit string enum Seconds|Microseconds|Milliseconds|Bytes|Kilobytes|Megabytes|Gigabytes|Terabytes|Bits|Kilobits|Megabits|Gigabits|Terabits|Percent|Count|Bytes/Second|Kilobytes/Second|Megabytes/Second|Gigabytes/Second|Terabytes/Second|Bits/Second|Kilobits/Second|Megabits/Second|Gigabits/Second|Terabits/Second|Count/Second|None
Stat string
StateReason string 0..1023
StateReasonData string 0..4000
StateValue string enum OK|ALARM|INSUFFICIENT_DATA
Statistic string enum SampleCount|Average|Sum|Minimum|Maximum
StatisticSet structure SampleCount!:DatapointValue Sum!:DatapointValue Minimum!:DatapointValue Maximum!:DatapointValue
Statistics list Statistic 1..5
StorageResolution integer 1..
StrictEntityValidation boolean
Tag structure Key!:TagKey Value!:TagValue
TagKey string 1..128
TagKeyList list TagKey
TagList list Tag
TagResourceInput structure ResourceARN!:AmazonResourceName Tags!:TagList
TagValue string 0..256
Threshold double
Timestamp timestamp
Timezone string 1..50
TreatMissingData string 1..255
UntagResourceInput structure ResourceARN!:AmazonResourceName TagKeys!:TagKeyList
Values list DatapointValue
WallClockWindow structure Timezone:Timezone
WarmUpConfiguration structure WarmUpPeriodDurationInMinutes!:WarmUpPeriodDurationInMinutes OnlyStartEvaluatingAfterWarmUpPeriodEnds:OnlyStartEvaluatingAfterWarmUpPeriodEnds
WarmUpPeriodDurationInMinutes integer 1..2880
`
