/** A record of a source, as a function gets it. */
export interface SourceRecord {
  /** Rises within a shard. */
  readonly sequence: bigint
  /** The same as the event writes it. */
  readonly sequenceNumber: string
  /** When it came about, in milliseconds since 1970. */
  readonly atMs: number
  /** Records with the same key stay in their order. */
  readonly orderKey: string
  /** The record in an event. */
  readonly json: Buffer
  /** What filters look at, if that is not the record. */
  readonly filtered?: (() => unknown) | undefined
}

export interface SourceShard {
  readonly id: string
  /** The shards whose records come before this one's, as far as they are still there. */
  readonly parentIds: readonly string[]
  readonly isClosed: boolean
}

export interface SourcePage {
  readonly records: readonly SourceRecord[]
  /** Reading continues after this sequence. */
  readonly after: bigint
  /** Whether the shard is closed and nothing is left in it. */
  readonly isEnd: boolean
}

export type StartFrom = 'TRIM_HORIZON' | 'LATEST' | { readonly atMs: number }

/** What has shards of records in order, such as a stream of DynamoDB or Kinesis. Consumers know nothing else of their source. */
export interface ShardSource {
  readonly arn: string
  /** Parents come before their children. Throws a ServiceError if the source is not there. */
  shards(): Promise<readonly SourceShard[]>
  /** The sequence after which a consumer starts. */
  start(shardId: string, from: StartFrom): Promise<bigint>
  read(shardId: string, after: bigint, limit: number): Promise<SourcePage>
}
