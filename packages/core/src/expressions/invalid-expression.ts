import type { ServiceError } from '../errors.ts'
import { validationException } from '../errors.ts'
import type { ExpressionKind } from './syntax.ts'

/** The error for one expression, named after the request member that contains it. The error for a statement has no
 *  name. */
export function invalidExpression(kind: ExpressionKind, problem: string): ServiceError {
  return validationException(kind === 'Statement' ? problem : `Invalid ${kind}: ${problem}`)
}

export function tooManyOperators(kind: ExpressionKind, count: number): ServiceError {
  return invalidExpression(kind, `The expression contains too many operators; operator count: ${count}`)
}

export function redundantParentheses(kind: ExpressionKind): ServiceError {
  return invalidExpression(kind, 'The expression has redundant parentheses;')
}

export function incorrectOperandType(kind: ExpressionKind, operator: string, type: string): ServiceError {
  const subject = `operator or function: ${operator}, operand type: ${type}`
  return invalidExpression(kind, `Incorrect operand type for operator or function; ${subject}`)
}

export function incorrectOperandCount(kind: ExpressionKind, operator: string, count: number): ServiceError {
  const subject = `operator or function: ${operator}, number of operands: ${count}`
  return invalidExpression(kind, `Incorrect number of operands for operator or function; ${subject}`)
}

export function pathRequired(kind: ExpressionKind, operator: string): ServiceError {
  return invalidExpression(kind, `Operator or function requires a document path; operator or function: ${operator}`)
}
