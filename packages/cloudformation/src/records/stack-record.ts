import type { Scope } from '@hashrange/engine'
import type { JsonObject } from '@hashrange/templates'

/** What a stack is made from. */
export interface StackVersion {
  readonly template: string
  /** As they were given, or their defaults. */
  readonly parameters: Readonly<Record<string, string>>
  /** Those that are kept by Systems Manager, with the values that they had. */
  readonly resolved: Readonly<Record<string, string>>
  readonly tags: readonly { readonly Key: string; readonly Value: string }[]
  readonly capabilities: readonly string[]
  readonly roleArn?: string | undefined
  readonly notificationArns: readonly string[]
  readonly description?: string | undefined
}

export interface StackResource {
  readonly logicalId: string
  readonly type: string
  readonly physicalId: string
  readonly status: string
  readonly reason?: string | undefined
  readonly changedAtMs: number
  /** With all functions evaluated. */
  readonly properties: JsonObject
  readonly attributes: Readonly<Record<string, string>>
  readonly dependsOn: readonly string[]
  readonly deletionPolicy: string
  readonly updateReplacePolicy: string
  /** Whether there is something that has to be deleted. */
  readonly isThere: boolean
  /** The operation that has brought it to where it is. */
  readonly operationId: string
  /** How it was before this operation, while the operation may be rolled back. */
  readonly before?: StackResource | undefined
}

export interface StackOutput {
  readonly OutputKey: string
  readonly OutputValue: string
  readonly Description?: string | undefined
  readonly ExportName?: string | undefined
}

/** What is being done to a stack. */
export interface StackOperation {
  readonly id: string
  readonly kind: 'create' | 'update' | 'delete'
  readonly phase: 'forward' | 'rollback' | 'cleanup'
  readonly token?: string | undefined
  readonly onFailure: 'DO_NOTHING' | 'ROLLBACK' | 'DELETE'
  /** What the stack is to be. */
  readonly wanted?: StackVersion | undefined
  readonly retain: readonly string[]
  /** Whether each step must be allowed to whoever asked for it. */
  readonly isGuarded: boolean
}

/** ON DISK as JSON. */
export interface StackRecord {
  readonly name: string
  readonly uid: string
  readonly status: string
  readonly statusReason?: string | undefined
  readonly createdAtMs: number
  readonly updatedAtMs?: number | undefined
  readonly deletedAtMs?: number | undefined
  readonly version: StackVersion
  readonly resources: Readonly<Record<string, StackResource>>
  /** What was replaced, and is deleted once the update has succeeded. */
  readonly replaced: readonly StackResource[]
  readonly outputs: readonly StackOutput[]
  /** The names of the exports of other stacks that it uses. */
  readonly imports: readonly string[]
  readonly operation?: StackOperation | undefined
  /** Of the last operations, so that one that is repeated does nothing. */
  readonly tokens: readonly string[]
  readonly lastOperationId?: string | undefined
  readonly disableRollback: boolean
  readonly terminationProtection: boolean
  readonly policy?: string | undefined
  readonly changeSetId?: string | undefined
  readonly events: number
}

/** ON DISK as JSON. Newest last, by `order`. */
export interface EventRecord {
  readonly stackUid: string
  readonly order: string
  readonly id: string
  readonly operationId: string
  readonly logicalId: string
  readonly physicalId: string
  readonly type: string
  readonly status: string
  readonly reason?: string | undefined
  readonly atMs: number
  readonly token?: string | undefined
  readonly properties?: string | undefined
}

/** ON DISK as JSON. */
export interface ChangeSetRecord {
  readonly stackName: string
  readonly stackUid: string
  readonly name: string
  readonly uid: string
  readonly description?: string | undefined
  readonly status: 'CREATE_COMPLETE' | 'FAILED'
  readonly statusReason?: string | undefined
  readonly executionStatus: 'AVAILABLE' | 'UNAVAILABLE' | 'EXECUTE_COMPLETE' | 'OBSOLETE'
  readonly createdAtMs: number
  readonly version: StackVersion
  readonly changes: readonly JsonObject[]
  readonly onFailure: StackOperation['onFailure']
}

export function stackArn({ region, accountId }: Scope, { name, uid }: Pick<StackRecord, 'name' | 'uid'>): string {
  return `arn:aws:cloudformation:${region}:${accountId}:stack/${name}/${uid}`
}

export function changeSetArn({ region, accountId }: Scope, { name, uid }: ChangeSetRecord): string {
  return `arn:aws:cloudformation:${region}:${accountId}:changeSet/${name}/${uid}`
}
