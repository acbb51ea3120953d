/** Whose tables are meant. */
export interface Scope {
  readonly accountId: string
  readonly region: string
}

export interface WorkbenchInfo {
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
}

export interface ScopeInfo extends Scope {
  readonly tables: number
  /** An access key of this account, if it is one that people use in examples. */
  readonly accessKeyId: string | null
}
