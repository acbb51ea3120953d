import type { Item } from '@hashrange/core'
import { useMemo } from 'react'
import { sortRows, type RowSort } from './sort-rows.ts'
import type { SourceRows } from './use-source-rows.ts'

/** The rows that are loaded, in an order of their own; all rows in the order of the table without one. */
export function useSortedRows(
  rows: SourceRows,
  sort: RowSort | undefined,
  entityName: (item: Item) => string | undefined,
): SourceRows {
  const sortText = JSON.stringify(sort)
  const sorted = useMemo(
    () => (sort === undefined ? undefined : sortRows(rows.loaded(), sort, entityName)),
    // Rows that come or change are sorted in.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [sortText, rows.loaded, rows.version, entityName],
  )
  return useMemo(() => {
    if (sorted === undefined) return rows
    return {
      ...rows,
      rowCount: sorted.length,
      rowAt: (index) => sorted[index],
      loaded: () => sorted,
      // What is not loaded is not sorted: nothing comes by scrolling.
      need: () => undefined,
      isComplete: rows.isComplete && sorted.length >= rows.rowCount,
    }
    // The rest of it changes with the version.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [sorted, rows.version, rows.isLoading, rows.error])
}
