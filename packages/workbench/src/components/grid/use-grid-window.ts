import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
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
  /** How many of the first columns should stay in sight. */
  readonly pinnable: number
  /** Columns are measured again when one of these is another. */
  readonly widths: ColumnWidths
  readonly measured: unknown
  readonly onSight: ((first: number, last: number, firstShown: number, lastShown: number) => void) | undefined
}

/** The rows and columns that are in sight or nearly so: only they exist. */
export function useGridWindow(options: GridWindowOptions): GridWindow {
  const { scroller, rowCount, columnCount, leftPx, widthOf, widths, measured, onSight } = options
  const [roomPx, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const watch = new ResizeObserver(() => setRoom(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [scroller])
  const { count: pinned, widthPx: pinnedPx } = pinnedColumns(options.pinnable, widthOf, roomPx - leftPx)
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
    scrollPaddingStart: leftPx + pinnedPx,
    overscan: 2,
    rangeExtractor: (range) => [
      ...Array.from({ length: Math.min(pinned, columnCount) }, (_, index) => index),
      ...defaultRangeExtractor(range).filter((index) => index >= pinned),
    ],
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
  return { rows, across, pinned, pinnedPx }
}

export interface GridWindow {
  readonly rows: Axis
  readonly across: Axis
  /** How many columns stay in sight, and how wide they are together. */
  readonly pinned: number
  readonly pinnedPx: number
}

/** What is pinned leaves room for what is scrolled: on a phone that may be none of it. */
const mostOfRoom = 0.62

function pinnedColumns(pinnable: number, widthOf: (column: number) => number, roomPx: number) {
  let [count, widthPx] = [0, 0]
  while (count < pinnable && widthPx + widthOf(count) <= roomPx * mostOfRoom) widthPx += widthOf(count++)
  return { count, widthPx }
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
