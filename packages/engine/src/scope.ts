import type { ServiceError } from '@hashrange/core'

/** Whose tables a request sees: those of an account in one region. */
export interface Scope {
  readonly accountId: string
  readonly region: string
}

/** That of a request whose parts are refused one by one, such as the statements of a batch. */
export interface PartlyAdmittedScope extends Scope {
  /** Why, by the position of a part. */
  readonly refused: ReadonlyMap<number, ServiceError>
}

export function refusedParts(scope: Scope): ReadonlyMap<number, ServiceError> | undefined {
  return 'refused' in scope ? (scope as PartlyAdmittedScope).refused : undefined
}
