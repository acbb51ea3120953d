import { isOnDemand } from '../../api/table-facts.ts'
import type { TableSummary } from './table-summaries.ts'

export const sortColumns = ['name', 'items', 'size', 'indexes', 'billing'] as const
export type SortColumn = (typeof sortColumns)[number]

/** Tables whose name has all of the words, in the order of a column. */
export function sortSummaries(
  summaries: readonly TableSummary[],
  filter: string,
  column: SortColumn,
  isDescending: boolean,
): TableSummary[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = summaries.filter(({ table }) => {
    const name = table.TableName.toLowerCase()
    return words.every((word) => name.includes(word))
  })
  const direction = isDescending ? -1 : 1
  return found.toSorted((a, b) => direction * compare(a, b, column) || compareNames(a, b))
}

export function indexCount({ table }: TableSummary): number {
  return (table.GlobalSecondaryIndexes?.length ?? 0) + (table.LocalSecondaryIndexes?.length ?? 0)
}

function compare(a: TableSummary, b: TableSummary, column: SortColumn): number {
  switch (column) {
    case 'name':
      return compareNames(a, b)
    case 'items':
      return a.table.ItemCount - b.table.ItemCount
    case 'size':
      return a.table.TableSizeBytes - b.table.TableSizeBytes
    case 'indexes':
      return indexCount(a) - indexCount(b)
    case 'billing':
      return Number(isOnDemand(a.table)) - Number(isOnDemand(b.table))
  }
}

function compareNames(a: TableSummary, b: TableSummary): number {
  return a.table.TableName < b.table.TableName ? -1 : 1
}
