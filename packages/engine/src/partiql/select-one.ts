import { setAttribute, validationException, type AttributeValue, type Item } from '@hashrange/core'
import { planReads, selectColumns, type KeyedRead, type SelectedColumn } from '@hashrange/core/partiql'
import type { Table } from '../catalog/table.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import type { PreparedSelect } from './prepared-statement.ts'
import { rangeReads } from './range-reads.ts'
import { readKeyOf, statementSource } from './statement-source.ts'

/** The one item that a SELECT reads, and which of its attributes it returns. */
export interface SelectedItem {
  readonly table: Table
  readonly tableName: string
  readonly key: Item
  readonly columns: readonly SelectedColumn[] | undefined
}

/** Reads a SELECT that may only name one item, as in batches and transactions: its WHERE clause is the primary key,
 *  and nothing else. The caller checks whether the key values have the right types. */
export function selectOne(
  table: Table,
  statement: PreparedSelect,
  operation: 'BatchExecuteStatement' | 'ExecuteTransaction',
): SelectedItem {
  const source = statementSource(table, statement.indexName, false)
  const columns = selectColumns(statement.select)
  checkKeyPaths(table, columns?.map(({ path }) => path) ?? [])
  const plan = planReads(statement.where, readKeyOf(source))
  const [read, ...more] = plan.kind === 'reads' ? plan.reads : []
  if (read !== undefined && more.length > 0) rangeReads(source, [read, ...more])
  const key = read !== undefined && more.length === 0 && source.index === undefined ? keyOf(table, read) : undefined
  if (key !== undefined) return { table, tableName: statement.tableName, key, columns }
  throw validationException(
    `Select statements within ${operation} must specify the primary key in the where clause.`,
  )
}

function keyOf(table: Table, { hashValue, rangeTerms, filter }: KeyedRead): Item | undefined {
  const [hash = ''] = table.keySchema.hash
  const [range] = table.keySchema.range
  if (filter !== undefined) return undefined
  const key: Record<string, AttributeValue> = {}
  setAttribute(key, hash, hashValue)
  if (range === undefined) return key
  const [term, ...others] = rangeTerms
  const [value] = term?.values ?? []
  if (term?.operator !== '=' || value === undefined || others.length > 0) return undefined
  setAttribute(key, range, value)
  return key
}
