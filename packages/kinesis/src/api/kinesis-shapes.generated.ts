/** The input shapes of Amazon Kinesis's operations, derived from its API model, version 2013-12-02, by
 *  scripts/generate-shapes.mjs: one shape a line, in the form that `shapes.ts` reads. */
export const shapeLines = String.raw`
AddTagsToStreamInput structure StreamName:StreamName Tags!:TagMap StreamARN:StreamARN StreamId:StreamId
BooleanObject boolean
ConsumerARN string 1..2048 pattern ^(arn):aws[^:]*:kinesis:[^:]*:\d{12}:[^:]*stream\/[a-zA-Z0-9_.-]+\/consumer\/[a-zA-Z0-9_.-]+:[0-9]+
ConsumerName string 1..128 pattern [a-zA-Z0-9_.-]+
CreateStreamInput structure StreamName!:StreamName ShardCount:PositiveIntegerObject StreamModeDetails:StreamModeDetails Tags:TagMap WarmThroughputMiBps:NaturalIntegerObject MaxRecordSizeInKiB:MaxRecordSizeInKiB
Data string
DecreaseStreamRetentionPeriodInput structure StreamName:StreamName RetentionPeriodHours!:RetentionPeriodHours StreamARN:StreamARN StreamId:StreamId
DeleteStreamInput structure StreamName:StreamName EnforceConsumerDeletion:BooleanObject StreamARN:StreamARN StreamId:StreamId
DeregisterStreamConsumerInput structure StreamARN:StreamARN ConsumerName:ConsumerName ConsumerARN:ConsumerARN StreamId:StreamId
DescribeLimitsInput structure
DescribeStreamConsumerInput structure StreamARN:StreamARN ConsumerName:ConsumerName ConsumerARN:ConsumerARN StreamId:StreamId
DescribeStreamInput structure StreamName:StreamName Limit:DescribeStreamInputLimit ExclusiveStartShardId:ShardId StreamARN:StreamARN StreamId:StreamId
DescribeStreamInputLimit integer 1..10000
DescribeStreamSummaryInput structure StreamName:StreamName StreamARN:StreamARN StreamId:StreamId
DisableEnhancedMonitoringInput structure StreamName:StreamName ShardLevelMetrics!:MetricsNameList StreamARN:StreamARN StreamId:StreamId
EnableEnhancedMonitoringInput structure StreamName:StreamName ShardLevelMetrics!:MetricsNameList StreamARN:StreamARN StreamId:StreamId
EncryptionType string enum NONE|KMS
GetRecordsInput structure ShardIterator!:ShardIterator Limit:GetRecordsInputLimit StreamARN:StreamARN StreamId:StreamId
GetRecordsInputLimit integer 1..10000
GetShardIteratorInput structure StreamName:StreamName ShardId!:ShardId ShardIteratorType!:ShardIteratorType StartingSequenceNumber:SequenceNumber Timestamp:Timestamp StreamARN:StreamARN StreamId:StreamId
HashKey string pattern 0|([1-9]\d{0,38})
IncreaseStreamRetentionPeriodInput structure StreamName:StreamName RetentionPeriodHours!:RetentionPeriodHours StreamARN:StreamARN StreamId:StreamId
KeyId string 1..2048
ListShardsInput structure StreamName:StreamName NextToken:NextToken ExclusiveStartShardId:ShardId MaxResults:ListShardsInputLimit StreamCreationTimestamp:Timestamp ShardFilter:ShardFilter StreamARN:StreamARN StreamId:StreamId
ListShardsInputLimit integer 1..10000
ListStreamConsumersInput structure StreamARN!:StreamARN NextToken:NextToken MaxResults:ListStreamConsumersInputLimit StreamCreationTimestamp:Timestamp StreamId:StreamId
ListStreamConsumersInputLimit integer 1..10000
ListStreamsInput structure Limit:ListStreamsInputLimit ExclusiveStartStreamName:StreamName NextToken:NextToken
ListStreamsInputLimit integer 1..10000
ListTagsForResourceInput structure ResourceARN!:ResourceARN StreamId:StreamId
ListTagsForStreamInput structure StreamName:StreamName ExclusiveStartTagKey:TagKey Limit:ListTagsForStreamInputLimit StreamARN:StreamARN StreamId:StreamId
ListTagsForStreamInputLimit integer 1..50
MaxRecordSizeInKiB integer 1024..10240
MergeShardsInput structure StreamName:StreamName ShardToMerge!:ShardId AdjacentShardToMerge!:ShardId StreamARN:StreamARN StreamId:StreamId
MetricsName string enum IncomingBytes|IncomingRecords|OutgoingBytes|OutgoingRecords|WriteProvisionedThroughputExceeded|ReadProvisionedThroughputExceeded|IteratorAgeMilliseconds|ALL
MetricsNameList list MetricsName 1..7
NaturalIntegerObject integer 0..
NextToken string 1..1048576
PartitionKey string 1..256
PositiveIntegerObject integer 1..
PutRecordInput structure StreamName:StreamName Data!:Data PartitionKey!:PartitionKey ExplicitHashKey:HashKey SequenceNumberForOrdering:SequenceNumber StreamARN:StreamARN StreamId:StreamId
PutRecordsInput structure Records!:PutRecordsRequestEntryList StreamName:StreamName StreamARN:StreamARN StreamId:StreamId
PutRecordsRequestEntry structure Data!:Data ExplicitHashKey:HashKey PartitionKey!:PartitionKey
PutRecordsRequestEntryList list PutRecordsRequestEntry 1..500
RegisterStreamConsumerInput structure StreamARN!:StreamARN ConsumerName!:ConsumerName StreamId:StreamId Tags:TagMap
RemoveTagsFromStreamInput structure StreamName:StreamName TagKeys!:TagKeyList StreamARN:StreamARN StreamId:StreamId
ResourceARN string 1..2048 pattern arn:aws[^:]*:kinesis:[^:]*:\d{12}:[^:]*stream/\S+
RetentionPeriodHours integer
ScalingType string enum UNIFORM_SCALING
SequenceNumber string pattern 0|([1-9]\d{0,128})
ShardFilter structure Type!:ShardFilterType ShardId:ShardId Timestamp:Timestamp
ShardFilterType string enum AFTER_SHARD_ID|AT_TRIM_HORIZON|FROM_TRIM_HORIZON|AT_LATEST|AT_TIMESTAMP|FROM_TIMESTAMP
ShardId string 1..128 pattern [a-zA-Z0-9_.-]+
ShardIterator string 1..512
ShardIteratorType string enum AT_SEQUENCE_NUMBER|AFTER_SEQUENCE_NUMBER|TRIM_HORIZON|LATEST|AT_TIMESTAMP
SplitShardInput structure StreamName:StreamName ShardToSplit!:ShardId NewStartingHashKey!:HashKey StreamARN:StreamARN StreamId:StreamId
StartStreamEncryptionInput structure StreamName:StreamName EncryptionType!:EncryptionType KeyId!:KeyId StreamARN:StreamARN StreamId:StreamId
StartingPosition structure Type!:ShardIteratorType SequenceNumber:SequenceNumber Timestamp:Timestamp
StopStreamEncryptionInput structure StreamName:StreamName EncryptionType!:EncryptionType KeyId!:KeyId StreamARN:StreamARN StreamId:StreamId
StreamARN string 1..2048 pattern arn:aws[^:]*:kinesis:[^:]*:\d{12}:stream/\S+
StreamId string 1..24 pattern [a-z0-9]{20}-[a-z0-9]{3}
StreamMode string enum PROVISIONED|ON_DEMAND
StreamModeDetails structure StreamMode!:StreamMode
StreamName string 1..128 pattern [a-zA-Z0-9_.-]+
SubscribeToShardInput structure ConsumerARN!:ConsumerARN StreamId:StreamId ShardId!:ShardId StartingPosition!:StartingPosition
TagKey string 1..128
TagKeyList list TagKey 1..50
TagMap map TagValue 1..200 keys TagKey
TagResourceInput structure Tags!:TagMap ResourceARN!:ResourceARN StreamId:StreamId
TagValue string 0..256
Timestamp timestamp
UntagResourceInput structure TagKeys!:TagKeyList ResourceARN!:ResourceARN StreamId:StreamId
UpdateMaxRecordSizeInput structure StreamARN:StreamARN StreamId:StreamId MaxRecordSizeInKiB!:MaxRecordSizeInKiB
UpdateShardCountInput structure StreamName:StreamName TargetShardCount!:PositiveIntegerObject ScalingType!:ScalingType StreamARN:StreamARN StreamId:StreamId
UpdateStreamModeInput structure StreamARN!:StreamARN StreamId:StreamId StreamModeDetails!:StreamModeDetails WarmThroughputMiBps:NaturalIntegerObject
`
