import type { CreateTableInput } from '../api/table-inputs.ts'
import type { ReplicaDefinition } from '../definitions/table-definition.ts'
import type { ReplicationCursor } from '../replication/cursor.ts'
import type { Stamp } from '../stamps/stamp.ts'

/** The version of the messages between servers. A server rejects those of another. */
export const linkVersion = 1

/** What one server asks another: whatever was written in the other's region after what it has already received. */
export interface ExchangeRequest {
  readonly version: typeof linkVersion
  /** The region of the server that asks. */
  readonly from: string
  /** The region whose writes are asked for. */
  readonly of: string
  /** How long the response may wait for something to tell. */
  readonly waitMs: number
  /** How late the changes should be, if the link is slow on purpose. */
  readonly lagMs: number
  /** The fingerprint of the views that it was told last. */
  readonly known: string
  /** What the server that asks knows about its global tables; absent if nothing has changed. */
  readonly views?: readonly TableView[] | undefined
  readonly tables: readonly AskedTable[]
  /** The global tables whose replica cannot be created there. */
  readonly refused: readonly string[]
}

/** A replica that receives, and how far it is. This acknowledges everything before. */
export interface AskedTable {
  readonly id: string
  /** The region of the replica that receives. */
  readonly region: string
  readonly cursor: ReplicationCursor
}

/** The response: this, and a line for each change, in the order of the pages. */
export interface ExchangeAnswer {
  readonly version: typeof linkVersion
  readonly from: string
  /** By the clock of the store that answers. */
  readonly nowMs: number
  readonly fingerprint: string
  readonly views?: readonly TableView[] | undefined
  /** The tables among those asked for, or told of, that do not exist here. */
  readonly gone: readonly string[]
  /** Whether the link is cut on purpose. */
  readonly isCut: boolean
  readonly pages: readonly PageHead[]
}

export interface PageHead {
  readonly id: string
  /** The region of the replica that receives it. */
  readonly to: string
  /** Where the next page begins. */
  readonly cursor: ReplicationCursor
  readonly changes: number
  /** When the oldest of the changes was made, by the calendar of the sender. */
  readonly oldestAtMs?: number | undefined
}

/** What a replica says about itself and its global table. */
export interface TableView {
  readonly id: string
  readonly accountId: string
  readonly tableName: string
  readonly region: string
  readonly isProtected: boolean
  /** With itself. */
  readonly replicas: readonly ReplicaView[]
  /** How it would be created. */
  readonly settings: CreateTableInput
  readonly timeToLive?: string | undefined
  readonly settingsAt?: Stamp | undefined
  /** Everything that it logged longer ago has reached all other replicas. */
  readonly sentAgeMs: number
}

export type ReplicaView = Pick<ReplicaDefinition, 'region' | 'status' | 'filledFrom' | 'joinedAtMs' | 'overrides'>

/** Asks for the items of a table, a page at a time, for a new replica. */
export interface FillRequest {
  readonly version: typeof linkVersion
  readonly from: string
  readonly id: string
  /** The region of the replica that is to be filled. */
  readonly region: string
  /** Where the page begins; absent to begin with. */
  readonly place?: FillPlace | undefined
}

export interface FillPlace {
  readonly phase: 'tombstones' | 'items'
  /** What the response before has said; absent at the start of a phase. Only the sender understands it. */
  readonly after?: string | undefined
}

/** The response: this, and a line for each change. */
export interface FillAnswer {
  readonly version: typeof linkVersion
  /** The first response says from where the logs of all replicas must be followed, by their regions. */
  readonly positions?: Readonly<Record<string, ReplicationCursor>> | undefined
  readonly changes: number
  /** Absent when nothing is left. */
  readonly next?: FillPlace | undefined
}

/** A message of another server that cannot be followed. The sentence is for its operator, and for ours. */
export class LinkRefusal extends Error {
  readonly status: number
  /** The region that this server would have to be linked to. */
  readonly unlinked: string | undefined

  constructor(status: number, sentence: string, unlinked?: string) {
    super(sentence)
    this.name = 'LinkRefusal'
    this.status = status
    this.unlinked = unlinked
  }
}
