/** What the service itself would answer: its exception's name, its words and the members that go with it.
 *  The wire form (status, `__type`, casing of `message`) is decided in one place, in the server. */
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

/** A refusal that is said alone in every dialect: an item that is too large, a value that has no type or several. */
export class BareRefusal extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}

export function serializationException(message: string): ServiceError {
  return new ServiceError('SerializationException', message)
}

/** For the default branch of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
