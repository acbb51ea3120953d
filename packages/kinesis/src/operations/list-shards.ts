import { sequenceAt, steadyAt, type Scope } from '@hashrange/engine'
import type { ListShardsInput, ShardFilter } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { horizonOf } from '../records/read-records.ts'
import { describeShard } from '../shards/describe-shard.ts'
import { pageAfter, tokenAfter } from '../streams/list-token.ts'
import { namedStream } from '../streams/named-stream.ts'
import { isOpen, shardOfName, type ShardDefinition, type StreamDefinition } from '../streams/stream-definition.ts'
import { invalidArgument, resourceNotFound } from '../streams/stream-errors.ts'

/** A token carries the request that it continues. */
export async function listShards(kinesis: Kinesis, scope: Scope, input: ListShardsInput) {
  const { NextToken, MaxResults = 1_000 } = input
  if (NextToken === undefined && input.StreamName === undefined && input.StreamARN === undefined) {
    throw invalidArgument('Either NextToken or StreamName should be provided.')
  }
  if (NextToken !== undefined && input.StreamName !== undefined) {
    throw invalidArgument('NextToken and StreamName cannot be provided together.')
  }
  const { name, id, after, filter } =
    NextToken === undefined ? firstPage(scope, input) : continued(pageAfter(kinesis.clock, NextToken))
  const stream = await kinesis.streamBook.require(scope, name, true)
  if (id !== undefined && id !== stream.id) throw resourceNotFound(`Stream ${name} has been created again.`)
  const isListed = filterOf(kinesis, stream, filter)
  const rest = stream.shards.filter((shard) => shard.shard > after && isListed(shard))
  const page = rest.slice(0, MaxResults)
  const last = page.at(-1)
  return {
    Shards: page.map(describeShard),
    ...(rest.length > page.length &&
      last !== undefined && {
        NextToken: tokenAfter(kinesis.clock, [
          name,
          String(stream.id),
          String(last.shard),
          filter === undefined ? '' : JSON.stringify(filter),
        ]),
      }),
  }
}

interface Asked {
  readonly name: string
  readonly id: number | undefined
  readonly after: number
  readonly filter: ShardFilter | undefined
}

function firstPage(scope: Scope, input: ListShardsInput): Asked {
  const { ExclusiveStartShardId, ShardFilter: filter } = input
  const start = ExclusiveStartShardId === undefined ? -1 : shardOfName(ExclusiveStartShardId)
  return { name: namedStream(scope, input), id: undefined, after: start ?? -1, filter }
}

function continued([name = '', id = '', after = '', filter = '']: readonly string[]): Asked {
  const asked = { name, id: Number(id), after: Number(after) }
  if (!Number.isSafeInteger(asked.id) || !Number.isSafeInteger(asked.after))
    throw invalidArgument('Invalid NextToken.')
  return { ...asked, filter: filter === '' ? undefined : readFilter(filter) }
}

function readFilter(text: string): ShardFilter {
  try {
    return JSON.parse(text) as ShardFilter
  } catch {
    throw invalidArgument('Invalid NextToken.')
  }
}

function filterOf(
  kinesis: Kinesis,
  stream: StreamDefinition,
  filter: ShardFilter | undefined,
): (shard: ShardDefinition) => boolean {
  const isFrom = (sequence: bigint) => (shard: ShardDefinition) =>
    shard.closedAt === undefined || BigInt(shard.closedAt) >= sequence
  const isAt = (sequence: bigint) => (shard: ShardDefinition) =>
    isFrom(sequence)(shard) && BigInt(shard.openedAt) <= sequence
  switch (filter?.Type) {
    case undefined:
    case 'FROM_TRIM_HORIZON':
      return () => true
    case 'AFTER_SHARD_ID': {
      const after = filter?.ShardId === undefined ? undefined : shardOfName(filter.ShardId)
      if (after === undefined) throw invalidArgument('ShardId must be specified with AFTER_SHARD_ID.')
      return ({ shard }) => shard > after
    }
    case 'AT_LATEST':
      return isOpen
    case 'AT_TRIM_HORIZON': {
      const horizon = horizonOf(kinesis, stream)
      const created = BigInt(stream.shards[0]?.openedAt ?? 0)
      return isAt(horizon > created ? horizon : created)
    }
    case 'AT_TIMESTAMP':
      return isAt(sequenceOf(kinesis, stream, filter))
    case 'FROM_TIMESTAMP':
      return isFrom(sequenceOf(kinesis, stream, filter))
    default:
      throw invalidArgument('Invalid NextToken.')
  }
}

/** From the beginning of a stream on, some shard is open at each moment. */
function sequenceOf({ clock }: Kinesis, stream: StreamDefinition, { Timestamp }: ShardFilter): bigint {
  if (typeof Timestamp !== 'number' || !(Math.abs(Timestamp) < 1e12)) {
    throw invalidArgument('Timestamp must be specified with AT_TIMESTAMP and FROM_TIMESTAMP.')
  }
  const sequence = sequenceAt(Math.max(0, steadyAt(clock.look().eras, Timestamp * 1000)))
  const created = BigInt(stream.shards[0]?.openedAt ?? 0)
  return sequence > created ? sequence : created
}
