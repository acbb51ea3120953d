import type { DescribeStreamInput, ShardFilterInput } from '../api/stream-inputs.ts'
import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { horizonMsOf } from '../streams/read-records.ts'
import { describeShard, shardName, visibleShards, type ShardDescription } from '../streams/shard.ts'
import { arnOf, createdAtMs, requireStream } from '../streams/stream.ts'
import { describeKeySchema } from '../tables/describe-table.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'

export interface DescribeStreamOutput {
  readonly StreamDescription: StreamDescription
}

type StreamDescription = Readonly<Record<string, unknown>> & {
  readonly StreamArn: string
  readonly StreamStatus: 'ENABLED' | 'DISABLED'
  readonly Shards: readonly ShardDescription[]
  readonly LastEvaluatedShardId?: string
}

const maximumLimit = 100

export async function describeStream(
  engine: EngineParts,
  scope: Scope,
  input: DescribeStreamInput,
): Promise<DescribeStreamOutput> {
  const { Limit: limit = maximumLimit, ExclusiveStartShardId: start, ShardFilter: filter } = input
  if (limit > maximumLimit) throw invalidParameter(`Limit cannot be greater than the maximum: ${maximumLimit}`)
  if (filter !== undefined) assertComplete(filter)
  const stream = requireStream(engine, scope, input.StreamArn)
  const horizonMs = horizonMsOf(engine)

  const { shards, last } = await engine.store.view(async (snapshot) => {
    const table = (await engine.catalog.definitionIn(snapshot, stream.table)) ?? stream.table
    const rest = visibleShards(table, stream.label, horizonMs)
      .filter((shard) => filter === undefined || isChildOf(table, shard, filter.ShardId))
      .filter((shard) => start === undefined || shardName(shard) > start)
    const page: ShardDescription[] = []
    for (const shard of rest.slice(0, limit)) page.push(await describeShard(snapshot, table, shard))
    return { shards: page, last: page.length < rest.length ? page.at(-1)?.ShardId : undefined }
  })

  return {
    StreamDescription: {
      CreationRequestDateTime: createdAtMs(stream) / 1000,
      KeySchema: describeKeySchema(stream.table.keySchema),
      ...(last !== undefined && { LastEvaluatedShardId: last }),
      Shards: shards,
      StreamArn: arnOf(stream),
      StreamLabel: stream.label,
      StreamStatus: stream.enabled ? 'ENABLED' : 'DISABLED',
      StreamViewType: stream.viewType,
      TableName: stream.table.tableName,
    },
  }
}

function assertComplete({ Type, ShardId }: ShardFilterInput): void {
  if (Type === undefined) throw invalidParameter('ShardFilter.Type is required when ShardFilter is specified')
  if (ShardId === undefined) throw invalidParameter(`ShardFilter.ShardId is required for the type ${Type}`)
}

function isChildOf(table: TableDefinition, shard: ShardDefinition, parentName: string | undefined): boolean {
  const parent = table.shards?.find(({ shardId }) => shardId === shard.parentShardId)
  return parent !== undefined && shardName(parent) === parentName
}
