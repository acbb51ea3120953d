/** The inputs of operations, as their checks leave them. */

/** How most operations name a stream. */
export interface StreamReference {
  readonly StreamName?: string
  readonly StreamARN?: string
}

export interface CreateStreamInput {
  readonly StreamName: string
  readonly ShardCount?: number
  readonly StreamModeDetails?: { readonly StreamMode: StreamMode }
  readonly Tags?: Readonly<Record<string, string>>
  readonly MaxRecordSizeInKiB?: number
}

export type StreamMode = 'PROVISIONED' | 'ON_DEMAND'

export interface DeleteStreamInput extends StreamReference {
  readonly EnforceConsumerDeletion?: boolean
}

export interface DescribeStreamInput extends StreamReference {
  readonly Limit?: number
  readonly ExclusiveStartShardId?: string
}

export interface ListStreamsInput {
  readonly Limit?: number
  readonly ExclusiveStartStreamName?: string
  readonly NextToken?: string
}

export interface ListShardsInput extends StreamReference {
  readonly NextToken?: string
  readonly ExclusiveStartShardId?: string
  readonly MaxResults?: number
  readonly StreamCreationTimestamp?: number
  readonly ShardFilter?: ShardFilter
}

export interface ShardFilter {
  readonly Type:
    'AFTER_SHARD_ID' | 'AT_TRIM_HORIZON' | 'FROM_TRIM_HORIZON' | 'AT_LATEST' | 'AT_TIMESTAMP' | 'FROM_TIMESTAMP'
  readonly ShardId?: string
  readonly Timestamp?: number
}

export interface RetentionInput extends StreamReference {
  readonly RetentionPeriodHours: number
}

export interface PutRecordsEntry {
  /** In base64. */
  readonly Data: string
  readonly PartitionKey: string
  readonly ExplicitHashKey?: string
}

export interface PutRecordInput extends StreamReference, PutRecordsEntry {
  readonly SequenceNumberForOrdering?: string
}

export interface PutRecordsInput extends StreamReference {
  readonly Records: readonly PutRecordsEntry[]
}

export type ShardIteratorType =
  'AT_SEQUENCE_NUMBER' | 'AFTER_SEQUENCE_NUMBER' | 'TRIM_HORIZON' | 'LATEST' | 'AT_TIMESTAMP'

export interface GetShardIteratorInput extends StreamReference {
  readonly ShardId: string
  readonly ShardIteratorType: ShardIteratorType
  readonly StartingSequenceNumber?: string
  readonly Timestamp?: number
}

export interface GetRecordsInput {
  readonly ShardIterator: string
  readonly Limit?: number
  readonly StreamARN?: string
}

export interface SplitShardInput extends StreamReference {
  readonly ShardToSplit: string
  readonly NewStartingHashKey: string
}

export interface MergeShardsInput extends StreamReference {
  readonly ShardToMerge: string
  readonly AdjacentShardToMerge: string
}

export interface UpdateShardCountInput extends StreamReference {
  readonly TargetShardCount: number
}

export interface UpdateStreamModeInput {
  readonly StreamARN: string
  readonly StreamModeDetails: { readonly StreamMode: StreamMode }
}

export interface UpdateMaxRecordSizeInput {
  readonly StreamARN?: string
  readonly MaxRecordSizeInKiB: number
}

export interface EncryptionInput extends StreamReference {
  readonly EncryptionType: 'NONE' | 'KMS'
  readonly KeyId: string
}

export interface EnhancedMonitoringInput extends StreamReference {
  readonly ShardLevelMetrics: readonly string[]
}

export interface AddTagsToStreamInput extends StreamReference {
  readonly Tags: Readonly<Record<string, string>>
}

export interface RemoveTagsFromStreamInput extends StreamReference {
  readonly TagKeys: readonly string[]
}

export interface ListTagsForStreamInput extends StreamReference {
  readonly ExclusiveStartTagKey?: string
  readonly Limit?: number
}

export interface ResourceTagsInput {
  readonly ResourceARN: string
  readonly Tags?: Readonly<Record<string, string>>
  readonly TagKeys?: readonly string[]
}

export interface RegisterStreamConsumerInput {
  readonly StreamARN: string
  readonly ConsumerName: string
  readonly Tags?: Readonly<Record<string, string>>
}

export interface ConsumerReference {
  readonly StreamARN?: string
  readonly ConsumerName?: string
  readonly ConsumerARN?: string
}

export interface ListStreamConsumersInput {
  readonly StreamARN: string
  readonly NextToken?: string
  readonly MaxResults?: number
}
