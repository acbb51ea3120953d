import {
  BareRefusal,
  InvalidExpressionValue,
  reworded,
  ServiceError,
  validationException,
  ValuesWithoutExpression,
} from '@hashrange/core'
import { ConstraintViolations, listed, wordsOf, type Violation } from './constraint-errors.ts'
import { ContradictorySelect } from './contradictory-select.ts'
import { isRecord } from './is-record.ts'
import { NoRequests } from './late-checks.ts'

/** The wordings of the service's errors over time. In the summer of 2026 it began to answer PutItem, UpdateItem and
 *  DeleteItem through a new validation layer, region by region; docs/compatibility.md says what is known about it.
 *  All our checks use the wording of 2025. Only this module turns an error into the wording of 2026, so requests that
 *  succeed pay nothing. */
export type Dialect = '2026' | '2025'

/** The error that `operation` returns in place of one that was found while `body` was read, before any table was
 *  looked up. */
export function inDialect(dialect: Dialect, operation: string, refusal: unknown, body: unknown): unknown {
  if (dialect === '2025' || !(refusal instanceof ServiceError) || refusal.code !== 'ValidationException') {
    return refusal
  }
  if (nestsTooDeep(body)) return refusal
  if (operation === 'Query') return refusal instanceof ContradictorySelect ? enveloped(refusal.message) : refusal
  if (operation === 'BatchGetItem') return refusal instanceof NoRequests ? enveloped(noRequests) : refusal
  return ofWrite(operation, refusal)
}

const noRequests =
  "Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1"

function ofWrite(operation: string, refusal: ServiceError): unknown {
  if (refusal instanceof ConstraintViolations) return ofConstraints(operation, refusal)
  if (refusal instanceof ValuesWithoutExpression) return enveloped(refusal.summary)
  // The newer layer does not name the key of a value that it rejects.
  const inner = refusal instanceof InvalidExpressionValue ? refusal.cause : refusal
  if (inner instanceof BareRefusal) return inner
  const current = reworded('current', inner)
  return current instanceof ServiceError ? enveloped(current.message) : current
}

/** The newer layer checks these members itself, and if UpdateItem finds one of them wrong, it reports nothing else.
 *  `UPDATE_NEW` and `ALL` are the service's own spelling. */
const newerMessages: Readonly<Record<string, string>> = {
  returnValues: enumeration('ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE'),
  conditionalOperator: enumeration('ALL, OR'),
}

/** A request that lacks a required member does not reach the newer layer. */
function ofConstraints(operation: string, refusal: ConstraintViolations): ServiceError {
  const { violations } = refusal
  if (violations.some(({ rendered }) => rendered === 'null')) return refusal
  const newer = violations.map(newerMessagesOf)
  const first = newer.find((message) => message !== undefined)
  if (first === undefined) return refusal
  const errors = violations.map((violation, position) => newer[position] ?? wordsOf(violation))
  return validationException(listed(operation === 'UpdateItem' ? [first] : errors))
}

function newerMessagesOf({ path, constraint }: Violation): string | undefined {
  if (path === 'tableName' && boundsOfTableArn.has(constraint)) {
    return `Value at 'TableName' failed to satisfy constraint: ${constraint}`
  }
  return Object.hasOwn(newerMessages, path) ? newerMessages[path] : undefined
}

/** The newer layer checks a table name against its model, which also allows an ARN; the rest is checked as before. */
const boundsOfTableArn: ReadonlySet<string> = new Set([
  'Member must have length greater than or equal to 1',
  'Member must have length less than or equal to 1024',
])

function enumeration(values: string): string {
  return `Failed to satisfy constraint: Member must satisfy enum value set: [${values}]`
}

function enveloped(message: string): ServiceError {
  return validationException(listed([message]))
}

/** The newer layer leaves requests whose JSON nests deeper than this to the older one. */
const newerLayerLevels = 128

function nestsTooDeep(value: unknown, level = 1): boolean {
  if (Array.isArray(value))
    return level > newerLayerLevels || value.some((element) => nestsTooDeep(element, level + 1))
  if (!isRecord(value)) return false
  return level > newerLayerLevels || Object.values(value).some((member) => nestsTooDeep(member, level + 1))
}
