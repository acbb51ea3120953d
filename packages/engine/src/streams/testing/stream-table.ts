import { Engine } from '../../engine.ts'
import type { EngineOptions } from '../../engine-options.ts'
import { assertVerified } from '../../testing/assert-verified.ts'
import { askedAgainMs } from '../../testing/asking-twice-store.ts'
import { openTestStore } from '../../testing/open-test-store.ts'
import { toPlain } from '../../wire/raw-json.ts'

export const scope = { accountId: '123456789012', region: 'eu-west-1' }
export const hourMs = 60 * 60 * 1000

/** A clock that tests move. */
class OwnedClock {
  nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

  now(): number {
    return this.nowMs + askedAgainMs()
  }
}

export interface WireRecord {
  readonly eventID: string
  readonly eventName: string
  readonly awsRegion: string
  readonly dynamodb: {
    readonly Keys: Readonly<Record<string, { readonly S: string }>>
    readonly NewImage?: Readonly<Record<string, { readonly S?: string; readonly N?: string }>>
    readonly OldImage?: Readonly<Record<string, { readonly S?: string; readonly N?: string }>>
    readonly SequenceNumber: string
    readonly SizeBytes: number
  }
  readonly userIdentity?: unknown
}

export interface WireShard {
  readonly ShardId: string
  readonly ParentShardId?: string
  readonly SequenceNumberRange: { readonly StartingSequenceNumber: string; readonly EndingSequenceNumber?: string }
}

/** An engine, and its APIs as plain objects. */
export class StreamTable {
  readonly clock: OwnedClock
  readonly engine: Engine

  constructor(engine: Engine, clock: OwnedClock) {
    this.engine = engine
    this.clock = clock
  }

  static async open(options: Partial<EngineOptions> = {}, clock = new OwnedClock()): Promise<StreamTable> {
    const store = options.store ?? (await openTestStore())
    return new StreamTable(await Engine.open({ store, clock, ...options }), clock)
  }

  async run<Output>(operation: string, input: object): Promise<Output> {
    return toPlain(await this.engine.execute(scope, 'DynamoDB_20120810', operation, input)) as Output
  }

  async stream<Output>(operation: string, input: object): Promise<Output> {
    return toPlain(await this.engine.execute(scope, 'DynamoDBStreams_20120810', operation, input)) as Output
  }

  async create(TableName: string, StreamViewType: string | undefined = 'NEW_AND_OLD_IMAGES'): Promise<string> {
    await this.run('CreateTable', {
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType },
    })
    return this.latestArn(TableName)
  }

  async latestArn(TableName: string): Promise<string> {
    const described = await this.run<{ Table: { LatestStreamArn: string } }>('DescribeTable', { TableName })
    return described.Table.LatestStreamArn
  }

  put(TableName: string, pk: string, value: number | string): Promise<unknown> {
    return this.run('PutItem', { TableName, Item: { pk: { S: pk }, value: { N: String(value) } } })
  }

  async disable(TableName: string): Promise<void> {
    await this.run('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
  }

  async enable(TableName: string, StreamViewType = 'NEW_AND_OLD_IMAGES'): Promise<string> {
    await this.run('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: true, StreamViewType } })
    return this.latestArn(TableName)
  }

  async arns(TableName?: string): Promise<readonly string[]> {
    const { Streams } = await this.stream<{ Streams: readonly { StreamArn: string }[] }>(
      'ListStreams',
      TableName === undefined ? {} : { TableName },
    )
    return Streams.map(({ StreamArn }) => StreamArn)
  }

  async describe(
    StreamArn: string,
    more: object = {},
  ): Promise<{ StreamStatus: string; Shards: readonly WireShard[] }> {
    const answer = await this.stream<{ StreamDescription: { StreamStatus: string; Shards: readonly WireShard[] } }>(
      'DescribeStream',
      { StreamArn, ...more },
    )
    return answer.StreamDescription
  }

  async iterator(
    StreamArn: string,
    ShardId: string,
    ShardIteratorType: string,
    SequenceNumber?: string,
  ): Promise<string> {
    const { ShardIterator } = await this.stream<{ ShardIterator: string }>('GetShardIterator', {
      StreamArn,
      ShardId,
      ShardIteratorType,
      ...(SequenceNumber !== undefined && { SequenceNumber }),
    })
    return ShardIterator
  }

  records(
    ShardIterator: string,
    Limit?: number,
  ): Promise<{ readonly Records: readonly WireRecord[]; readonly NextShardIterator?: string }> {
    return this.stream('GetRecords', { ShardIterator, ...(Limit !== undefined && { Limit }) })
  }

  /** One shard from its trim horizon to its end, or as far as it goes. */
  async readShard(StreamArn: string, ShardId: string, limit?: number): Promise<readonly WireRecord[]> {
    const records: WireRecord[] = []
    let iterator: string | undefined = await this.iterator(StreamArn, ShardId, 'TRIM_HORIZON')
    while (iterator !== undefined) {
      const page: Awaited<ReturnType<StreamTable['records']>> = await this.records(iterator, limit)
      records.push(...page.Records)
      iterator = page.Records.length === 0 ? undefined : page.NextShardIterator
    }
    return records
  }

  /** All of a stream as its consumers should read it: parents before children. */
  async readAll(StreamArn: string, limit?: number): Promise<readonly WireRecord[]> {
    const records: WireRecord[] = []
    for (const { ShardId } of await this.allShards(StreamArn)) {
      records.push(...(await this.readShard(StreamArn, ShardId, limit)))
    }
    return records
  }

  async allShards(StreamArn: string): Promise<readonly WireShard[]> {
    const shards: WireShard[] = []
    let start: string | undefined
    do {
      const more: object = start === undefined ? {} : { ExclusiveStartShardId: start }
      const page: { Shards: readonly WireShard[]; LastEvaluatedShardId?: string } = await this.describe(
        StreamArn,
        more,
      )
      shards.push(...page.Shards)
      start = page.LastEvaluatedShardId
    } while (start !== undefined)
    return shards
  }

  /** Proves the store first. */
  async close(): Promise<void> {
    try {
      await assertVerified(this.engine.store)
    } finally {
      await this.engine.close()
    }
  }
}
