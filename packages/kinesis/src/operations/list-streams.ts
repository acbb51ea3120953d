import type { Scope } from '@hashrange/engine'
import type { ListStreamsInput } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { pageAfter, tokenAfter } from '../streams/list-token.ts'
import { openShards, streamArn } from '../streams/stream-definition.ts'
import { shardLimit } from '../streams/stream-errors.ts'

export async function listStreams(kinesis: Kinesis, scope: Scope, input: ListStreamsInput) {
  const { Limit = 100, ExclusiveStartStreamName, NextToken } = input
  const [after = ExclusiveStartStreamName] = NextToken === undefined ? [] : pageAfter(kinesis.clock, NextToken)
  const { records, next } = await kinesis.streamBook.page(scope, Limit, after)
  return {
    StreamNames: records.map(({ name }) => name),
    HasMoreStreams: next !== undefined,
    ...(next !== undefined && { NextToken: tokenAfter(kinesis.clock, next) }),
    StreamSummaries: records.map(({ name, mode, createdAtMs }) => ({
      StreamName: name,
      StreamARN: streamArn(scope, name),
      StreamStatus: 'ACTIVE',
      StreamModeDetails: { StreamMode: mode },
      StreamCreationTimestamp: new Date(createdAtMs),
    })),
  }
}

const onDemandStreamLimit = 50

export async function describeLimits(kinesis: Kinesis, scope: Scope) {
  const streams = await kinesis.streamBook.list(scope)
  return {
    ShardLimit: shardLimit,
    OpenShardCount: streams.reduce((sum, stream) => sum + openShards(stream).length, 0),
    OnDemandStreamCount: streams.filter(({ mode }) => mode === 'ON_DEMAND').length,
    OnDemandStreamCountLimit: onDemandStreamLimit,
  }
}
