/** Identities as a file declares them: one account at the top, or several under `accounts`. */
export interface DeclaredIdentities extends DeclaredAccount {
  /** Whose the identities at the top are: the first administrator's account unless told. */
  readonly account?: string
  readonly accounts?: Readonly<Record<string, DeclaredAccount>>
}

export interface DeclaredAccount {
  readonly users?: Readonly<Record<string, DeclaredUser>>
  readonly groups?: Readonly<Record<string, DeclaredHolder>>
  readonly roles?: Readonly<Record<string, DeclaredRole>>
  readonly policies?: Readonly<Record<string, DeclaredPolicy>>
}

export interface DeclaredHolder {
  readonly path?: string
  /** Inline policies by name. */
  readonly policies?: Readonly<Record<string, DeclaredDocument>>
  /** Managed policies: names of this account's, names of AWS's, or ARNs. */
  readonly attached?: readonly string[]
}

export interface DeclaredUser extends DeclaredHolder {
  readonly groups?: readonly string[]
  readonly tags?: Readonly<Record<string, string>>
  readonly boundary?: string
  readonly accessKeys?: readonly DeclaredKey[]
}

export interface DeclaredRole extends DeclaredHolder {
  readonly trust: DeclaredDocument
  readonly description?: string
  readonly maxSessionSeconds?: number
  readonly tags?: Readonly<Record<string, string>>
  readonly boundary?: string
}

export interface DeclaredPolicy {
  readonly path?: string
  readonly description?: string
  readonly document: DeclaredDocument
}

export interface DeclaredKey {
  readonly id: string
  readonly secret: string
  readonly status?: 'Active' | 'Inactive'
}

/** A policy document, as an object or as its text. */
export type DeclaredDocument = object | string
