import { ServiceError } from '@hashrange/core'
import { openTestEngine, testScope, type TestEngine, type TestEngineOptions } from '@hashrange/engine/test-engine'
import { kinesisOf, type Kinesis } from '../kinesis.ts'
import { serviceOf } from '../kinesis-service.ts'
import { trimStreams } from '../retention/trim-streams.ts'

type Input = Readonly<Record<string, unknown>>

export interface KinesisEngine extends TestEngine {
  /** Carries out an operation of Kinesis. The caller says what it expects. */
  readonly kinesis: <T = Answer>(operation: string, input?: Input) => Promise<T>
  readonly kinesisRefusal: (operation: string, input?: Input) => Promise<ServiceError>
  /** What happens by itself once a minute. */
  readonly trim: () => Promise<void>
  /** Every record of a shard, from an iterator of the given kind on. */
  readonly readShard: (StreamName: string, ShardId: string, position?: Input) => Promise<readonly TestRecord[]>
}

/** The members of answers that tests look into. */
export interface Answer {
  readonly ShardId: string
  readonly SequenceNumber: string
  readonly ShardIterator: string
  readonly NextShardIterator?: string
  readonly MillisBehindLatest: number
  readonly Records: readonly TestRecord[]
  readonly Shards: readonly TestShard[]
  readonly ChildShards?: readonly { readonly ShardId: string; readonly ParentShards: readonly string[] }[]
  readonly NextToken?: string
}

export interface TestRecord {
  readonly SequenceNumber: string
  readonly PartitionKey: string
  readonly Data: Buffer
  readonly ApproximateArrivalTimestamp: Date
}

export interface TestShard {
  readonly ShardId: string
  readonly ParentShardId?: string
  readonly AdjacentParentShardId?: string
  readonly HashKeyRange: { readonly StartingHashKey: string; readonly EndingHashKey: string }
  readonly SequenceNumberRange: { readonly StartingSequenceNumber: string; readonly EndingSequenceNumber?: string }
}

/** A test's own engine, with Kinesis. */
export async function openKinesisEngine(path?: string, options: TestEngineOptions = {}): Promise<KinesisEngine> {
  let opened: Kinesis | undefined
  const test = await openTestEngine(path, {
    ...options,
    services: [
      (host) => {
        opened = kinesisOf(host)
        return serviceOf(opened)
      },
    ],
  })
  const kinesis = async <T = Answer>(operation: string, input: Input = {}): Promise<T> =>
    (await test.engine.execute(testScope, 'Kinesis_20131202', operation, input)) as T
  return {
    ...test,
    kinesis,
    kinesisRefusal: async (operation, input) => {
      try {
        await kinesis(operation, input)
      } catch (error) {
        if (error instanceof ServiceError) return error
        throw error
      }
      throw new Error(`${operation} was not refused`)
    },
    trim: async () => {
      if (opened !== undefined) await trimStreams(opened, { aborted: false })
    },
    readShard: async (StreamName, ShardId, position = { ShardIteratorType: 'TRIM_HORIZON' }) => {
      const records: TestRecord[] = []
      const first = await kinesis('GetShardIterator', { StreamName, ShardId, ...position })
      let next: string | undefined = first.ShardIterator
      while (next !== undefined) {
        const page: Answer = await kinesis('GetRecords', { ShardIterator: next })
        records.push(...page.Records)
        next = page.MillisBehindLatest === 0 && page.Records.length === 0 ? undefined : page.NextShardIterator
      }
      return records
    },
  }
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
