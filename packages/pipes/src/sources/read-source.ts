import type { Scope } from '@hashrange/engine'
import { isKinesisArn, kinesisSource, streamSource, type ShardSource, type SourceRecord } from '@hashrange/lambda'
import type { Pipes } from '../pipes.ts'
import { streamParameters, type PipeRecord } from '../records/pipe-record.ts'

type Plain = Readonly<Record<string, unknown>>

export interface SourceBatch {
  readonly shard: string
  /** Records as filters, templates and targets see them. */
  readonly events: readonly Plain[]
  /** Where the pipe is in the shard afterwards. */
  readonly position: string
}

/** The stream of DynamoDB or of Kinesis that a pipe reads, in the way of event source mappings. */
export class Source {
  readonly #source: ShardSource
  readonly #isKinesis: boolean
  readonly #isLatest: boolean

  constructor(pipes: Pipes, scope: Scope, { settings }: Pick<PipeRecord, 'settings'>) {
    const { Source: arn, RoleArn } = settings
    this.#isKinesis = isKinesisArn(arn)
    this.#isLatest = streamParameters(settings).StartingPosition === 'LATEST'
    this.#source = this.#isKinesis
      ? kinesisSource(pipes.kinesis(), scope, arn, () => Promise.resolve(RoleArn))
      : streamSource(pipes.streams, scope, arn)
  }

  /** Where a new pipe begins. A shard without a position is read from its start. */
  async firstPositions(): Promise<Readonly<Record<string, string>>> {
    const positions: Record<string, string> = {}
    if (!this.#isLatest) return positions
    for (const { id, isClosed } of await this.#source.shards())
      positions[id] = isClosed ? 'end' : String(await this.#source.start(id, 'LATEST'))
    return positions
  }

  /** The next records of every shard whose parents are over. */
  async next(positions: Readonly<Record<string, string>>, limit: number): Promise<readonly SourceBatch[]> {
    const batches: SourceBatch[] = []
    for (const { id, parentIds } of await this.#source.shards()) {
      const position = positions[id]
      if (position === 'end' || parentIds.some((parent) => positions[parent] !== 'end')) continue
      const from = position === undefined ? await this.#source.start(id, 'TRIM_HORIZON') : BigInt(position)
      const { records, after, isEnd } = await this.#source.read(id, from, limit)
      // Positions are stored, so those that only the time has changed are not worth it.
      if (records.length === 0 && !isEnd) continue
      batches.push({
        shard: id,
        events: records.map((record) => this.#eventOf(record)),
        position: isEnd ? 'end' : String(after),
      })
    }
    return batches
  }

  /** Functions get the data of a Kinesis record one level deeper than pipes do. */
  #eventOf({ json }: SourceRecord): Plain {
    const event = JSON.parse(json.toString('utf8')) as Plain
    if (!this.#isKinesis) return event
    const { kinesis, ...rest } = event
    return { ...(kinesis as Plain), ...rest }
  }
}
