import type { Scope } from '@hashrange/engine'
import type { ShardSource, SourceRecord, SourceShard, StartFrom } from './shard-source.ts'

/** What reads streams of Kinesis. They are another service's, which whoever puts a database together brings along. */
export interface KinesisReader {
  /** The accounts and regions that have a stream of this name. */
  scopesOf(streamName: string): Promise<readonly Scope[]>
  shards(scope: Scope, streamArn: string): Promise<readonly SourceShard[]>
  /** The position of the first record that a consumer gets. */
  start(scope: Scope, streamArn: string, shardId: string, from: StartFrom): Promise<bigint>
  read(scope: Scope, streamArn: string, shardId: string, position: bigint, limit: number): Promise<KinesisPage>
}

interface KinesisPage {
  readonly records: readonly KinesisRecord[]
  /** Undefined if the shard is closed and nothing is left in it. */
  readonly nextPosition: bigint | undefined
}

interface KinesisRecord {
  readonly sequence: bigint
  readonly sequenceNumber: string
  readonly atMs: number
  readonly partitionKey: string
  readonly data: Buffer
}

/** A page of a stream has no more. */
const mostRecords = 10_000

export function isKinesisArn(arn: string): boolean {
  return arn.split(':', 3)[2] === 'kinesis'
}

/** A stream of Kinesis as a source. `identity` is the ARN of the role with which it is read. */
export function kinesisSource(
  reader: KinesisReader,
  scope: Scope,
  arn: string,
  identity: () => Promise<string>,
): ShardSource {
  return {
    arn,
    shards: () => reader.shards(scope, arn),
    start: async (shardId, from) => (await reader.start(scope, arn, shardId, from)) - 1n,
    async read(shardId, after, limit) {
      const page = await reader.read(scope, arn, shardId, after + 1n, Math.min(limit, mostRecords))
      const invokeIdentityArn = page.records.length === 0 ? '' : await identity()
      const about = { invokeIdentityArn, awsRegion: scope.region, eventSourceARN: arn }
      return {
        records: page.records.map((record) => sourceRecord(record, shardId, about)),
        after: page.nextPosition === undefined ? after : page.nextPosition - 1n,
        isEnd: page.nextPosition === undefined,
      }
    },
  }
}

function sourceRecord(record: KinesisRecord, shardId: string, about: object): SourceRecord {
  const { sequence, sequenceNumber, atMs, partitionKey, data } = record
  const kinesis = {
    kinesisSchemaVersion: '1.0',
    partitionKey,
    sequenceNumber,
    data: data.toString('base64'),
    approximateArrivalTimestamp: atMs / 1000,
  }
  const event = {
    kinesis,
    eventSource: 'aws:kinesis',
    eventVersion: '1.0',
    eventID: `${shardId}:${sequenceNumber}`,
    eventName: 'aws:kinesis:record',
    ...about,
  }
  return {
    sequence,
    sequenceNumber,
    atMs,
    orderKey: partitionKey,
    json: Buffer.from(JSON.stringify(event)),
    filtered: () => ({ ...kinesis, data: dataOf(data) }),
  }
}

/** Filters look into the data: at what it says as JSON, or else at its text. */
function dataOf(data: Buffer): unknown {
  const text = data.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
