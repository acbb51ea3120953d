import { toPlain, type Scope } from '@hashrange/engine'
import type { Pipes } from '../pipes.ts'
import { streamParameters, type PipeRecord } from '../records/pipe-record.ts'

/** A record of a source, as filters, templates and targets see it. */
export interface SourceEvent {
  readonly sequenceNumber: string
  readonly event: Readonly<Record<string, unknown>>
}

interface SourceShard {
  readonly id: string
  readonly parents: readonly string[]
}

export interface SourceBatch {
  readonly shard: string
  readonly events: readonly SourceEvent[]
  /** Where the pipe is in the shard afterwards. */
  readonly position: string
}

type Plain = Readonly<Record<string, unknown>>

const mostShards = 1_000

/** Reads a stream of DynamoDB or of Kinesis as any client would: both have shards, iterators and sequence numbers. */
export class Source {
  readonly #pipes: Pipes
  readonly #scope: Scope
  readonly #record: PipeRecord
  readonly #isKinesis: boolean

  constructor(pipes: Pipes, scope: Scope, record: PipeRecord) {
    this.#pipes = pipes
    this.#scope = scope
    this.#record = record
    this.#isKinesis = record.settings.Source.startsWith('arn:aws:kinesis:')
  }

  /** Where a pipe begins that has not run yet. */
  async firstPositions(): Promise<Readonly<Record<string, string>>> {
    const isLatest = streamParameters(this.#record.settings).StartingPosition === 'LATEST'
    const shards = await this.#shards()
    if (!isLatest) return Object.fromEntries(shards.map(({ id }) => [id, 'start']))
    const positions: Record<string, string> = {}
    // What comes after now has a number above the latest one, which an empty read does not tell: so it is kept by time.
    for (const { id } of shards) positions[id] = await this.#latest(id)
    return positions
  }

  /** The next records of every shard whose parents are over. */
  async next(positions: Readonly<Record<string, string>>, limit: number): Promise<readonly SourceBatch[]> {
    const batches: SourceBatch[] = []
    const shards = await this.#shards()
    const known = new Set(shards.map(({ id }) => id))
    for (const { id, parents } of shards) {
      const position = positions[id] ?? 'start'
      if (position === 'end') continue
      if (parents.some((parent) => known.has(parent) && positions[parent] !== 'end')) continue
      const batch = await this.#read(id, position, limit)
      if (batch.events.length > 0 || batch.position !== position) batches.push(batch)
    }
    return batches
  }

  async #shards(): Promise<readonly SourceShard[]> {
    const { Source } = this.#record.settings
    const answer = this.#isKinesis
      ? await this.#call('ListShards', { StreamARN: Source, MaxResults: mostShards })
      : ((await this.#call('DescribeStream', { StreamArn: Source }))['StreamDescription'] as Plain)
    return ((answer['Shards'] ?? []) as readonly Plain[]).map((shard) => ({
      id: String(shard['ShardId']),
      parents: [shard['ParentShardId'], shard['AdjacentParentShardId']].filter(
        (parent) => typeof parent === 'string',
      ),
    }))
  }

  async #latest(shard: string): Promise<string> {
    let iterator: unknown = await this.#iterator(shard, { ShardIteratorType: 'TRIM_HORIZON' })
    let last = 'start'
    for (;;) {
      const page = await this.#call('GetRecords', { ShardIterator: iterator, Limit: 1_000 })
      const records = recordsIn(page)
      last = records.at(-1)?.sequenceNumber ?? last
      iterator = page['NextShardIterator']
      if (typeof iterator !== 'string') return 'end'
      if (records.length === 0) return last
    }
  }

  async #read(shard: string, position: string, limit: number): Promise<SourceBatch> {
    const from =
      position === 'start'
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : this.#isKinesis
          ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber: position }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position }
    const page = await this.#call('GetRecords', { ShardIterator: await this.#iterator(shard, from), Limit: limit })
    const records = recordsIn(page)
    const isOver = typeof page['NextShardIterator'] !== 'string'
    return {
      shard,
      events: records.map((record) => ({ ...record, event: this.#eventOf(shard, record.event) })),
      position: isOver ? 'end' : (records.at(-1)?.sequenceNumber ?? position),
    }
  }

  async #iterator(shard: string, from: object): Promise<string> {
    const { Source } = this.#record.settings
    const named = this.#isKinesis ? { StreamARN: Source } : { StreamArn: Source }
    return String((await this.#call('GetShardIterator', { ...named, ShardId: shard, ...from }))['ShardIterator'])
  }

  /** As pipes show it: data in base64, names that begin with a small letter. */
  #eventOf(shard: string, record: Plain): Plain {
    const { Source } = this.#record.settings
    if (!this.#isKinesis) return { ...record, eventSourceARN: Source }
    return {
      kinesisSchemaVersion: '1.0',
      partitionKey: record['PartitionKey'],
      sequenceNumber: record['SequenceNumber'],
      data: record['Data'],
      approximateArrivalTimestamp: record['ApproximateArrivalTimestamp'],
      eventSource: 'aws:kinesis',
      eventVersion: '1.0',
      eventID: `${shard}:${String(record['SequenceNumber'])}`,
      eventName: 'aws:kinesis:record',
      awsRegion: this.#scope.region,
      eventSourceARN: Source,
    }
  }

  async #call(operation: string, input: object): Promise<Plain> {
    const target = this.#isKinesis ? 'Kinesis_20131202' : 'DynamoDBStreams_20120810'
    const answer = await this.#pipes.execute(this.#scope, target, operation, input)
    return (this.#isKinesis ? answer : toPlain(answer)) as Plain
  }
}

function recordsIn(page: Plain): readonly SourceEvent[] {
  return ((page['Records'] ?? []) as readonly Plain[]).map((record) => {
    const { dynamodb } = record as { readonly dynamodb?: { readonly SequenceNumber?: string } }
    const sequenceNumber = dynamodb?.SequenceNumber ?? String(record['SequenceNumber'])
    const data = record['Data']
    const arrived = record['ApproximateArrivalTimestamp']
    return {
      sequenceNumber,
      event: {
        ...record,
        ...(data instanceof Uint8Array && { Data: Buffer.from(data).toString('base64') }),
        ...(arrived instanceof Date && { ApproximateArrivalTimestamp: arrived.getTime() / 1000 }),
      },
    }
  })
}
