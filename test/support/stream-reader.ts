/** As the API shows it, with images of items that a caller knows. */
export interface StreamRecord<Image> {
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  readonly dynamodb: {
    readonly Keys: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly NewImage?: Image
    readonly OldImage?: Image
    readonly SequenceNumber: string
  }
}

export type Call = <Answer>(operation: string, input: object) => Promise<Answer>

interface Shard {
  readonly ShardId: string
  readonly ParentShardId?: string
}

interface Description {
  readonly StreamDescription: { readonly Shards: readonly Shard[]; readonly LastEvaluatedShardId?: string }
}

/** Reads a stream from its beginning: each shard in order, and none before its parent has been read to its end. After a call that
 *  failed it goes on where it was, so that whatever is delivered twice was in the stream twice. */
export class StreamReader<Image> {
  readonly #call: Call
  readonly #streamArn: string
  readonly #deliver: (record: StreamRecord<Image>, shardId: string) => void
  readonly #positions = new Map<string, string>()
  readonly #ended = new Set<string>()

  constructor(call: Call, streamArn: string, deliver: (record: StreamRecord<Image>, shardId: string) => void) {
    this.#call = call
    this.#streamArn = streamArn
    this.#deliver = deliver
  }

  /** Reads until nothing more is there. With no writes under way, that is all there is. */
  async readAll(): Promise<void> {
    while ((await this.advance()) > 0);
  }

  /** One turn over all shards. Answers how many records it has delivered and shards it has ended: none means that there is nothing new. */
  async advance(): Promise<number> {
    let progress = 0
    const shards = await this.#shards()
    const listed = new Set(shards.map(({ ShardId }) => ShardId))
    for (const { ShardId, ParentShardId } of shards) {
      if (this.#ended.has(ShardId)) continue
      if (ParentShardId !== undefined && listed.has(ParentShardId) && !this.#ended.has(ParentShardId)) continue
      progress += await this.#readShard(ShardId)
    }
    return progress
  }

  async #readShard(ShardId: string): Promise<number> {
    let progress = 0
    const position = this.#positions.get(ShardId)
    const { ShardIterator } = await this.#call<{ ShardIterator: string }>('GetShardIterator', {
      StreamArn: this.#streamArn,
      ShardId,
      ...(position === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position }),
    })
    let iterator: string | undefined = ShardIterator
    while (iterator !== undefined) {
      const page: { Records: readonly StreamRecord<Image>[]; NextShardIterator?: string } = await this.#call(
        'GetRecords',
        {
          ShardIterator: iterator,
        },
      )
      for (const record of page.Records) {
        this.#deliver(record, ShardId)
        this.#positions.set(ShardId, record.dynamodb.SequenceNumber)
      }
      progress += page.Records.length
      iterator = page.NextShardIterator
      if (iterator !== undefined && page.Records.length === 0) return progress
    }
    this.#ended.add(ShardId)
    return progress + 1
  }

  async #shards(): Promise<readonly Shard[]> {
    const shards: Shard[] = []
    let start: string | undefined
    do {
      const { StreamDescription: description }: Description = await this.#call<Description>('DescribeStream', {
        StreamArn: this.#streamArn,
        ...(start !== undefined && { ExclusiveStartShardId: start }),
      })
      shards.push(...description.Shards)
      start = description.LastEvaluatedShardId
    } while (start !== undefined)
    return shards
  }
}
