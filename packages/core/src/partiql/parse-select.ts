import { malformed } from './statement-errors.ts'
import type { Column, Expression, OrderTerm, Select, Target } from './syntax.ts'
import type { TokenReader } from './token-reader.ts'

/** Expressions and SELECTs contain each other, so one of the parsers receives the other as an argument. */
export type ParseExpression = (reader: TokenReader, depth?: number, above?: number) => Expression

/** Reads a SELECT, starting at that word. Clauses that the service does not support are parsed too, and rejected
 *  later. */
export function parseSelect(reader: TokenReader, parseExpression: ParseExpression, depth = 0): Select {
  reader.take()
  let unsupportedClause = acceptQuantifier(reader)
  const columns = parseColumns(reader, parseExpression, depth)
  if (!reader.accept('keyword', 'from')) throw malformed('Expected FROM')
  const from = parseSource(reader, parseExpression, depth)
  if (reader.isAt('punctuation', ',') || isJoin(reader)) unsupportedClause ??= 'JOIN'
  while (reader.accept('punctuation', ',')) parseSource(reader, parseExpression, depth)
  const where = reader.accept('keyword', 'where') ? parseExpression(reader, depth + 1) : undefined
  if (reader.accept('keyword', 'group')) {
    reader.expect('keyword', 'by')
    parseColumns(reader, parseExpression, depth)
    unsupportedClause ??= 'GROUP BY'
  }
  if (reader.accept('keyword', 'having')) {
    parseExpression(reader, depth + 1)
    unsupportedClause ??= 'HAVING'
  }
  const orderBy = parseOrderBy(reader, parseExpression, depth)
  if (reader.accept('keyword', 'limit')) {
    parseExpression(reader, depth + 1)
    unsupportedClause ??= 'LIMIT'
  }
  return { columns, from, where, orderBy, unsupportedClause }
}

function acceptQuantifier(reader: TokenReader): string | undefined {
  if (reader.accept('keyword', 'distinct')) return 'DISTINCT'
  if (reader.accept('keyword', 'value')) return 'SELECT VALUE'
  reader.accept('keyword', 'all')
  return undefined
}

function parseColumns(reader: TokenReader, parseExpression: ParseExpression, depth: number): readonly Column[] {
  const columns: Column[] = []
  do {
    const { at } = reader.current
    if (reader.accept('operator', '*')) columns.push({ expression: { kind: 'star', at }, aliased: false })
    else columns.push({ expression: parseExpression(reader, depth + 1), aliased: acceptAlias(reader) })
  } while (reader.accept('punctuation', ','))
  return columns
}

function parseSource(reader: TokenReader, parseExpression: ParseExpression, depth: number): Target {
  return { path: parseExpression(reader, depth + 1, 70), aliased: acceptAlias(reader) }
}

/** `AS t`, `AT i`, `BY k` or a bare name after a table. Another keyword belongs to what follows. */
export function acceptAlias(reader: TokenReader): boolean {
  let aliased = false
  for (const word of ['as', 'at', 'by']) {
    if (!reader.accept('keyword', word)) continue
    if (!reader.isName) throw malformed('Expected identifier for alias')
    reader.take()
    aliased = true
  }
  if (aliased || !reader.isName || reader.isWord('returning')) return aliased
  reader.take()
  return true
}

function parseOrderBy(reader: TokenReader, parseExpression: ParseExpression, depth: number): readonly OrderTerm[] {
  if (!reader.accept('keyword', 'order')) return []
  reader.expect('keyword', 'by')
  const terms: OrderTerm[] = []
  do {
    const expression = parseExpression(reader, depth + 1)
    const descending = reader.accept('keyword', 'desc')
    if (!descending) reader.accept('keyword', 'asc')
    terms.push({ expression, descending })
  } while (reader.accept('punctuation', ','))
  return terms
}

function isJoin(reader: TokenReader): boolean {
  const { kind, text } = reader.current
  return kind === 'keyword' && ['join', 'inner', 'left', 'right', 'full', 'outer', 'cross'].includes(text)
}
