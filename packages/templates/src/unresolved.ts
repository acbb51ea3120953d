/** A value that only AWS knows, or nobody has given. It is a problem only where a table needs it. */
export class Unresolved {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}
