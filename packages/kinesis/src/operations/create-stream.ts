import { sequenceAt, type Scope } from '@hashrange/engine'
import type { CreateStreamInput } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { firstShards } from '../shards/reshard.ts'
import { putShardState } from '../shards/shard-state.ts'
import {
  defaultMaxRecordKiB,
  defaultRetentionHours,
  openShards,
  type StreamDefinition,
} from '../streams/stream-definition.ts'
import { invalidArgument, resourceInUse, shardLimit, shardLimitExceeded } from '../streams/stream-errors.ts'
import { checkTags } from '../streams/stream-tags.ts'

/** What a stream on demand begins with. */
const firstOnDemandShards = 4

/** A stream is active as soon as it is created. One that has neither a mode nor a number of shards is on demand. */
export async function createStream(kinesis: Kinesis, scope: Scope, input: CreateStreamInput): Promise<undefined> {
  const { StreamName: name, ShardCount, Tags: tags = {}, MaxRecordSizeInKiB = defaultMaxRecordKiB } = input
  const mode = input.StreamModeDetails?.StreamMode ?? (ShardCount === undefined ? 'ON_DEMAND' : 'PROVISIONED')
  if (mode === 'ON_DEMAND' && ShardCount !== undefined) {
    throw invalidArgument('ShardCount should not be specified for ON_DEMAND stream.')
  }
  if (mode === 'PROVISIONED' && ShardCount === undefined) {
    throw invalidArgument('ShardCount should be specified for PROVISIONED stream.')
  }
  checkTags(scope, name, {}, tags)
  const count = ShardCount ?? firstOnDemandShards
  const used = await openShardCount(kinesis, scope)
  if (used + count > shardLimit) throw shardLimitExceeded(scope, used, count)
  const id = await kinesis.newId()
  const { nowMs, steadyMs } = kinesis.clock.moment()
  const shards = firstShards(count, sequenceAt(steadyMs))
  const definition: StreamDefinition = {
    name,
    id,
    createdAtMs: nowMs,
    mode,
    retentionHours: defaultRetentionHours,
    maxRecordKiB: MaxRecordSizeInKiB,
    shardLevelMetrics: [],
    tags,
    shards,
    nextShard: shards.length,
  }
  await kinesis.streamBook.decide(scope, name, [], (current) => {
    if (current !== undefined) {
      throw resourceInUse(`Stream ${name} under account ${scope.accountId} already exists.`)
    }
    return {
      definition,
      writes: shards.map(({ shard, openedAt }) =>
        putShardState(id, shard, { isOpen: true, last: BigInt(openedAt) }),
      ),
      answer: undefined,
    }
  })
  return undefined
}

export async function openShardCount({ streamBook }: Kinesis, scope: Scope): Promise<number> {
  let count = 0
  for (const stream of await streamBook.list(scope)) count += openShards(stream).length
  return count
}
