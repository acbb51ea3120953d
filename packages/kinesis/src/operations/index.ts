import type { ServiceOperation } from '@hashrange/engine'
import type { KinesisOperation } from '../api/operations.ts'
import type { Kinesis } from '../kinesis.ts'
import {
  deregisterStreamConsumer,
  describeStreamConsumer,
  listStreamConsumers,
  registerStreamConsumer,
  subscribeToShard,
} from './consumers.ts'
import { createStream } from './create-stream.ts'
import { deleteStream } from './delete-stream.ts'
import { describeStream, describeStreamSummary } from './describe-stream.ts'
import { getRecords } from './get-records.ts'
import { getShardIterator } from './get-shard-iterator.ts'
import { listShards } from './list-shards.ts'
import { describeLimits, listStreams } from './list-streams.ts'
import { putRecord, putRecords } from './put-records.ts'
import { mergeShards, splitShard, updateShardCount } from './reshard-stream.ts'
import { decreaseStreamRetentionPeriod, increaseStreamRetentionPeriod } from './retention-period.ts'
import {
  disableEnhancedMonitoring,
  enableEnhancedMonitoring,
  startStreamEncryption,
  stopStreamEncryption,
  updateMaxRecordSize,
  updateStreamMode,
} from './stream-settings.ts'
import {
  addTagsToStream,
  listTagsForResource,
  listTagsForStream,
  removeTagsFromStream,
  tagResource,
  untagResource,
} from './tags.ts'

export const kinesis: Readonly<Record<KinesisOperation, ServiceOperation<Kinesis>>> = {
  AddTagsToStream: addTagsToStream,
  CreateStream: createStream,
  DecreaseStreamRetentionPeriod: decreaseStreamRetentionPeriod,
  DeleteStream: deleteStream,
  DeregisterStreamConsumer: deregisterStreamConsumer,
  DescribeLimits: describeLimits,
  DescribeStream: describeStream,
  DescribeStreamConsumer: describeStreamConsumer,
  DescribeStreamSummary: describeStreamSummary,
  DisableEnhancedMonitoring: disableEnhancedMonitoring,
  EnableEnhancedMonitoring: enableEnhancedMonitoring,
  GetRecords: getRecords,
  GetShardIterator: getShardIterator,
  IncreaseStreamRetentionPeriod: increaseStreamRetentionPeriod,
  ListShards: listShards,
  ListStreamConsumers: listStreamConsumers,
  ListStreams: listStreams,
  ListTagsForResource: listTagsForResource,
  ListTagsForStream: listTagsForStream,
  MergeShards: mergeShards,
  PutRecord: putRecord,
  PutRecords: putRecords,
  RegisterStreamConsumer: registerStreamConsumer,
  RemoveTagsFromStream: removeTagsFromStream,
  SplitShard: splitShard,
  StartStreamEncryption: startStreamEncryption,
  StopStreamEncryption: stopStreamEncryption,
  SubscribeToShard: subscribeToShard,
  TagResource: tagResource,
  UntagResource: untagResource,
  UpdateMaxRecordSize: updateMaxRecordSize,
  UpdateShardCount: updateShardCount,
  UpdateStreamMode: updateStreamMode,
}
