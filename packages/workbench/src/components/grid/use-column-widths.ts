import { useMemo, useRef, useState } from 'react'
import { contentWidth } from './column-width.ts'
import type { GridColumn } from './grid-column.ts'

export type ColumnWidths = Readonly<Record<string, number>>

export interface ColumnWidthsOptions<Row> {
  readonly columns: readonly GridColumn<Row>[]
  readonly rowAt: (index: number) => Row | undefined
  readonly rowCount: number
  /** Those that the user has given, where they are kept. */
  readonly given: ColumnWidths | undefined
  readonly onGiven: ((widths: ColumnWidths) => void) | undefined
}

/** How wide columns are: as the user has made them, or as their first rows need. */
export function useColumnWidths<Row>({ columns, rowAt, rowCount, given, onGiven }: ColumnWidthsOptions<Row>) {
  const [own, setOwn] = useState<ColumnWidths>({})
  const widths = given ?? own
  const firstRow = rowAt(0)
  const known = useRef(new Map<string, number>())
  const measured = useMemo(
    () => {
      const sample = sampleOf(rowAt, rowCount)
      return columns.map((column) => {
        // The first rows may have been let go since.
        const before = sample.length === 0 ? known.current.get(column.id) : undefined
        const widthPx = column.widthPx ?? before ?? contentWidth(column, sample)
        known.current.set(column.id, widthPx)
        return widthPx
      })
    },
    // Measured on the first rows alone: columns that move while one scrolls are hard to read.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [columns, firstRow === undefined],
  )
  return {
    widths,
    measured,
    widthOf: (index: number): number => widths[columns[index]?.id ?? ''] ?? measured[index] ?? 120,
    resize: (columnId: string, px: number): void => {
      const next = { ...widths, [columnId]: px }
      setOwn(next)
      onGiven?.(next)
    },
  }
}

function sampleOf<Row>(rowAt: (index: number) => Row | undefined, rowCount: number): Row[] {
  const sample: Row[] = []
  for (let index = 0; index < Math.min(rowCount, 50); index++) {
    const row = rowAt(index)
    if (row !== undefined) sample.push(row)
  }
  return sample
}
