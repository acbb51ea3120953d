import { ServiceError } from '@hashrange/core'
import { readSequenceNumber, type Scope } from '@hashrange/engine'
import { eventOf } from '../delivery/event-of.ts'
import type { Lambda } from '../lambda.ts'
import { streamSource } from '../sources/stream-source.ts'

/** The event with which a mapping would pass this one record of a stream to its function. */
export async function eventOfRecord(
  { host }: Lambda,
  scope: Scope,
  { streamArn, shardId, sequenceNumber }: Readonly<Record<'streamArn' | 'shardId' | 'sequenceNumber', string>>,
): Promise<Buffer> {
  const sequence = readSequenceNumber(sequenceNumber)
  const { records } = await streamSource(host.streams, scope, streamArn).read(shardId, sequence - 1n, 1)
  const [record] = records
  if (record?.sequence === sequence) return eventOf([record])
  throw new ServiceError(
    'ResourceNotFoundException',
    'The stream has no record with this sequence number. Records are kept for 24 hours by default.',
  )
}
