import { ServiceError, validationException } from '../errors.ts'
import type { Position } from './tokens.ts'

/** The refusal of a text that is no statement. The service says what is wrong and not where; `at` is for editors, which can show it. */
export class MalformedStatement extends ServiceError {
  at: Position | undefined

  constructor(detail: string, at?: Position) {
    super('ValidationException', `Statement wasn't well formed, can't be processed: ${detail}`)
    this.at = at
  }
}

/** What cannot even be split into tokens is refused without a detail. Where no place is given it is where the reader stands. */
export function malformed(detail: string, at?: Position): MalformedStatement {
  return new MalformedStatement(detail, at)
}

/** The refusal of a part of a statement that is well formed, with the place where it stands. */
export function refusedAt(problem: string, { line, column, length }: Position): ServiceError {
  return validationException(`${problem} at ${line}:${column}:${length}`)
}
