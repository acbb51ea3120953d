import type { StreamViewType } from '../definitions/table-definition.ts'
import type { ChangeRecord } from '../changes/change-record.ts'
import type { RawJson } from '../wire/raw-json.ts'
import { sequenceNumberOf } from './sequence-number.ts'
import type { Stream } from './stream.ts'

/** `Record` on the wire. */
export interface StreamRecord {
  readonly eventID: string
  readonly eventName: ChangeRecord['event']
  readonly eventVersion: '1.1'
  readonly eventSource: 'aws:dynamodb'
  readonly awsRegion: string
  readonly dynamodb: {
    readonly ApproximateCreationDateTime: number
    readonly Keys: RawJson
    readonly NewImage?: RawJson
    readonly OldImage?: RawJson
    readonly SequenceNumber: string
    readonly SizeBytes: number
    readonly StreamViewType: StreamViewType
  }
  readonly userIdentity?: { readonly Type: 'Service'; readonly PrincipalId: 'dynamodb.amazonaws.com' }
}

/** What a stream shows of a change. The log may contain more, for point-in-time recovery. */
export function describeRecord(
  { table, viewType }: Stream,
  shardId: number,
  sequence: bigint,
  change: ChangeRecord,
): StreamRecord {
  const { keys, oldImage, newImage, keysSizeBytes, oldSizeBytes, newSizeBytes } = change
  const showsNew = newImage !== undefined && (viewType === 'NEW_IMAGE' || viewType === 'NEW_AND_OLD_IMAGES')
  const showsOld = oldImage !== undefined && (viewType === 'OLD_IMAGE' || viewType === 'NEW_AND_OLD_IMAGES')
  return {
    eventID: eventIdOf(table.tableUuid, shardId, sequence),
    eventName: change.event,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: table.region,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(change.atMs / 1000),
      Keys: keys,
      ...(showsNew && { NewImage: newImage }),
      ...(showsOld && { OldImage: oldImage }),
      SequenceNumber: sequenceNumberOf(sequence),
      SizeBytes: keysSizeBytes + (showsNew ? newSizeBytes : 0) + (showsOld ? oldSizeBytes : 0),
      StreamViewType: viewType,
    },
    ...(change.expired && { userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' } }),
  }
}

/** 32 hexadecimal digits, the same each time the record is read. Each shard of a PostgreSQL store numbers its own log, so
 *  that a sequence alone may occur twice. */
function eventIdOf(tableUuid: string, shardId: number, sequence: bigint): string {
  const digits = (value: number | bigint, count: number): string => value.toString(16).padStart(count, '0')
  return tableUuid.replaceAll('-', '').slice(0, 8).padEnd(8, '0') + digits(shardId, 8) + digits(sequence, 16)
}
