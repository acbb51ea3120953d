import { ServiceError } from '@hashrange/core'

/** A Select that does not go with the rest of its request. Query and Scan do not report it in the same words. */
export class ContradictorySelect extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}
