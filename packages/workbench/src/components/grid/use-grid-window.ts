import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { ColumnWidths } from './use-column-widths.ts'

export const rowPx = 30

type Scroller = RefObject<HTMLDivElement | null>
type Axis = Virtualizer<HTMLDivElement, Element>

export interface GridWindowOptions {
  readonly scroller: Scroller
  readonly rowCount: number
  readonly columnCount: number
  /** What stands before the first column. */
  readonly leftPx: number
  readonly widthOf: (column: number) => number
  /** Columns are measured again when one of these is another. */
  readonly widths: ColumnWidths
  readonly measured: unknown
  readonly onSight: ((first: number, last: number, firstShown: number, lastShown: number) => void) | undefined
}

/** The rows and columns that are in sight or nearly so: only they exist. */
export function useGridWindow(options: GridWindowOptions): { readonly rows: Axis; readonly across: Axis } {
  const { scroller, rowCount, columnCount, leftPx, widthOf, widths, measured, onSight } = options
  const rows: Axis = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  })
  const across: Axis = useVirtualizer({
    horizontal: true,
    count: columnCount,
    getScrollElement: () => scroller.current,
    estimateSize: widthOf,
    paddingStart: leftPx,
    overscan: 2,
  })
  useEffect(() => across.measure(), [across, measured, widths])

  const seen = rows.getVirtualItems()
  const first = seen[0]?.index ?? 0
  const last = seen.at(-1)?.index ?? 0
  const firstShown = rows.range?.startIndex ?? first
  const lastShown = rows.range?.endIndex ?? last
  useEffect(() => {
    if (rowCount > 0) onSight?.(first, last, firstShown, lastShown)
  }, [first, last, firstShown, lastShown, rowCount, onSight])
  return { rows, across }
}

/** Keeps in sight what is in sight when rows have come or gone above it. */
export function useShift(scroller: Scroller, shift: number, onMoved: (rows: number) => void): void {
  const shown = useRef(shift)
  useLayoutEffect(() => {
    const moved = shift - shown.current
    shown.current = shift
    if (moved === 0 || scroller.current === null) return
    scroller.current.scrollTop += moved * rowPx
    onMoved(moved)
  }, [shift])
}
