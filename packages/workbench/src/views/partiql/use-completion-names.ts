import { useRef, type RefObject } from 'react'
import { useTableNames } from '../../api/queries.ts'
import { indexesOf } from '../../api/table-facts.ts'
import type { Item, TableDescription } from '../../api-types.ts'
import { keyShapeOf } from '../query/draft/key-schema.ts'
import type { CompletionNames } from './complete-partiql.ts'

const mostItems = 50
const mostAttributes = 200

/** What names there are to complete: tables, the table's indexes, and attributes as its keys and the results have them. */
export function useCompletionNames(
  table: TableDescription | undefined,
  items: readonly Item[] = [],
): RefObject<CompletionNames> {
  const tables = useTableNames().data ?? []
  const names = useRef<CompletionNames>({ tables: [], indexes: [], attributes: [] })
  const key = table === undefined ? undefined : keyShapeOf(table, '')
  const keys = new Map<string, string>()
  for (const { name } of key?.partition ?? []) keys.set(name, 'partition key')
  for (const { name } of key?.sort ?? []) keys.set(name, 'sort key')
  for (const { AttributeName } of table?.AttributeDefinitions ?? []) {
    if (!keys.has(AttributeName)) keys.set(AttributeName, 'key of an index')
  }
  for (const item of items.slice(0, mostItems)) {
    for (const name of Object.keys(item)) {
      if (!keys.has(name) && keys.size < mostAttributes) keys.set(name, 'attribute')
    }
  }
  names.current = {
    tables,
    indexes:
      table === undefined
        ? []
        : indexesOf(table).map(({ IndexName }) => ({ table: table.TableName, index: IndexName })),
    attributes: [...keys].map(([name, detail]) => ({ name, detail })),
  }
  return names
}
