import type { ServiceError } from '../errors.ts'
import { validationException } from '../errors.ts'
import type { Position } from './tokens.ts'

/** The refusal of a text that is no statement. What cannot even be split into tokens is refused without a detail. */
export function malformed(detail: string): ServiceError {
  return validationException(`Statement wasn't well formed, can't be processed: ${detail}`)
}

/** The refusal of a part of a statement that is well formed, with the place where it stands. */
export function refusedAt(problem: string, { line, column, length }: Position): ServiceError {
  return validationException(`${problem} at ${line}:${column}:${length}`)
}
