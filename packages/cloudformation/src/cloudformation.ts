import type { RecordSpace, Scope, ServiceHost } from '@hashrange/engine'
import type { AssetRecord } from './records/asset-record.ts'
import type { ChangeSetRecord, EventRecord, StackRecord } from './records/stack-record.ts'

/** Throws unless whoever asks may do it. */
export type Guard = (scope: Scope, target: string, operation: string, body: unknown) => void

export interface CloudFormationOptions {
  /** On a closed server: what decides about each request that a stack makes. */
  readonly guard?: () => Guard | undefined
  /** Why this server runs no code that is sent to it, where that is so. */
  readonly whyNoUploads?: string | undefined
  readonly onError?: (error: unknown) => void
}

/** What everything in this package gets. */
export interface CloudFormation extends ServiceHost {
  readonly options: CloudFormationOptions
  readonly stacks: RecordSpace<StackRecord>
  readonly changeSets: RecordSpace<ChangeSetRecord>
  readonly stackEvents: RecordSpace<EventRecord>
  /** The stacks that something is being done to. */
  readonly pending: RecordSpace<PendingRecord>
  readonly assets: RecordSpace<AssetRecord>
  /** Who has asked for an operation, as long as this process lives. */
  readonly callers: Map<string, Scope>
}

/** ON DISK as JSON. */
export interface PendingRecord {
  readonly name: string
  readonly uid: string
}

export function cloudFormationOf(host: ServiceHost, options: CloudFormationOptions): CloudFormation {
  return {
    ...host,
    options,
    stacks: host.records<StackRecord>('stack'),
    changeSets: host.records<ChangeSetRecord>('stackChangeSet'),
    stackEvents: host.records<EventRecord>('stackEvent'),
    pending: host.records<PendingRecord>('stackOperation'),
    assets: host.records<AssetRecord>('stackAsset'),
    callers: new Map(),
  }
}
