import { formatCount } from '../../values/format.ts'
import type { SourceRows } from './rows/use-source-rows.ts'

export interface ItemsStatusProps {
  readonly rows: SourceRows
  readonly inSight: readonly [number, number]
  readonly isFound: boolean
  readonly isFiltered: boolean
}

/** Which rows are in sight, and what it took to find them. */
export function ItemsStatus({ rows, inSight, isFound, isFiltered }: ItemsStatusProps) {
  return (
    <div className="items-status" role="status" aria-live="off">
      <span className="number">{sightText(inSight, rows, isFound)}</span>
      {isFiltered && (
        <span className="number">
          a filter reads all it passes over: {formatCount(rows.scannedItems)} items read
        </span>
      )}
      {rows.isLoading && <span>loading …</span>}
    </div>
  )
}

function sightText([first, last]: readonly [number, number], rows: SourceRows, isFound: boolean): string {
  if (rows.rowCount === 0) return ''
  const about = rows.isCounted ? '' : 'about '
  const end = Math.min(last, rows.rowCount - 1) + 1
  const total = rows.isComplete
    ? `of ${formatCount(rows.rowCount)}`
    : isFound
      ? `of ${formatCount(rows.rowCount)} so far`
      : `of about ${formatCount(rows.rowCount)}`
  return `rows ${about}${formatCount(first + 1)}–${formatCount(end)} ${total}`
}
