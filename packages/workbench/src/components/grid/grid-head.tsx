import type { VirtualItem } from '@tanstack/react-virtual'
import type { GridColumn } from './grid-column.ts'
import { GridHeadCell, type GridSort } from './grid-head-cell.tsx'
import type { GridSelection } from './grid-selection.ts'
import { PinnedCells, type PinnedBand } from './pinned-band.tsx'

export interface GridHeadProps<Row> {
  readonly columns: readonly GridColumn<Row>[]
  readonly across: readonly VirtualItem[]
  readonly band: PinnedBand
  readonly widthPx: number
  /** Nothing where rows cannot be selected. */
  readonly selection: GridSelection | undefined
  readonly sort: GridSort | undefined
  readonly onSort: ((columnId: string) => void) | undefined
  readonly onResize: (columnId: string, px: number) => void
}

/** The names of the columns. */
export function GridHead<Row>(props: GridHeadProps<Row>) {
  const { columns, across, widthPx, selection } = props
  return (
    <div className="grid-head" role="row" aria-rowindex={1} style={{ width: widthPx }}>
      {selection !== undefined && (
        <span className="grid-select" role="columnheader" aria-label="Selection">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select all loaded rows"
            checked={selection.areAllSelected}
            onChange={selection.areAllSelected ? selection.clear : selection.selectLoaded}
          />
        </span>
      )}
      <PinnedCells band={props.band} across={across}>
        {({ index, size }, leftPx) => {
          const column = columns[index]
          if (column === undefined) return null
          return (
            <GridHeadCell
              key={column.id}
              column={column}
              index={index}
              startPx={leftPx}
              widthPx={size}
              sort={props.sort}
              onSort={props.onSort}
              onResize={(px) => props.onResize(column.id, px)}
            />
          )
        }}
      </PinnedCells>
    </div>
  )
}
