import { unreachable } from '../errors.ts'
import type { Group } from './expression-reader.ts'
import { ExpressionReader } from './expression-reader.ts'
import type {
  ParsedAction,
  ParsedClause,
  ParsedPlaceholder,
  ParsedUpdate,
  ParsedUpdateValue,
  Section,
} from './parse-tree.ts'

/** Parses clauses in any order. That each may occur only once is not part of the syntax: see check-functions.ts. */
export function parseUpdate(text: string): ParsedUpdate {
  const reader = new ExpressionReader('UpdateExpression', text)
  const clauses: ParsedClause[] = []
  do clauses.push(readClause(reader))
  while (reader.next !== 'end')
  reader.assertOperatorCount()
  return { clauses }
}

function readClause(reader: ExpressionReader): ParsedClause {
  const section = readSection(reader)
  const actions = [readAction(reader, section)]
  while (reader.accept(',')) actions.push(readAction(reader, section))
  return { section, actions }
}

function readSection(reader: ExpressionReader): Section {
  const section = reader.next
  if (section !== 'SET' && section !== 'REMOVE' && section !== 'ADD' && section !== 'DELETE') {
    throw reader.unexpected()
  }
  reader.take()
  return section
}

function readAction(reader: ExpressionReader, section: Section): ParsedAction {
  const path = reader.path()
  switch (section) {
    case 'SET':
      reader.expect('=')
      return { kind: 'set', path, value: ungrouped(readValue(reader)) }
    case 'REMOVE':
      return { kind: 'remove', path }
    case 'ADD':
      return { kind: 'add', path, value: readPlaceholder(reader) }
    case 'DELETE':
      return { kind: 'delete', path, value: readPlaceholder(reader) }
    default:
      return unreachable(section)
  }
}

function readPlaceholder(reader: ExpressionReader): ParsedPlaceholder {
  return { kind: 'placeholder', placeholder: reader.expect('placeholder').text }
}

/** `operand`, `operand + operand` or either in parentheses; a sum takes two operands and no more. */
function readValue(reader: ExpressionReader): ParsedUpdateValue | Group<ParsedUpdateValue> {
  const first =
    reader.next === '(' ? reader.group<ParsedUpdateValue>(() => readValue(reader)) : reader.bareOperand()
  const left = ungrouped(first)
  const operator = reader.next
  if (left.kind === 'arithmetic' || (operator !== '+' && operator !== '-')) return first
  reader.take()
  reader.countOperator()
  return { kind: 'arithmetic', operator, left, right: reader.operand() }
}

function ungrouped(value: ParsedUpdateValue | Group<ParsedUpdateValue>): ParsedUpdateValue {
  return value.kind === 'group' ? value.inner : value
}
