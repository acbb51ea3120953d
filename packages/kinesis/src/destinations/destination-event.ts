import { createHash } from 'node:crypto'
import { toPlain, type LoggedChange, type TableDefinition } from '@hashrange/engine'
import type { Precision } from './destination-record.ts'

/** A change as DynamoDB writes it to a Kinesis stream. */
export function destinationEvent(
  { region, tableName, tableUuid }: TableDefinition,
  change: LoggedChange,
  precision: Precision | undefined,
): { readonly partitionKey: string; readonly data: Buffer } {
  const { keys, newImage, oldImage, keysSizeBytes, newSizeBytes, oldSizeBytes } = change
  const atMs = Math.floor(change.atMs)
  const plainKeys = toPlain(keys)
  const event = {
    awsRegion: region,
    eventID: eventIdOf(tableUuid, change),
    eventName: change.event,
    userIdentity: change.expired ? { type: 'Service', principalId: 'dynamodb.amazonaws.com' } : null,
    recordFormat: 'application/json',
    tableName,
    dynamodb: {
      ApproximateCreationDateTime: precision === 'MICROSECOND' ? microsecondsOf(change) : atMs,
      ...(precision !== undefined && { ApproximateCreationDateTimePrecision: precision }),
      Keys: plainKeys,
      ...(newImage !== undefined && { NewImage: toPlain(newImage) }),
      ...(oldImage !== undefined && { OldImage: toPlain(oldImage) }),
      SizeBytes: keysSizeBytes + newSizeBytes + oldSizeBytes,
    },
    eventSource: 'aws:dynamodb',
  }
  // The changes of an item go to one shard, in order.
  const partitionKey = createHash('md5').update(JSON.stringify(plainKeys)).digest('hex').toUpperCase()
  return { partitionKey, data: Buffer.from(JSON.stringify(event), 'utf8') }
}

/** A change knows its millisecond, and its place within it: that orders the changes of an item. */
function microsecondsOf({ atMs, sequence }: LoggedChange): number {
  return Math.floor(atMs) * 1000 + Math.min(999, Number(sequence & 0xfffffn))
}

/** A UUID that is the same each time the change is delivered: consumers recognise duplicates by it. */
function eventIdOf(tableUuid: string, { shardId, sequence }: LoggedChange): string {
  const hash = createHash('sha256').update(`${tableUuid}/${shardId}/${sequence}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
