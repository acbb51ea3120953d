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

/** The wordings that the service's refusals have had. In the summer of 2026 it began to answer PutItem, UpdateItem and
 *  DeleteItem through a new validation layer, region by region; docs/compatibility.md says what is known of it.
 *
 *  Every check of ours speaks as the service did in 2025. This module alone turns a refusal into the words of 2026, so
 *  that a request which is not refused pays nothing. */
export type Dialect = '2026' | '2025'

/** What `operation` says instead of a refusal that came up while `body` was read, before any table was looked for. */
export function inDialect(dialect: Dialect, operation: string, refusal: unknown, body: unknown): unknown {
  if (dialect === '2025' || !(refusal instanceof ServiceError) || refusal.code !== 'ValidationException') {
    return refusal
  }
  if (nestsTooDeep(body)) return refusal
  if (operation === 'Query') return refusal instanceof ContradictorySelect ? enveloped(refusal.message) : refusal
  return ofWrite(operation, refusal)
}

function ofWrite(operation: string, refusal: ServiceError): unknown {
  if (refusal instanceof ConstraintViolations) return ofConstraints(operation, refusal)
  if (refusal instanceof ValuesWithoutExpression) return enveloped(refusal.summary)
  // The newer layer does not say under which key a value stands that it refuses.
  const inner = refusal instanceof InvalidExpressionValue ? refusal.cause : refusal
  if (inner instanceof BareRefusal) return inner
  const current = reworded('current', inner)
  return current instanceof ServiceError ? enveloped(current.message) : current
}

/** The newer layer looks at these members itself, and where UpdateItem finds one of them wrong it says nothing else.
 *  `UPDATE_NEW` and `ALL` are the service's own. */
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

/** Of a table's name the newer layer checks what its model says, for which it may be an ARN; the rest is checked as it
 *  always was. */
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
