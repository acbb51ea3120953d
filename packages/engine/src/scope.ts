/** Whose tables a request sees: an account's, in one region. */
export interface Scope {
  readonly accountId: string
  readonly region: string
}
