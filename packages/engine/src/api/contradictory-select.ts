import { ServiceError } from '@hashrange/core'

/** A Select that contradicts the rest of its request. Query and Scan report it differently. */
export class ContradictorySelect extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}
