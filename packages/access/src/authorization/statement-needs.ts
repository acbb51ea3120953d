import {
  conditionPaths,
  pathHead,
  updatePaths,
  type AttributeValue,
  type Condition,
  type Operand,
} from '@hashrange/core'
import {
  parseStatement,
  planReads,
  readParameters,
  selectColumns,
  targetNames,
  translateCondition,
  translateItem,
  translateUpdate,
  type Select,
  type Statement,
} from '@hashrange/core/partiql'
import { readInput } from '@hashrange/engine'
import { charge } from './item-needs.ts'
import { ItemKeys, type ItemFacts } from './item-keys.ts'
import { keyValues, textOfKey } from './key-values.ts'
import type { AskedOperation, Need, NeedsOf } from './need.ts'
import { keySchemaOf, resourceOf } from './page-needs.ts'
import { tableReference } from './table-reference.ts'

/** What PartiQL needs: an action for each kind of statement, on the table or index that it names. A statement that cannot be
 *  read is refused here, as it would be later: nothing of a table is needed to say so. */
export const statementNeeds: Readonly<Record<string, NeedsOf>> = {
  ExecuteStatement: (asked) => {
    const input = readInput('ExecuteStatement', asked.body)
    return statementNeed(asked, input, { returnConsumedCapacity: charge(input) })
  },

  BatchExecuteStatement: (asked) => needsOfStatements(asked).flatMap((needs) => needs()),

  ExecuteTransaction: (asked) => {
    const input = readInput('ExecuteTransaction', asked.body)
    const enclosing = { enclosingOperation: 'ExecuteTransaction', returnConsumedCapacity: charge(input) }
    return input.TransactStatements.flatMap((statement) => statementNeed(asked, statement, enclosing))
  },
}

/** What each statement of a batch needs: they are allowed or refused one by one. */
export function needsOfStatements(asked: AskedOperation): readonly (() => readonly Need[])[] {
  const input = readInput('BatchExecuteStatement', asked.body)
  const facts = { returnConsumedCapacity: charge(input) }
  return input.Statements.map((statement) => () => statementNeed(asked, statement, facts))
}

interface SentStatement {
  readonly Statement: string
  readonly Parameters?: readonly unknown[]
  readonly ReturnValuesOnConditionCheckFailure?: string
}

function statementNeed(asked: AskedOperation, sent: SentStatement, facts: ItemFacts): readonly Need[] {
  const statement = parseStatement(sent.Statement)
  // Whatever it is, it is no statement for a table, and will be refused.
  if (statement.kind === 'unsupported') return []
  const parameters = readParameters(sent.Parameters)
  const isRead = statement.kind === 'select' || statement.kind === 'exists'
  const names = targetNames(isRead ? statement.select.from : statement.target)
  const table = tableReference(asked.scope, names.tableName)
  const key = (): readonly string[] => keySchemaOf(asked, table, names.indexName)?.hash ?? []
  const own: ItemFacts = isRead
    ? selectFacts(statement.select, parameters, key)
    : { ...writeFacts(statement, parameters, key), ...returned(statement, sent) }
  return [
    {
      action: actions[statement.kind],
      resource: resourceOf(table, names.indexName),
      table,
      keys: new ItemKeys({ ...facts, ...own }),
    },
  ]
}

const actions = {
  select: 'dynamodb:PartiQLSelect',
  exists: 'dynamodb:PartiQLSelect',
  insert: 'dynamodb:PartiQLInsert',
  update: 'dynamodb:PartiQLUpdate',
  delete: 'dynamodb:PartiQLDelete',
} as const

type KeyNames = () => readonly string[]

function selectFacts(select: Select, parameters: readonly AttributeValue[], key: KeyNames): ItemFacts {
  const where = (): Condition | undefined => select.where && translateCondition(select.where, parameters)
  const values = (): readonly string[] | undefined => {
    const [hash] = key()
    return hash === undefined ? undefined : partitionsOf(where(), hash)
  }
  const columns = (): readonly string[] => selectColumns(select)?.map(({ path }) => pathHead(path)) ?? []
  return {
    partitionValues: () => listed(values()),
    isFullTableScan: () => values() === undefined,
    attributes: () => [...new Set([...columns(), ...namesIn(where())])],
    select: select.columns.every(({ expression }) => expression.kind === 'star')
      ? 'ALL_ATTRIBUTES'
      : 'SPECIFIC_ATTRIBUTES',
  }
}

type WriteStatement = Exclude<Statement, { readonly kind: 'select' | 'exists' | 'unsupported' }>

function writeFacts(statement: WriteStatement, parameters: readonly AttributeValue[], key: KeyNames): ItemFacts {
  if (statement.kind === 'insert') {
    const item = (): Readonly<Record<string, unknown>> => translateItem(statement.value, parameters)
    return {
      partitionValues: () => key().map((attribute) => keyValues([item()], attribute)),
      attributes: () => Object.keys(item()),
    }
  }
  const where = (): Condition | undefined => statement.where && translateCondition(statement.where, parameters)
  const updated = (): readonly string[] =>
    statement.kind === 'update' ? updatePaths(translateUpdate(statement.changes, parameters)).map(pathHead) : []
  return {
    partitionValues: () => {
      const [hash] = key()
      return hash === undefined ? undefined : listed(partitionsOf(where(), hash))
    },
    attributes: () => [...new Set([...updated(), ...namesIn(where())])],
  }
}

/** The partitions that a WHERE clause names; nothing if it may be true of any. Every value that the key is compared with counts, also
 *  where another one contradicts it: reads and writes choose differently among them. */
function partitionsOf(where: Condition | undefined, hash: string): readonly string[] | undefined {
  if (where === undefined || planReads(where, { hash, range: undefined }).kind === 'scan') return undefined
  const values = new Set<string>()
  collectEqual(where, hash, values)
  return [...values]
}

/** Recursion is bounded by the parser. */
function collectEqual(condition: Condition, hash: string, values: Set<string>): void {
  if (condition.kind === 'and' || condition.kind === 'or') {
    for (const term of condition.terms) collectEqual(term, hash, values)
  } else if (condition.kind === 'compare') {
    const { left, right } = condition
    if (isAttribute(left, hash)) addValue(right, values)
    if (isAttribute(right, hash)) addValue(left, values)
  } else if (condition.kind === 'in' && isAttribute(condition.operand, hash)) {
    for (const candidate of condition.candidates) addValue(candidate, values)
  }
}

function isAttribute(operand: Operand, name: string): boolean {
  return operand.kind === 'path' && operand.path.length === 1 && pathHead(operand.path) === name
}

function addValue(operand: Operand, values: Set<string>): void {
  if (operand.kind === 'value') values.add(textOfKey(operand.value))
}

function listed(values: readonly string[] | undefined): readonly (readonly string[])[] | undefined {
  return values && [values]
}

function namesIn(condition: Condition | undefined): readonly string[] {
  return condition === undefined ? [] : conditionPaths(condition).map(pathHead)
}

function returned(
  statement: WriteStatement,
  { ReturnValuesOnConditionCheckFailure: onFailure }: SentStatement,
): ItemFacts {
  if (onFailure === 'ALL_OLD') return { returnValues: onFailure }
  const returning = statement.kind === 'insert' ? undefined : statement.returning
  if (returning === undefined) return { returnValues: 'NONE' }
  return { returnValues: `${returning.what === 'ALL' ? 'ALL' : 'UPDATED'}_${returning.when}` }
}
