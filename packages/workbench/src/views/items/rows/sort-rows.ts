import { attributeOf, compareScalars, typeOf, type AttributeValue, type Item } from '@hashrange/core'
import { previewOf } from '../../../values/preview.ts'

export interface RowSort {
  /** Of the column, which is that of an attribute (`a:total`) or says what items are. */
  readonly columnId: string
  readonly isDescending: boolean
}

/** Rows by what a column shows: numbers as numbers, types one after the other. Those that have nothing there are last, whichever the
 *  direction. */
export function sortRows(
  rows: readonly Item[],
  { columnId, isDescending }: RowSort,
  entityName: (item: Item) => string | undefined,
): readonly Item[] {
  const name = columnId.startsWith('a:') ? columnId.slice(2) : undefined
  const valueOf = (row: Item): AttributeValue | undefined => {
    if (name !== undefined) return attributeOf(row, name)
    const entity = entityName(row)
    return entity === undefined ? undefined : { S: entity }
  }
  return rows.toSorted((a, b) => {
    const left = valueOf(a)
    const right = valueOf(b)
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    const order = compare(left, right)
    return isDescending ? -order : order
  })
}

/** What a click on a head does to the order: up, down, as it was. */
export function nextSort(sort: RowSort | undefined, columnId: string): RowSort | undefined {
  if (sort?.columnId !== columnId) return { columnId, isDescending: false }
  return sort.isDescending ? undefined : { columnId, isDescending: true }
}

const typeOrder = ['N', 'S', 'BOOL', 'B', 'NULL', 'NS', 'SS', 'BS', 'L', 'M']

function compare(a: AttributeValue, b: AttributeValue): number {
  const [left, right] = [typeOf(a), typeOf(b)]
  if (left !== right) return typeOrder.indexOf(left) - typeOrder.indexOf(right)
  const order = compareScalars(a, b)
  if (order !== undefined) return order
  const [one, other] = [previewOf(a, 400), previewOf(b, 400)]
  return one < other ? -1 : one > other ? 1 : 0
}
