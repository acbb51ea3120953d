import type { KeyAttributeType } from '@hashrange/core'

/** Everything the database stores about a table besides its items. ON DISK as JSON: members may be added, with a
 *  default for definitions that lack them; a change of meaning needs a new format version. */
export interface TableDefinition {
  /** Names the table's keys in the store; never reused. */
  readonly tableId: number
  /** Increases with each change of the definition; absent if it has never been changed. */
  readonly version?: number
  /** `TableId` on the wire. */
  readonly tableUuid: string
  readonly accountId: string
  readonly region: string
  readonly tableName: string
  readonly status: 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING'
  readonly createdAtMs: number
  readonly attributeTypes: Readonly<Record<string, KeyAttributeType>>
  readonly keySchema: KeySchema
  readonly localIndexes: readonly IndexDefinition[]
  readonly globalIndexes: readonly IndexDefinition[]
  /** Nothing is stored for them: a search reads the items. */
  readonly vectorIndexes?: readonly VectorIndexDefinition[]
  readonly billing: Billing
  readonly deletionProtection: boolean
  /** Of a table without replicas: whether its settings would be synchronised with tables of other accounts. It has no
   *  other effect. */
  readonly settingsReplication?: 'ENABLED' | 'DISABLED'
  readonly tableClass?: TableClass
  readonly tableClassChangedAtMs?: number
  readonly encryption?: Encryption
  /** The latest stream, which is kept after it was disabled. */
  readonly stream?: StreamDefinition
  /** Disabled streams, as long as they can be read. */
  readonly pastStreams?: readonly PastStream[]
  /** Present while point-in-time recovery is on. */
  readonly recovery?: RecoveryDefinition
  /** Who else needs the change log: the names of services that deliver it. */
  readonly logHolders?: readonly string[]
  /** The shards of the change log, open and closed, as long as any of their contents are kept. */
  readonly shards?: readonly ShardDefinition[]
  readonly nextShardId?: number
  /** Cuts of the table that background work is still reading. */
  readonly cuts?: readonly CutDefinition[]
  /** Present while time to live is on. */
  readonly timeToLive?: TimeToLiveDefinition
  /** Present until all items of a restored table have been copied. */
  readonly restore?: RestoreDefinition
  /** Present on a replica of a global table. */
  readonly replication?: ReplicationDefinition
  /** Who may use the table and its indexes, besides those whose own policies allow it. */
  readonly resourcePolicy?: string
  /** When the policy was last changed, in milliseconds; absent in policies from before revisions existed. */
  readonly resourcePolicyRevisionId?: string
  readonly streamPolicies?: readonly StreamPolicy[]
  readonly tags: Readonly<Record<string, string>>
}

/** The names of the key attributes, in order. A table and a local index have one hash and at most one range attribute;
 *  a global index up to four of each. */
export interface KeySchema {
  readonly hash: readonly string[]
  readonly range: readonly string[]
}

export interface IndexDefinition {
  readonly indexId: number
  readonly indexName: string
  readonly kind: 'local' | 'global'
  readonly keySchema: KeySchema
  readonly projection: Projection
  readonly status: 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING'
  /** Set while the index of an existing table is being filled. */
  readonly backfilling?: boolean
  /** And then: the cut of the table, made with the index, whose items are counted. */
  readonly cutId?: number
  /** A global index's own throughput; absent on a local one. */
  readonly throughput?: Throughput
  readonly onDemandLimits?: OnDemandLimits
  readonly warmThroughput?: WarmThroughput
}

export interface VectorIndexDefinition {
  readonly indexName: string
  readonly vectorAttribute: string
  readonly dimensions: number
  readonly distanceFunction: 'COSINE' | 'DOT_PRODUCT' | 'EUCLIDEAN'
  readonly projection: Projection
  /** The attributes by which a search can be narrowed; it must give those that are a HASH. */
  readonly searchSchema?: readonly { readonly attributeName: string; readonly kind: 'HASH' | 'INLINE_FILTER' }[]
}

export type Projection =
  | { readonly kind: 'ALL' }
  | { readonly kind: 'KEYS_ONLY' }
  | { readonly kind: 'INCLUDE'; readonly nonKeyAttributes: readonly string[] }

export interface Billing {
  readonly mode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  /** Zeros when the mode is PAY_PER_REQUEST. */
  readonly throughput: Throughput
  readonly onDemandLimits?: OnDemandLimits
  readonly warmThroughput?: WarmThroughput
  /** Set once the table was PAY_PER_REQUEST at some time. */
  readonly lastPayPerRequestAtMs?: number
  /** When it was switched to PAY_PER_REQUEST, as long as that counts towards the limit. */
  readonly payPerRequestSwitchesMs?: readonly number[]
}

export interface Throughput {
  readonly readUnits: number
  readonly writeUnits: number
  readonly lastIncreaseAtMs?: number
  readonly lastDecreaseAtMs?: number
  readonly decreasesToday: number
}

export interface OnDemandLimits {
  readonly maxReadUnits?: number
  readonly maxWriteUnits?: number
}

