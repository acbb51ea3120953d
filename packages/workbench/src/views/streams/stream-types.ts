import type { Item } from '../../api-types.ts'

// The service's own shapes, as far as the view reads them.

export type ViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'

export interface StreamRecord {
  readonly eventID: string
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  readonly dynamodb: {
    /** Seconds since 1970. */
    readonly ApproximateCreationDateTime: number
    readonly Keys: Item
    readonly NewImage?: Item
    readonly OldImage?: Item
    readonly SequenceNumber: string
    readonly SizeBytes: number
    readonly StreamViewType: ViewType
  }
  readonly userIdentity?: { readonly Type: string; readonly PrincipalId: string }
}

export interface Shard {
  readonly ShardId: string
  readonly ParentShardId?: string
  readonly SequenceNumberRange: { readonly StartingSequenceNumber: string; readonly EndingSequenceNumber?: string }
}

export interface StreamPage {
  readonly StreamDescription: {
    readonly StreamStatus: string
    readonly StreamViewType: ViewType
    readonly Shards: readonly Shard[]
    readonly LastEvaluatedShardId?: string
  }
}

/** What happened to an item: the service's three events, and a deletion of its own when an item has expired. */
export const eventKinds = ['INSERT', 'MODIFY', 'REMOVE', 'EXPIRE'] as const
export type EventKind = (typeof eventKinds)[number]

export function kindOf({ eventName, userIdentity }: StreamRecord): EventKind {
  const isExpiry =
    eventName === 'REMOVE' &&
    userIdentity?.Type === 'Service' &&
    userIdentity.PrincipalId === 'dynamodb.amazonaws.com'
  return isExpiry ? 'EXPIRE' : eventName
}
