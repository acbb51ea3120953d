/** The inputs of operations of DynamoDB Streams, as `readInput` returns them. */
export interface StreamInputs {
  readonly ListStreams: ListStreamsInput
  readonly DescribeStream: DescribeStreamInput
  readonly GetShardIterator: GetShardIteratorInput
  readonly GetRecords: GetRecordsInput
}

export interface ListStreamsInput {
  readonly TableName?: string
  readonly Limit?: number
  readonly ExclusiveStartStreamArn?: string
}

export interface DescribeStreamInput {
  readonly StreamArn: string
  readonly Limit?: number
  readonly ExclusiveStartShardId?: string
  readonly ShardFilter?: ShardFilterInput
}

export interface ShardFilterInput {
  readonly Type?: 'CHILD_SHARDS'
  readonly ShardId?: string
}

export interface GetShardIteratorInput {
  readonly StreamArn: string
  readonly ShardId: string
  readonly ShardIteratorType: ShardIteratorType
  readonly SequenceNumber?: string
}

export type ShardIteratorType = 'TRIM_HORIZON' | 'LATEST' | 'AT_SEQUENCE_NUMBER' | 'AFTER_SEQUENCE_NUMBER'

export interface GetRecordsInput {
  readonly ShardIterator: string
  readonly Limit?: number
}
