/** Whose tables a request sees: those of an account in one region. */
export interface Scope {
  readonly accountId: string
  readonly region: string
}
