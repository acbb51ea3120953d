import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'
import { imageOf } from './image.ts'

/** A record of DynamoDB Streams as GetRecords of the SDK returns it, as Lambda passes it to a function, or as a Kinesis
 *  data stream carries it (from the SDK, in the event of a function, or its data as an object). */
export interface AnyStreamRecord {
  readonly eventID?: string | undefined
  readonly eventName?: string | undefined
  readonly eventSourceARN?: string | undefined
  /** Of a Kinesis record. */
  readonly tableName?: string | undefined
  readonly dynamodb?: object | undefined
  readonly userIdentity?: object | null | undefined
  readonly kinesis?: { readonly data: string; readonly sequenceNumber?: string | undefined } | undefined
  readonly Data?: Uint8Array | undefined
}

export interface StreamRecord {
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  /** The same each time the record is delivered. */
  readonly id: string
  /** What a partial failure of a batch is reported with. */
  readonly sequenceNumber: string
  /** Sorts the changes of one item: the later one is greater. Undefined if the record does not say enough. */
  readonly position: string | undefined
  /** Why it says too little. */
  readonly unordered: string | undefined
  readonly at: Date
  readonly keys: Record<string, AttributeValue>
  readonly oldImage: Record<string, AttributeValue> | undefined
  readonly newImage: Record<string, AttributeValue> | undefined
  readonly isExpiry: boolean
  readonly tableName: string | undefined
}

/** One form for all of them. `streamArn` is for records that do not name their stream, which are those of GetRecords. */
export function readRecord(record: AnyStreamRecord, streamArn: string | undefined): StreamRecord {
  const data = record.kinesis?.data ?? record.Data
  const fromKinesis = data === undefined ? undefined : parseData(data)
  const own = fromKinesis ?? record
  const change: RawChange | undefined = own.dynamodb
  const { eventName } = own
  if (change?.Keys === undefined || !isEventName(eventName))
    throw refused('This is not a change of a DynamoDB item. Pass records of a DynamoDB stream, unchanged')
  const isKinesis = own.tableName !== undefined
  const arn = isKinesis ? undefined : (record.eventSourceARN ?? streamArn)
  const identity: RawIdentity | null | undefined = own.userIdentity
  const newImage = imageOf(change.NewImage)
  const oldImage = imageOf(change.OldImage)
  assertImages(eventName, change, oldImage, newImage)
  const sequenceNumber = record.kinesis?.sequenceNumber ?? change.SequenceNumber ?? ''
  return {
    eventName,
    id: own.eventID ?? `${arn ?? ''}/${sequenceNumber}`,
    sequenceNumber,
    ...(isKinesis ? kinesisPosition(change) : streamPosition(arn, change)),
    at: timeOf(change),
    keys: imageOf(change.Keys) ?? {},
    oldImage,
    newImage,
    isExpiry: (identity?.principalId ?? identity?.PrincipalId) === 'dynamodb.amazonaws.com',
    tableName: own.tableName ?? tableIn(arn),
  }
}

interface RawChange {
  readonly Keys?: Readonly<Record<string, unknown>>
  readonly OldImage?: Readonly<Record<string, unknown>>
  readonly NewImage?: Readonly<Record<string, unknown>>
  readonly SequenceNumber?: string
  readonly StreamViewType?: string
  readonly ApproximateCreationDateTime?: number | string | Date
  readonly ApproximateCreationDateTimePrecision?: string
}

interface RawIdentity {
  readonly principalId?: string
  readonly PrincipalId?: string
}

function parseData(data: string | Uint8Array): AnyStreamRecord {
  const bytes = typeof data === 'string' ? Uint8Array.from(atob(data), (char) => char.codePointAt(0) ?? 0) : data
  const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes))
  return typeof parsed === 'object' && parsed !== null ? parsed : {}
}

function isEventName(name: string | undefined): name is StreamRecord['eventName'] {
  return name === 'INSERT' || name === 'MODIFY' || name === 'REMOVE'
}

/** A stream that leaves out what a change was, or has become, cannot tell what changed. */
function assertImages(event: string, change: RawChange, oldImage: unknown, newImage: unknown): void {
  const lacksOld = event !== 'INSERT' && oldImage === undefined
  const lacksNew = event !== 'REMOVE' && newImage === undefined
  if (!lacksOld && !lacksNew) return
  throw refused(
    `The stream shows ${change.StreamViewType ?? 'only a part'} of each change. Set the table's StreamViewType to NEW_AND_OLD_IMAGES (in the model: stream: 'NEW_AND_OLD_IMAGES')`,
  )
}

type Position = Pick<StreamRecord, 'position' | 'unordered'>

/** Sequence numbers have 21 to 40 digits and grow for each item. A later stream of a table has a later label. */
function streamPosition(arn: string | undefined, { SequenceNumber }: RawChange): Position {
  const label = /\/stream\/(.+)$/.exec(arn ?? '')?.[1]
  if (label === undefined || SequenceNumber === undefined) {
    return {
      position: undefined,
      unordered: 'The record does not say which stream it is from. Pass its streamArn.',
    }
  }
  return { position: `${label}/${SequenceNumber.padStart(40, '0')}`, unordered: undefined }
}

/** Kinesis may deliver a record twice, under another sequence number: only the time of the change sorts. */
function kinesisPosition(change: RawChange): Position {
  const { ApproximateCreationDateTime: at, ApproximateCreationDateTimePrecision: precision } = change
  if (precision !== 'MICROSECOND' || at === undefined) {
    const unordered =
      'Two changes within a millisecond cannot be told apart. Set the ApproximateCreationDateTimePrecision of the Kinesis destination to MICROSECOND.'
    return { position: undefined, unordered }
  }
  return { position: `kinesis/${String(at).padStart(40, '0')}`, unordered: undefined }
}

function timeOf({
  ApproximateCreationDateTime: at,
  ApproximateCreationDateTimePrecision: precision,
}: RawChange): Date {
  if (at === undefined) return new Date(Number.NaN)
  if (typeof at !== 'number') return new Date(at)
  if (precision === 'MICROSECOND') return new Date(at / 1000)
  // Streams count seconds; Kinesis counts milliseconds if it says nothing else.
  return new Date(at < 1e11 ? at * 1000 : at)
}

function tableIn(arn: string | undefined): string | undefined {
  return /:table\/([^/]+)\//.exec(arn ?? '')?.[1]
}

function refused(message: string): ModelError {
  return new ModelError('INVALID_VALUE', `${message}.`)
}
