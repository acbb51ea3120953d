/** What went wrong, for programs. The message says what to do next, for people. */
export type ModelErrorCode =
  // In the model file.
  | 'INVALID_MODEL'
  | 'INVALID_TEMPLATE'
  | 'UNKNOWN_ATTRIBUTE'
  | 'KEY_COLLISION'
  | 'NO_ENTITY_SERVES'
  // In what a caller gave.
  | 'INVALID_VALUE'
  | 'MISSING_VALUE'
  | 'INVALID_KEY_PART'
  | 'HALF_A_KEY'
  | 'KEY_CHANGE'
  | 'INVALID_CURSOR'
  | 'NEEDS_TRANSACTION'
  // In what the table holds.
  | 'UNKNOWN_ENTITY'
  | 'UNEXPECTED_ENTITY'
  | 'INVALID_ITEM'
  // In what others did meanwhile.
  | 'ALREADY_EXISTS'
  | 'NOT_FOUND'
  | 'NOT_UNIQUE'
  | 'CONDITION_FAILED'
  | 'CONFLICT'
  | 'UNPROCESSED'

export interface ModelErrorDetails {
  readonly entity?: string | undefined
  readonly attribute?: string | undefined
  readonly pattern?: string | undefined
  /** The item as it is stored, when a condition failed on it. */
  readonly item?: unknown
  readonly cause?: unknown
}

/** The only error this library throws by itself. Errors of the service (throttling, no such table, …) pass as they are. */
export class ModelError extends Error {
  readonly code: ModelErrorCode
  readonly entity: string | undefined
  readonly attribute: string | undefined
  readonly pattern: string | undefined
  readonly item: unknown

  constructor(code: ModelErrorCode, message: string, details: ModelErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ModelError'
    this.code = code
    this.entity = details.entity
    this.attribute = details.attribute
    this.pattern = details.pattern
    this.item = details.item
  }
}

/** For the default branch of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
