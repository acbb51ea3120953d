import type { ReactNode } from 'react'

/** The columns that stay at the left while the others are scrolled. */
export interface PinnedBand {
  /** What stands before the first column. */
  readonly leftPx: number
  readonly pinned: number
  readonly pinnedPx: number
}

interface Across {
  readonly index: number
  readonly start: number
  readonly size: number
}

/** The cells of a row or of the head: those that are pinned in a band of their own, the others at their places. */
export function PinnedCells<Cell extends Across>({
  band,
  across,
  children,
}: {
  readonly band: PinnedBand
  readonly across: readonly Cell[]
  readonly children: (cell: Cell, leftPx: number) => ReactNode
}) {
  const { leftPx, pinned, pinnedPx } = band
  return (
    <>
      {pinned > 0 && (
        <div
          className="grid-pinned"
          style={{ width: pinnedPx, left: leftPx, marginLeft: leftPx === selectPx ? 0 : leftPx }}
        >
          {across.filter(({ index }) => index < pinned).map((cell) => children(cell, cell.start - leftPx))}
        </div>
      )}
      {across.filter(({ index }) => index >= pinned).map((cell) => children(cell, cell.start))}
    </>
  )
}

/** How wide the boxes are that rows are selected by. */
export const selectPx = 36
