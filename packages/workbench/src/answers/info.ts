import type { ConnectionInfo } from './connections.ts'

/** Whose tables are meant. */
export interface Scope {
  /** Empty in another database, which knows it by itself. */
  readonly accountId: string
  readonly region: string
  /** The name of the connection to another database; nothing for this server. */
  readonly connection?: string
}

export interface WorkbenchInfo {
  /** Whether it shows a database of its own. */
  readonly hasDatabase: boolean
  /** Other databases that can be shown. */
  readonly connections: readonly ConnectionInfo[]
  /** Why this page may not add connections. */
  readonly whyNoConnections?: string
  readonly version: string
  readonly readOnly: boolean
  /** Whether all access keys have the same tables, and, if it is true, all regions too. */
  readonly shared: boolean | 'keys'
  /** Where the data is; null if it is in memory. */
  readonly path: string | null
  /** The accounts and regions that have tables, those with the most first. */
  readonly scopes: readonly ScopeInfo[]
  /** What to show if nothing else is requested. */
  readonly defaultScope: ScopeInfo
  /** Whether there are models to ask about. */
  readonly hasModels: boolean
  /** Whether this page may load and save model files. */
  readonly mayLoadModels: boolean
  /** Whether this page may change model files. */
  readonly mayEditModels: boolean
  /** Why models are not shown, to those who may not see them. */
  readonly modelsDenied?: string
  /** Who has signed in; nothing on an open server. */
  readonly signedIn?: SignedInAs
}

export interface ScopeInfo extends Scope {
  readonly tables: number
  /** An access key of this account, if it is one that people use in examples. */
  readonly accessKeyId: string | null
}

/** What the page shows of whoever has signed in. */
export type SignedInAs = SignedInOperator | SignedInIdentity

export interface SignedInOperator {
  readonly kind: 'operator'
  /** When the session ends, in milliseconds since 1970. */
  readonly endsAtMs: number
}

export interface SignedInIdentity {
  readonly kind: 'root' | 'user' | 'role'
  readonly accountId: string
  readonly arn: string
  /** Of the user or the role; empty for the account itself. */
  readonly name: string
  /** Of a role that was assumed. */
  readonly sessionName?: string
  readonly accessKeyId: string
  /** Whose policies apply: the user's ARN, or the role's. */
  readonly policySourceArn: string
  readonly endsAtMs: number
  /** Whether the session ends then because the credentials do. */
  readonly isTemporary: boolean
}
