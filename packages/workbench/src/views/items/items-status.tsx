import { formatCount } from '../../values/format.ts'
import type { RowSort } from './rows/sort-rows.ts'
import type { SourceRows } from './rows/use-source-rows.ts'

export interface ItemsStatusProps {
  readonly rows: SourceRows
  readonly inSight: readonly [number, number]
  readonly isFound: boolean
  readonly isFiltered: boolean
  readonly sort: RowSort | undefined
  readonly onUnsort: () => void
}

/** Which rows are in sight, and what it took to find them. */
export function ItemsStatus({ rows, inSight, isFound, isFiltered, sort, onUnsort }: ItemsStatusProps) {
  return (
    <div className="items-status" role="status" aria-live="off">
      <span className="number">{sightText(inSight, rows, isFound, sort !== undefined)}</span>
      {sort !== undefined && (
        <span className="items-sorted">
          Sorted by {sort.columnId.replace(/^a:/, '').slice(0, 60)}:{' '}
          {rows.isComplete ? 'all rows' : `only the ${formatCount(rows.rowCount)} rows that are loaded`}
          <button type="button" className="items-unsort" onClick={onUnsort}>
            Table order
          </button>
        </span>
      )}
      {isFiltered && (
        <span className="number">
          a filter reads all it passes over: {formatCount(rows.scannedItems)} items read
        </span>
      )}
      {rows.isLoading && <span>loading …</span>}
    </div>
  )
}

function sightText(
  [first, last]: readonly [number, number],
  rows: SourceRows,
  isFound: boolean,
  isSorted: boolean,
): string {
  if (rows.rowCount === 0) return ''
  const about = rows.isCounted || isSorted ? '' : 'about '
  const end = Math.min(last, rows.rowCount - 1) + 1
  const total =
    rows.isComplete || isSorted
      ? `of ${formatCount(rows.rowCount)}`
      : isFound
        ? `of ${formatCount(rows.rowCount)} so far`
        : `of about ${formatCount(rows.rowCount)}`
  return `rows ${about}${formatCount(first + 1)}–${formatCount(end)} ${total}`
}
