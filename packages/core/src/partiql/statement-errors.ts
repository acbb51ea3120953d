import { ServiceError, validationException } from '../errors.ts'
import type { Position } from './tokens.ts'

/** The error for a text that is not a statement. The service says what is wrong but not where; `at` is for editors,
 *  which can show the position. */
export class MalformedStatement extends ServiceError {
  at: Position | undefined

  constructor(detail: string, at?: Position) {
    super('ValidationException', `Statement wasn't well formed, can't be processed: ${detail}`)
    this.at = at
  }
}

/** What cannot be split into tokens is rejected without details. Without a given position, it is the reader's. */
export function malformed(detail: string, at?: Position): MalformedStatement {
  return new MalformedStatement(detail, at)
}

/** The error for a part of a well-formed statement, with its position. */
export function refusedAt(problem: string, { line, column, length }: Position): ServiceError {
  return validationException(`${problem} at ${line}:${column}:${length}`)
}
