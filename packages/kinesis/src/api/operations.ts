/** The operations of Kinesis Data Streams, by the target that names them on the wire. */
export const kinesisOperations = {
  Kinesis_20131202: [
    'AddTagsToStream',
    'CreateStream',
    'DecreaseStreamRetentionPeriod',
    'DeleteStream',
    'DeregisterStreamConsumer',
    'DescribeLimits',
    'DescribeStream',
    'DescribeStreamConsumer',
    'DescribeStreamSummary',
    'DisableEnhancedMonitoring',
    'EnableEnhancedMonitoring',
    'GetRecords',
    'GetShardIterator',
    'IncreaseStreamRetentionPeriod',
    'ListShards',
    'ListStreamConsumers',
    'ListStreams',
    'ListTagsForResource',
    'ListTagsForStream',
    'MergeShards',
    'PutRecord',
    'PutRecords',
    'RegisterStreamConsumer',
    'RemoveTagsFromStream',
    'SplitShard',
    'StartStreamEncryption',
    'StopStreamEncryption',
    'SubscribeToShard',
    'TagResource',
    'UntagResource',
    'UpdateMaxRecordSize',
    'UpdateShardCount',
    'UpdateStreamMode',
  ],
} as const

export type KinesisOperation = (typeof kinesisOperations)['Kinesis_20131202'][number]

/** The part of DynamoDB's own API that sends the changes of a table to a stream. */
export const destinationNames = [
  'DescribeKinesisStreamingDestination',
  'DisableKinesisStreamingDestination',
  'EnableKinesisStreamingDestination',
  'UpdateKinesisStreamingDestination',
] as const

export type DestinationOperation = (typeof destinationNames)[number]
