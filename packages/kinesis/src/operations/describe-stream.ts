import type { Scope } from '@hashrange/engine'
import type { DescribeStreamInput, StreamReference } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { describeShard } from '../shards/describe-shard.ts'
import { namedStream } from '../streams/named-stream.ts'
import { openShards, shardOfName, streamArn, type StreamDefinition } from '../streams/stream-definition.ts'

export async function describeStream(kinesis: Kinesis, scope: Scope, input: DescribeStreamInput) {
  const stream = await kinesis.streamBook.require(scope, namedStream(scope, input), true)
  const { Limit = 100, ExclusiveStartShardId } = input
  const after = ExclusiveStartShardId === undefined ? -1 : (shardOfName(ExclusiveStartShardId) ?? -1)
  const rest = stream.shards.filter(({ shard }) => shard > after)
  return {
    StreamDescription: {
      ...described(scope, stream),
      Shards: rest.slice(0, Limit).map(describeShard),
      HasMoreShards: rest.length > Limit,
    },
  }
}

export async function describeStreamSummary(kinesis: Kinesis, scope: Scope, input: StreamReference) {
  const stream = await kinesis.streamBook.require(scope, namedStream(scope, input), true)
  const consumers = await kinesis.consumers.ofStream(scope, stream.name)
  return {
    StreamDescriptionSummary: {
      ...described(scope, stream),
      OpenShardCount: openShards(stream).length,
      ConsumerCount: consumers.length,
      MaxRecordSizeInKiB: stream.maxRecordKiB,
    },
  }
}

function described(scope: Scope, stream: StreamDefinition) {
  return {
    StreamName: stream.name,
    StreamARN: streamArn(scope, stream.name),
    StreamStatus: 'ACTIVE',
    StreamModeDetails: { StreamMode: stream.mode },
    RetentionPeriodHours: stream.retentionHours,
    StreamCreationTimestamp: new Date(stream.createdAtMs),
    EnhancedMonitoring: [{ ShardLevelMetrics: stream.shardLevelMetrics }],
    ...(stream.keyId === undefined ? { EncryptionType: 'NONE' } : { EncryptionType: 'KMS', KeyId: stream.keyId }),
  }
}
