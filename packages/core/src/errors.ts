/** An error that the service itself would return: the name of the exception, its message, and its other members. The
 *  server alone decides the wire format (status, `__type`, casing of `message`). */
export class ServiceError extends Error {
  readonly code: string
  /** Further members of the error's body, such as `Item` or `CancellationReasons`. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, members: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = code
    this.code = code
    this.members = members
  }
}

export function validationException(message: string): ServiceError {
  return new ServiceError('ValidationException', message)
}

/** An error that is reported by itself in every dialect: an item that is too large, or a value with no type or
 *  several types. */
export class BareRefusal extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}

/** A condition of a write that does not hold, as the newer layer of the service reports it: its words are the `message`, also
 *  beside the item. */
export class ConditionFailure extends ServiceError {
  constructor(message: string, members: Readonly<Record<string, unknown>>) {
    super('ConditionalCheckFailedException', message, members)
  }
}

export function serializationException(message: string): ServiceError {
  return new ServiceError('SerializationException', message)
}

/** For the default branch of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
