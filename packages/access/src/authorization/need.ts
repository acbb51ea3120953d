import type { Scope, TableDefinition } from '@hashrange/engine'
import type { ContextValues } from '../policies/context-values.ts'
import type { TableReference } from './table-reference.ts'

/** One thing that must be allowed for a request to be carried out. A request may need several. */
export interface Need {
  /** As the service writes it: `dynamodb:GetItem`. */
  readonly action: string
  /** An ARN, or `*`. */
  readonly resource: string
  /** The table that the resource is or belongs to: its policy applies, and its owner decides. */
  readonly table?: TableReference
  /** `aws:ResourceTag/…`, where the resource is no table. */
  readonly resourceTags?: Readonly<Record<string, string>>
  /** The keys of conditions that this request has a value for, besides those that every request has. */
  readonly keys?: ContextValues
}

/** What is known of tables. Nothing is read from the store for it. */
export interface KnownTables {
  definitionOf(scope: Scope, tableName: string): TableDefinition | undefined
}

/** A request of which is asked what it needs. `body` is what was sent: parsed JSON of any shape. */
export interface AskedOperation {
  /** The caller's account, and the region of the endpoint. */
  readonly scope: Scope
  readonly body: unknown
  readonly tables: KnownTables
  readonly identities?: KnownIdentities | undefined
}

/** What is known of users, groups, roles and policies of the caller's account. */
export interface KnownIdentities {
  /** The caller's own ARN, for operations that are about the caller unless they say otherwise. */
  readonly ownArn: string
  /** With its path; nothing if there is none of this name. */
  arnOf(kind: 'user' | 'group' | 'role' | 'policy', name: string): string | undefined
  tagsOf(arn: string): Readonly<Record<string, string>> | undefined
}

/** What an operation needs. Throws the service's error for a request that no policy could make sense of. */
export type NeedsOf = (asked: AskedOperation) => readonly Need[]
