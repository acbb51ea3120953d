import { attributeOf, type Item } from '@hashrange/core'
import { keysOfSource } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api/types.ts'
import type { useLink } from '../../state/links.ts'

/** The Query view, filled in with the partition of an item, and its sort key if it is one item that is meant. */
export function queryLink(
  link: ReturnType<typeof useLink>,
  table: TableDescription,
  indexName: string | undefined,
  item: Item,
): string {
  const { partition } = keysOfSource(table, indexName)
  const [first = ''] = partition
  return link('query', table.TableName, { index: indexName, pk: textOf(item, first) })
}

function textOf(item: Item, name: string): string | undefined {
  const value = attributeOf(item, name)
  if (value === undefined) return undefined
  return 'S' in value ? value.S : 'N' in value ? value.N : 'B' in value ? value.B : undefined
}
