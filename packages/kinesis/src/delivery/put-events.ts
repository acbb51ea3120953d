import type { Scope } from '@hashrange/engine'
import type { Kinesis, KinesisEndpoint } from '../kinesis.ts'
import { appendRecords } from '../records/append-records.ts'
import { hashKeyOf } from '../shards/hash-key.ts'
import { streamOfArn } from '../streams/named-stream.ts'
import { callOutside } from './call-outside.ts'

/** Something to put into a stream. */
export interface StreamEvent {
  readonly partitionKey: string
  readonly data: Buffer
}

/** Puts events into a stream, here or outside, in order. Resolves when all of them are there. */
export async function putEvents(
  kinesis: Kinesis,
  scope: Scope,
  streamArn: string,
  events: readonly StreamEvent[],
): Promise<void> {
  if (kinesis.endpoint !== undefined) {
    for (const part of inParts(events)) await putOutside(kinesis.endpoint, scope, streamArn, part)
    return
  }
  const records = events.map((event) => ({ ...event, hash: hashKeyOf({ PartitionKey: event.partitionKey }) }))
  await appendRecords(kinesis, scope, streamOfArn(scope, streamArn), records, { isThrottled: false })
}

export async function hasStream(kinesis: Kinesis, scope: Scope, streamArn: string): Promise<boolean> {
  if (kinesis.endpoint === undefined) {
    const isOurs = streamArn.startsWith(`arn:aws:kinesis:${scope.region}:${scope.accountId}:stream/`)
    if (!isOurs) return false
    return (await kinesis.streamBook.find(scope, streamOfArn(scope, streamArn), true)) !== undefined
  }
  try {
    await callOutside(kinesis.endpoint, scope.region, 'DescribeStreamSummary', { StreamARN: streamArn })
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return false
    throw error
  }
}

const mostRecords = 500
const mostBytes = 4 * 2 ** 20

function* inParts(events: readonly StreamEvent[]): Iterable<readonly StreamEvent[]> {
  let part: StreamEvent[] = []
  let bytes = 0
  for (const event of events) {
    if (part.length > 0 && (part.length === mostRecords || bytes + event.data.length > mostBytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(event)
    bytes += event.data.length
  }
  if (part.length > 0) yield part
}

/** If some records are refused, everything from the first of them on is put again: duplicates are allowed, and a gap in
 *  the order is not. */
async function putOutside(
  endpoint: KinesisEndpoint,
  { region }: Scope,
  streamArn: string,
  events: readonly StreamEvent[],
): Promise<void> {
  let rest = events
  for (let attempt = 0; rest.length > 0; attempt++) {
    if (attempt > mostAttempts) throw new Error(`The stream ${streamArn} refuses records.`)
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(2_000, 50 * 2 ** attempt)).unref())
    const answer = await callOutside(endpoint, region, 'PutRecords', {
      StreamARN: streamArn,
      StreamName: streamArn.slice(streamArn.indexOf('/') + 1),
      Records: rest.map(({ partitionKey, data }) => ({
        PartitionKey: partitionKey,
        Data: data.toString('base64'),
      })),
    })
    const outcomes = answer['Records']
    const failed = Array.isArray(outcomes)
      ? outcomes.findIndex((outcome: { readonly ErrorCode?: unknown }) => typeof outcome.ErrorCode === 'string')
      : 0
    rest = failed === -1 ? [] : rest.slice(failed)
  }
}

const mostAttempts = 8
