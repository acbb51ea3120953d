import { attributeOf, type Item } from '@hashrange/core'
import type { Source } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { needsEscapes } from '../editor/text-escape.ts'

/** Text beyond this is edited in the item, where there is room for it. */
const mostCharacters = 2000

/** Whether a cell is edited in the grid. Keys are not changed; a row of an index that has not the whole item does not tell what else there
 *  is; and text that a box would change needs the editor of the item. */
export function isEditedHere(
  table: TableDescription,
  source: Source | undefined,
  row: Item,
  columnId: string,
): boolean {
  if (!columnId.startsWith('a:')) return false
  const name = columnId.slice(2)
  if (table.KeySchema.some(({ AttributeName }) => AttributeName === name)) return false
  if (source?.projection !== undefined && source.projection.ProjectionType !== 'ALL') return false
  const value = attributeOf(row, name)
  if (value === undefined || !('S' in value)) return true
  return value.S.length <= mostCharacters && !needsEscapes(value.S)
}