export interface WarmThroughput {
  readonly readUnitsPerSecond: number
  readonly writeUnitsPerSecond: number
  /** Passed with a change that was just requested; never stored. */
  readonly updating?: boolean
}

export type TableClass = 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'

export interface Encryption {
  readonly kmsKeyArn: string
}

export interface StreamDefinition {
  readonly enabled: boolean
  readonly viewType: StreamViewType
  /** When it was enabled; the last part of its ARN. */
  readonly label: string
}

export interface PastStream {
  readonly viewType: StreamViewType
  readonly label: string
  /** In steady time. */
  readonly disabledAtMs: number
}

/** Who may read one of a table's streams. */
export interface StreamPolicy {
  readonly label: string
  readonly policy: string
  readonly revisionId: string
}

export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'

/** Point-in-time recovery: how long the change log is kept. */
export interface RecoveryDefinition {
  readonly periodDays: number
  /** The time from which the log is complete: since recovery was turned on, or since a shorter period was extended.
   *  In steady time. */
  readonly enabledAtMs: number
}

/** A point in time of a table that is being read. Until that ends, its change log is not trimmed, its items stay if
 *  it is deleted, and what an item was at that time is kept when it is first changed afterwards. */
export interface CutDefinition {
  /** Names what is kept. */
  readonly id: number
  /** For a `backup`, what is kept is a part of it; for `reading`, it is removed with the cut. A reader of the `log`
   *  needs no items. */
  readonly kind: 'backup' | 'reading' | 'log'
}

/** Where the items of a restored table come from. */
export interface RestoreDefinition {
  readonly sourceTableArn: string
  /** The point in time of these items. */
  readonly atMs: number
  readonly source:
    | { readonly kind: 'backup'; readonly backupArn: string }
    /** `undoId` names the entries that undo what was changed since `steadyMs`, which is steady time. Restores that an
     *  earlier version started lack it; there, the two times are the same. */
    | { readonly kind: 'table'; readonly tableId: number; readonly undoId: number; readonly steadyMs?: number }
}

/** A part of the change log: the changes of the partition keys whose hash, by its first four bytes, is from
 *  `fromHash` up to `toHash`. Sequences are decimal strings, because they can exceed the numbers of JSON. */
export interface ShardDefinition {
  readonly shardId: number
  readonly parentShardId?: number
  /** The stream that shows it; absent if the log is only kept for other reasons. */
  readonly streamLabel?: string
  readonly fromHash: number
  readonly toHash: number
  readonly openedAt: string
  readonly closedAt?: string
}

/** Items are deleted once the time in this attribute, in seconds, has passed. */
export interface TimeToLiveDefinition {
  readonly attributeName: string
  /** Names the entries of the table's expiry index. */
  readonly expiryIndexId: number
  /** Set while the expiry entries of existing items are being added. */
  readonly filling?: boolean
}

/** What a replica knows about its global table. Each replica has its own copy, because each may be in another store. */
export interface ReplicationDefinition {
  /** Names the global table; the same in all of its replicas. */
  readonly globalTableId: string
  readonly version: '2017.11.29' | '2019.11.21'
  /** Set if a write is in all replicas before it is acknowledged (see strong/). Otherwise they become equal later. */
  readonly consistency?: 'STRONG'
  /** With strong consistency: the third region, if it has no replica but only a vote. */
  readonly witness?: string
  /** Names the stamps of this replica's items (see stamps/). */
  readonly stampsId: number
  /** All replicas, this one included, in the order in which they joined. */
  readonly replicas: readonly ReplicaDefinition[]
  /** Which change of the synchronised settings this replica has. The later of two changes wins in all stores. */
  readonly settingsAt?: { readonly micros: number; readonly region: string }
}

export interface ReplicaDefinition {
  readonly region: string
  readonly status: 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING'
  /** The replica from which it is filled, as long as it is CREATING. */
  readonly filledFrom?: string
  /** When another replica was last filled from this one. It cannot be deleted for a while then. */
  readonly filledOtherAtMs?: number
  /** What was asked to be different here from the other replicas. */
  readonly overrides?: ReplicaOverrides
  /** Whether it is in another store, behind a link (see links/). */
  readonly elsewhere?: boolean
  /** Whether only others have told of it yet. They may be late: it may be gone. */
  readonly unconfirmed?: boolean
  /** When it was asked for. A replica that comes back to a region after it was deleted is another one. */
  readonly joinedAtMs?: number
  /** Of a replica elsewhere, while this one leaves: whether it knows that, or leaves as well and may be gone. */
  readonly witness?: 'knows' | 'leaves'
  /** Of a replica elsewhere: whether it is protected against deletion, as it says itself. */
  readonly protected?: boolean
}

export interface ReplicaOverrides {
  readonly readUnits?: number
  readonly maxReadUnits?: number
  readonly tableClass?: TableClass
  readonly kmsKeyArn?: string
  readonly indexes?: readonly ReplicaIndexOverrides[]
}

export interface ReplicaIndexOverrides {
  readonly indexName: string
  readonly readUnits?: number
  readonly maxReadUnits?: number
}
