import type { GridColumn } from './grid-column.ts'

export interface GridSort {
  readonly columnId: string
  readonly isDescending: boolean
}

/** The head of a column: it can be sorted by and made wider or narrower. */
export function GridHeadCell<Row>({
  column,
  index,
  startPx,
  widthPx,
  sort,
  onSort,
  onResize,
}: {
  readonly column: GridColumn<Row>
  readonly index: number
  readonly startPx: number
  readonly widthPx: number
  readonly sort: GridSort | undefined
  readonly onSort: ((columnId: string) => void) | undefined
  readonly onResize: (px: number) => void
}) {
  const isSorted = sort?.columnId === column.id
  const content = (
    <>
      <span className="truncate" title={column.header}>
        {column.header}
      </span>
      {column.headerNote}
      {isSorted && <span aria-hidden>{sort.isDescending ? '↓' : '↑'}</span>}
    </>
  )
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
      className={`grid-head-cell ${column.align === 'end' ? 'is-end' : ''}`}
      style={{ left: startPx, width: widthPx }}
    >
      {onSort === undefined ? (
        content
      ) : (
        <button type="button" className="grid-sort" tabIndex={-1} onClick={() => onSort(column.id)}>
          {content}
        </button>
      )}
      <span
        className="grid-resize"
        aria-hidden
        onPointerDown={(event) => {
          event.preventDefault()
          const handle = event.currentTarget
          handle.setPointerCapture(event.pointerId)
          const fromPx = event.clientX
          const resize = (moved: PointerEvent): void => {
            onResize(Math.max(48, widthPx + moved.clientX - fromPx))
          }
          handle.addEventListener('pointermove', resize)
          handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', resize), {
            once: true,
          })
        }}
      />
    </div>
  )
}
