import { ServiceError, type AttributeValue } from '@hashrange/core'
import {
  MalformedStatement,
  parseStatement,
  planReads,
  targetNames,
  translateCondition,
  type Statement,
} from '@hashrange/core/partiql'
import type { TableDescription } from '../../api-types.ts'
import { keyShapeOf } from '../query/draft/key-schema.ts'
import type { StatementText } from './split-statements.ts'

/** What is known about a statement before it is sent. */
export interface StatementFacts {
  readonly kind: 'select' | 'exists' | 'insert' | 'update' | 'delete' | 'unsupported' | 'malformed'
  readonly tableName: string | undefined
  readonly indexName: string | undefined
  readonly isWrite: boolean
  readonly problem: StatementProblem | undefined
}

export interface StatementProblem {
  readonly start: number
  readonly end: number
  readonly message: string
}

export function readStatement(statement: StatementText): StatementFacts {
  try {
    const parsed = parseStatement(statement.text)
    if (parsed.kind === 'unsupported') {
      const message = `This is not a statement for a table. Start with SELECT, INSERT, UPDATE or DELETE.`
      return facts('unsupported', undefined, { start: statement.start, end: statement.end, message })
    }
    return facts(parsed.kind, targetOf(parsed), undefined)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return facts('malformed', undefined, malformedAt(statement, error))
  }
}

/** Where the parser could make nothing of it. */
function malformedAt(statement: StatementText, error: ServiceError): StatementProblem {
  const { text, start, end } = statement
  const { message } = error
  const [comments = ''] = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/.exec(text) ?? []
  const [first = ''] = /^\S+/.exec(text.slice(comments.length)) ?? []
  // A misspelt SELECT is taken for a name, and the parser stops later.
  if (!/^(select|insert|update|delete|from|exists)\b/i.test(first)) {
    return { start: start + comments.length, end: start + comments.length + first.length, message }
  }
  if (!(error instanceof MalformedStatement) || error.at === undefined) return placed(statement, message)
  const { line, column, length } = error.at
  if (length > 0) return spot(statement, line, column, length, message)
  // At the end something is missing: what stands before it is marked.
  const [last = ''] = /\S+$/.exec(text) ?? []
  return { start: end - last.length, end, message }
}

function facts(
  kind: StatementFacts['kind'],
  names: { readonly tableName: string; readonly indexName: string | undefined } | undefined,
  problem: StatementProblem | undefined,
): StatementFacts {
  return {
    kind,
    tableName: names?.tableName,
    indexName: names?.indexName,
    isWrite: kind === 'insert' || kind === 'update' || kind === 'delete',
    problem,
  }
}

function targetOf(parsed: Exclude<Statement, { kind: 'unsupported' }>) {
  return targetNames(parsed.kind === 'select' || parsed.kind === 'exists' ? parsed.select.from : parsed.target)
}

/** Whether a SELECT reads everything. Parameters that are not given yet stand for some text. */
export function isScan(
  statement: StatementText,
  table: TableDescription,
  parameters: readonly AttributeValue[],
): boolean {
  try {
    const parsed = parseStatement(statement.text)
    if (parsed.kind !== 'select') return false
    const { indexName } = targetNames(parsed.select.from)
    const { partition, sort } = keyShapeOf(table, indexName ?? '')
    const [hash] = partition
    if (hash === undefined) return false
    const filled = Array.from({ length: statement.parameterCount }, (_, at) => parameters[at] ?? { S: '?' })
    const where = parsed.select.where && translateCondition(parsed.select.where, filled)
    return planReads(where, { hash: hash.name, range: sort[0]?.name }).kind === 'scan'
  } catch (error) {
    // What cannot be planned is rejected by the service, with its own message.
    if (error instanceof ServiceError) return false
    throw error
  }
}

/** Where the service's words point to: `… at 1:8:5` is a line, a column and a length. */
export function placed({ text, start, end }: StatementText, message: string): StatementProblem {
  const match = / at (\d+):(\d+):(\d+)$/.exec(message)
  if (match === null) {
    // Words that name something of the statement point to it as well.
    const [, name] = /\b(?:attribute|table|index|name:?)\s+\[?"?([\w.-]+)"?\]?/i.exec(message) ?? []
    const at = name === undefined ? -1 : text.lastIndexOf(name)
    if (name !== undefined && at >= 0) return { start: start + at, end: start + at + name.length, message }
    return { start, end, message }
  }
  const [line = 1, column = 1, length = 1] = match.slice(1).map(Number)
  return spot({ text, start, end, parameterCount: 0 }, line, column, length, message)
}

function spot(
  { text, start, end }: StatementText,
  line: number,
  column: number,
  length: number,
  message: string,
): StatementProblem {
  let lineStart = 0
  for (let passed = 1; passed < line; passed++) {
    const next = text.indexOf('\n', lineStart)
    if (next < 0) break
    lineStart = next + 1
  }
  const from = Math.min(start + lineStart + column - 1, end)
  return { start: from, end: Math.min(from + Math.max(1, length), end), message }
}
