import { attributeOf, type Item } from '@hashrange/core'
import { keysOfSource } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import type { useLink } from '../../../state/links.ts'
import { partitionParameters } from '../../query/asked/query-url.ts'
import { keyValueText } from '../../../values/key-value-text.ts'

/** The Query view, filled in with the partition of an item. */
export function queryLink(
  link: ReturnType<typeof useLink>,
  table: TableDescription,
  indexName: string | undefined,
  item: Item,
): string {
  const { partition } = keysOfSource(table, indexName)
  const values = partition.map((name) => keyValueText(attributeOf(item, name)))
  return link('query', table.TableName, partitionParameters(indexName, values))
}
