import { kinesisShardKey, sequenceAfter, type Scope } from '@hashrange/engine'
import type { MergeShardsInput, SplitShardInput, UpdateShardCountInput } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { Resharding } from '../shards/reshard.ts'
import { decodeShardState, putShardState } from '../shards/shard-state.ts'
import { namedStream } from '../streams/named-stream.ts'
import {
  isOpen,
  openShards,
  shardName,
  shardOfName,
  streamArn,
  type ShardDefinition,
  type StreamDefinition,
} from '../streams/stream-definition.ts'
import {
  invalidArgument,
  resourceInUse,
  shardLimit,
  shardLimitExceeded,
  shardNotFound,
  streamNotFound,
} from '../streams/stream-errors.ts'
import { openShardCount } from './create-stream.ts'

export async function splitShard(kinesis: Kinesis, scope: Scope, input: SplitShardInput): Promise<undefined> {
  const name = namedStream(scope, input)
  await assertRoom(kinesis, scope, 1)
  await reshard(kinesis, scope, name, (stream) => {
    const shard = requireOpen(scope, stream, input.ShardToSplit)
    const at = BigInt(input.NewStartingHashKey)
    if (at <= BigInt(shard.fromHash) + 1n || at >= BigInt(shard.toHash)) {
      throw invalidArgument(
        `NewStartingHashKey ${input.NewStartingHashKey} used in SplitShard() on shard ${shardName(shard.shard)} in stream ${name} under account ${scope.accountId} is not both greater than one plus the shard's StartingHashKey ${shard.fromHash} and less than the shard's EndingHashKey ${shard.toHash}.`,
      )
    }
    return { touched: [shard], act: (resharding) => resharding.split(shard, at) }
  })
  return undefined
}

export async function mergeShards(kinesis: Kinesis, scope: Scope, input: MergeShardsInput): Promise<undefined> {
  const name = namedStream(scope, input)
  await reshard(kinesis, scope, name, (stream) => {
    const parent = requireOpen(scope, stream, input.ShardToMerge)
    const adjacent = requireOpen(scope, stream, input.AdjacentShardToMerge)
    const isBelow = BigInt(parent.toHash) + 1n === BigInt(adjacent.fromHash)
    if (!isBelow && BigInt(adjacent.toHash) + 1n !== BigInt(parent.fromHash)) {
      throw invalidArgument(
        `Shards ${shardName(parent.shard)} and ${shardName(adjacent.shard)} in stream ${name} under account ${scope.accountId} are not an adjacent pair of shards eligible for merging`,
      )
    }
    const [below, above] = isBelow ? [parent, adjacent] : [adjacent, parent]
    return { touched: [parent, adjacent], act: (resharding) => resharding.merge(below, above, parent) }
  })
  return undefined
}

export async function updateShardCount(kinesis: Kinesis, scope: Scope, input: UpdateShardCountInput) {
  const name = namedStream(scope, input)
  const { TargetShardCount: target } = input
  let current = 0
  const known = await kinesis.streamBook.require(scope, name, true)
  await assertRoom(kinesis, scope, target - openShards(known).length)
  await reshard(kinesis, scope, name, (stream) => {
    const open = openShards(stream)
    current = open.length
    if (stream.mode === 'ON_DEMAND') {
      throw invalidArgument(
        `Request is invalid. Stream ${name} under account ${scope.accountId} is in On-Demand mode.`,
      )
    }
    if (target > 2 * current) {
      throw invalidArgument(
        `UpdateShardCount cannot scale up over double your current open shard count. Current open shard count: ${current} Target shard count: ${target}`,
      )
    }
    if (target < Math.ceil(current / 2)) {
      throw invalidArgument(
        `UpdateShardCount cannot scale down below half your current open shard count. Current open shard count: ${current} Target shard count: ${target}`,
      )
    }
    return { touched: open, act: (resharding) => resharding.toUniform(target) }
  })
  return {
    StreamName: name,
    StreamARN: streamArn(scope, name),
    CurrentShardCount: current,
    TargetShardCount: target,
  }
}

interface PlannedReshard {
  /** The shards that may be closed. */
  readonly touched: readonly ShardDefinition[]
  readonly act: (resharding: Resharding) => unknown
}

/** Changes the shards of a stream in one transaction. Which shards to read is only known from the stream itself: if
 *  another request has changed it meanwhile, the plan is made again. */
async function reshard(
  kinesis: Kinesis,
  scope: Scope,
  name: string,
  plan: (stream: StreamDefinition) => PlannedReshard,
): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const read = await kinesis.streamBook.require(scope, name, true)
    const { touched, act } = plan(read)
    const keys = touched.map(({ shard }) => kinesisShardKey(read.id, shard))
    const steadyMs = kinesis.clock.steady()
    const isDone = await kinesis.streamBook.decide(scope, name, keys, (stream, values) => {
      if (stream === undefined) throw streamNotFound(scope, name)
      const isSame = stream.id === read.id && stream.nextShard === read.nextShard
      if (!isSame) return { definition: stream, answer: false }
      const lasts = values.map((value) => decodeShardState(value)?.last ?? 0n)
      const last = lasts.reduce((one, other) => (one > other ? one : other), 0n)
      const resharding = new Resharding(stream.shards, stream.nextShard, sequenceAfter(last, steadyMs))
      act(resharding)
      const { shards, nextShard, opensAt } = resharding
      const before = new Map(stream.shards.map((shard) => [shard.shard, shard]))
      const changed = shards.filter((shard) => before.get(shard.shard) !== shard)
      return {
        definition: { ...stream, shards, nextShard },
        writes: changed.map((shard) =>
          putShardState(stream.id, shard.shard, {
            isOpen: isOpen(shard),
            last: shard.closedAt === undefined ? opensAt : BigInt(shard.closedAt),
          }),
        ),
        answer: true,
      }
    })
    if (isDone) return
  }
  throw resourceInUse(`Stream ${name} under account ${scope.accountId} not ACTIVE, instead in state UPDATING`)
}

const mostAttempts = 20

async function assertRoom(kinesis: Kinesis, scope: Scope, more: number): Promise<void> {
  const used = await openShardCount(kinesis, scope)
  if (more > 0 && used + more > shardLimit) throw shardLimitExceeded(scope, used, more)
}

function requireOpen(scope: Scope, stream: StreamDefinition, wanted: string): ShardDefinition {
  const number = shardOfName(wanted)
  const shard = stream.shards.find((candidate) => candidate.shard === number)
  if (shard === undefined) throw shardNotFound(scope, stream.name, wanted)
  if (!isOpen(shard)) {
    throw resourceInUse(
      `Shard ${shardName(shard.shard)} in stream ${stream.name} under account ${scope.accountId} has already been merged or split, and thus is not eligible for merging or splitting.`,
    )
  }
  return shard
}
