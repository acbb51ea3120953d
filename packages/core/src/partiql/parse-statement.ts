import { ParseCache } from '../expressions/parse-cache.ts'
import { parseExpression, parseSimplePath } from './parse-expression.ts'
import { acceptAlias, parseSelect } from './parse-select.ts'
import { malformed, MalformedStatement } from './statement-errors.ts'
import type { Change, Expression, Returning, Statement, Target } from './syntax.ts'
import { TokenReader } from './token-reader.ts'

/** Parses a statement, or takes it from the cache: applications send the same few with different parameters. */
export function parseStatement(text: string): Statement {
  return cache.get(text)
}

const cache = new ParseCache('Statement', (text) => {
  const reader = new TokenReader(text)
  try {
    const statement = parse(reader)
    reader.expectEnd()
    return statement
  } catch (error) {
    if (error instanceof MalformedStatement) error.at ??= reader.current.at
    throw error
  }
})

function parse(reader: TokenReader): Statement {
  const { kind, text } = reader.current
  if (kind === 'keyword') {
    switch (text) {
      case 'select':
        return { kind: 'select', select: parseSelect(reader, parseExpression) }
      case 'insert':
        return parseInsert(reader)
      case 'update':
        return parseUpdate(reader)
      case 'delete':
        return parseDelete(reader)
      case 'from':
        return parseFromFirst(reader)
      default:
    }
  }
  return ofExpression(parseExpression(reader))
}

function parseInsert(reader: TokenReader): Statement {
  reader.take()
  reader.expect('keyword', 'into')
  const target = { path: parseSimplePath(reader), aliased: false }
  if (reader.accept('keyword', 'value')) return { kind: 'insert', target, value: parseExpression(reader) }
  // The language has other forms of INSERT; the service does not.
  parseExpression(reader)
  return { kind: 'unsupported', operation: 'InsertOp' }
}

function parseUpdate(reader: TokenReader): Statement {
  reader.take()
  const target = parseTarget(reader)
  const changes = parseChanges(reader)
  const where = parseWhere(reader)
  return { kind: 'update', target, changes, where, returning: parseReturning(reader) }
}

/** `FROM "t" WHERE … SET …`, another order of an UPDATE. */
function parseFromFirst(reader: TokenReader): Statement {
  reader.take()
  const target = parseTarget(reader)
  const where = parseWhere(reader)
  const changes = parseChanges(reader)
  return { kind: 'update', target, changes, where, returning: parseReturning(reader) }
}

function parseDelete(reader: TokenReader): Statement {
  reader.take()
  reader.expect('keyword', 'from')
  const target = parseTarget(reader)
  const where = parseWhere(reader)
  return { kind: 'delete', target, where, returning: parseReturning(reader) }
}

function parseTarget(reader: TokenReader): Target {
  return { path: parseSimplePath(reader), aliased: acceptAlias(reader) }
}

function parseWhere(reader: TokenReader): Expression | undefined {
  return reader.accept('keyword', 'where') ? parseExpression(reader) : undefined
}

function parseChanges(reader: TokenReader): readonly Change[] {
  const changes: Change[] = []
  for (;;) {
    if (reader.accept('keyword', 'set')) {
      do {
        const path = parseSimplePath(reader)
        reader.expect('operator', '=')
        changes.push({ kind: 'set', path, value: parseExpression(reader) })
      } while (reader.accept('punctuation', ','))
    } else if (reader.accept('keyword', 'remove')) {
      changes.push({ kind: 'remove', path: parseSimplePath(reader) })
    } else {
      if (changes.length === 0) throw malformed('Expected data manipulation')
      return changes
    }
  }
}

function parseReturning(reader: TokenReader): Returning | undefined {
  if (!reader.isWord('returning')) return undefined
  reader.take()
  const what = reader.accept('keyword', 'all') ? 'ALL' : 'MODIFIED'
  if (what === 'MODIFIED') acceptWord(reader, 'modified')
  const when = reader.isWord('old') ? 'OLD' : 'NEW'
  acceptWord(reader, when.toLowerCase())
  reader.expect('operator', '*')
  return { what, when }
}

function acceptWord(reader: TokenReader, word: string): void {
  if (!reader.isWord(word)) throw malformed('Expected returning clause')
  reader.take()
}

/** Outside of statements there is only `EXISTS(SELECT …)`. */
function ofExpression(expression: Expression): Statement {
  if (expression.kind === 'call' && expression.name === 'exists') {
    const [only, ...rest] = expression.operands
    if (only?.kind === 'select' && rest.length === 0) return { kind: 'exists', select: only.select }
  }
  return { kind: 'unsupported', operation: operationNames[expression.kind] }
}

const operationNames: Readonly<Record<Expression['kind'], string>> = {
  string: 'Literal',
  number: 'Literal',
  boolean: 'Literal',
  null: 'Literal',
  missing: 'LiteralMissing',
  list: 'Seq',
  bag: 'Seq',
  tuple: 'Struct',
  parameter: 'Parameter',
  path: 'VariableReference',
  call: 'NAry',
  and: 'NAry',
  or: 'NAry',
  not: 'NAry',
  compare: 'NAry',
  between: 'NAry',
  in: 'NAry',
  is: 'IsType',
  operation: 'NAry',
  star: 'VariableReference',
  select: 'Select',
}
