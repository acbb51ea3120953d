import { ApiError, type Call } from '../../api/api.ts'
import type { Shard, StreamPage, StreamRecord } from './stream-types.ts'

/** Where reading begins: with what comes from now on, with the oldest there is, or at a moment. */
export type TailStart =
  { readonly kind: 'latest' } | { readonly kind: 'oldest' } | { readonly kind: 'time'; readonly atSeconds: number }

export interface TailRound {
  readonly records: readonly TailedRecord[]
  /** Whether there is more to be had at once. */
  readonly hasMore: boolean
  /** Records that were older than the requested time. */
  readonly skipped: number
  /** Records that the service had dropped before they were read. */
  readonly hasGap: boolean
}

export interface TailedRecord {
  readonly shardId: string
  readonly record: StreamRecord
}

interface ShardState {
  readonly shard: Shard
  iterator: string | undefined
  lastSequence: string | undefined
  /** Older records are not shown. */
  fromSeconds: number
  isDone: boolean
}

const pageRecords = 1_000
const shardsAtOnce = 4
const describeEveryMs = 5_000

/** Follows all shards of a stream: their records in order, those of a shard after those of its parent, and new shards
 *  as they appear. One round requests each open shard once; the caller decides how often. */
export class StreamTail {
  readonly #call: Call
  readonly #streamArn: string
  readonly #start: TailStart
  readonly #now: () => number
  readonly #shards = new Map<string, ShardState>()
  #startedAtSeconds: number | undefined
  #describedAtMs = Number.NEGATIVE_INFINITY

  constructor(call: Call, streamArn: string, start: TailStart, now: () => number = Date.now) {
    this.#call = call
    this.#streamArn = streamArn
    this.#start = start
    this.#now = now
  }

  get shardCount(): { readonly open: number; readonly all: number } {
    const all = [...this.#shards.values()]
    return { open: all.filter(({ isDone }) => !isDone).length, all: all.length }
  }

  async round(signal?: AbortSignal): Promise<TailRound> {
    if (this.#now() - this.#describedAtMs >= describeEveryMs) await this.#describe(signal)
    const ready = [...this.#shards.values()].filter((state) => this.#isReady(state))
    const found: TailedRecord[] = []
    let hasMore = false
    let hasGap = false
    let skipped = 0
    for (let at = 0; at < ready.length; at += shardsAtOnce) {
      const rounds = ready.slice(at, at + shardsAtOnce).map((state) => this.#read(state, signal))
      for (const round of await Promise.all(rounds)) {
        found.push(...round.records)
        hasMore ||= round.hasMore
        hasGap ||= round.hasGap
        skipped += round.skipped
      }
    }
    return { records: found.toSorted(byTime), hasMore, hasGap, skipped }
  }

  /** The shards there are. What is found later than at the beginning has only records that are new. */
  async #describe(signal?: AbortSignal): Promise<void> {
    const isFirst = this.#startedAtSeconds === undefined
    this.#startedAtSeconds ??= Math.floor(this.#now() / 1000)
    let after: string | undefined
    do {
      const input = { StreamArn: this.#streamArn, ...(after !== undefined && { ExclusiveStartShardId: after }) }
      const { StreamDescription: page } = await this.#call<StreamPage>('DescribeStream', input, signal)
      for (const shard of page.Shards) {
        if (this.#shards.has(shard.ShardId)) continue
        const isPast = isFirst && this.#start.kind === 'latest' && isClosed(shard)
        const iterator =
          isFirst && this.#start.kind === 'latest' && !isPast
            ? await this.#iteratorAt(shard, 'LATEST', signal)
            : undefined
        const fromSeconds = this.#start.kind === 'time' ? this.#start.atSeconds : Number.NEGATIVE_INFINITY
        this.#shards.set(shard.ShardId, { shard, iterator, lastSequence: undefined, fromSeconds, isDone: isPast })
      }
      after = page.LastEvaluatedShardId
    } while (after !== undefined)
    this.#describedAtMs = this.#now()
  }

  #isReady({ shard, isDone }: ShardState): boolean {
    if (isDone) return false
    const parent = shard.ParentShardId === undefined ? undefined : this.#shards.get(shard.ParentShardId)
    return parent === undefined || parent.isDone
  }

  async #read(state: ShardState, signal?: AbortSignal): Promise<TailRound> {
    try {
      state.iterator ??= await this.#iteratorAt(state.shard, 'TRIM_HORIZON', signal)
      const { Records, NextShardIterator } = await this.#call<{
        readonly Records: readonly StreamRecord[]
        readonly NextShardIterator?: string
      }>('GetRecords', { ShardIterator: state.iterator, Limit: pageRecords }, signal)
      state.iterator = NextShardIterator
      state.isDone = NextShardIterator === undefined
      state.lastSequence = Records.at(-1)?.dynamodb.SequenceNumber ?? state.lastSequence
      // A shard at its end was split or closed: its children are looked for at once.
      if (state.isDone) this.#describedAtMs = Number.NEGATIVE_INFINITY
      const shown = Records.filter(({ dynamodb }) => dynamodb.ApproximateCreationDateTime >= state.fromSeconds)
      return {
        records: shown.map((record) => ({ shardId: state.shard.ShardId, record })),
        hasMore: state.isDone || Records.length >= pageRecords,
        hasGap: false,
        skipped: Records.length - shown.length,
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // After a pause of more than a quarter of an hour: it continues after what was read last, or, if that was
      // nothing, with what has arrived since the start.
      if (error.name === 'ExpiredIteratorException') {
        if (state.lastSequence !== undefined) {
          state.iterator = await this.#iteratorAt(state.shard, 'AFTER_SEQUENCE_NUMBER', signal, state.lastSequence)
        } else {
          state.iterator = undefined
          if (this.#start.kind === 'latest') state.fromSeconds = this.#startedAtSeconds ?? 0
        }
        return { records: [], hasMore: true, hasGap: false, skipped: 0 }
      }
      if (error.name === 'TrimmedDataAccessException') {
        state.iterator = undefined
        return { records: [], hasMore: true, hasGap: state.lastSequence !== undefined, skipped: 0 }
      }
      throw error
    }
  }

  async #iteratorAt(shard: Shard, type: string, signal?: AbortSignal, sequence?: string): Promise<string> {
    const { ShardIterator } = await this.#call<{ readonly ShardIterator: string }>(
      'GetShardIterator',
      {
        StreamArn: this.#streamArn,
        ShardId: shard.ShardId,
        ShardIteratorType: type,
        ...(sequence !== undefined && { SequenceNumber: sequence }),
      },
      signal,
    )
    return ShardIterator
  }
}

function isClosed({ SequenceNumberRange }: Shard): boolean {
  return SequenceNumberRange.EndingSequenceNumber !== undefined
}

/** Sequence numbers have up to 40 digits: longer is larger. */
function byTime({ record: { dynamodb: a } }: TailedRecord, { record: { dynamodb: b } }: TailedRecord): number {
  return (
    a.ApproximateCreationDateTime - b.ApproximateCreationDateTime ||
    a.SequenceNumber.length - b.SequenceNumber.length ||
    (a.SequenceNumber < b.SequenceNumber ? -1 : 1)
  )
}
