import { Pencil } from '../../icons/icons.generated.ts'
import type { CSSProperties } from 'react'
import type { GridColumn } from './grid-column.ts'
import { PinnedCells, type PinnedBand } from './pinned-band.tsx'
import { ValueCell } from '../values/value-cell.tsx'

export interface GridRowProps<Row> {
  /** Of the grid: cells are called after it. */
  readonly gridId: string
  readonly index: number
  readonly startPx: number
  /** Nothing while it is not loaded. */
  readonly row: Row | undefined
  readonly columns: readonly GridColumn<Row>[]
  /** The columns in sight. */
  readonly across: readonly { readonly index: number; readonly start: number; readonly size: number }[]
  readonly band: PinnedBand
  /** The column of the active cell, if it is in this row. */
  readonly activeColumn: number | undefined
  /** Undefined if rows cannot be selected. */
  readonly isSelected: boolean | undefined
  readonly className: string | undefined
  readonly style: CSSProperties | undefined
  readonly cellClass: ((row: Row, column: GridColumn<Row>) => string | undefined) | undefined
  /** Edits the active cell, where it can be. */
  readonly onEdit: (() => void) | undefined
  readonly onActive: (column: number) => void
  /** With `isRange`, from the row that was touched last. */
  readonly onToggle: (isRange: boolean) => void
  readonly onOpen: () => void
}

export function GridRow<Row>(props: GridRowProps<Row>) {
  const { gridId, index, row, columns, activeColumn, isSelected } = props
  const marks = `${isSelected === true ? 'is-selected' : ''} ${activeColumn === undefined ? '' : 'is-active'}`
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={`grid-row ${marks} ${props.className ?? ''}`}
      style={{ transform: `translateY(${String(props.startPx)}px)`, ...props.style }}
      onDoubleClick={props.onOpen}
    >
      {isSelected !== undefined && (
        <span className="grid-select" role="gridcell">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select row ${String(index + 1)}`}
            checked={isSelected}
            disabled={row === undefined}
            onChange={({ nativeEvent }) =>
              props.onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </span>
      )}
      <PinnedCells band={props.band} across={props.across}>
        {({ index: position, size }, left) => {
          const column = columns[position]
          if (column === undefined) return null
          const isActive = position === activeColumn
          return (
            <div
              key={column.id}
              id={cellId(gridId, index, position)}
              role="gridcell"
              aria-colindex={position + 1}
              className={`grid-cell ${isActive ? 'is-active' : ''} ${column.align === 'end' ? 'is-end' : ''} ${row === undefined ? '' : (props.cellClass?.(row, column) ?? '')}`}
              style={{ left, width: size }}
              onPointerDown={() => props.onActive(position)}
            >
              {row === undefined ? <span className="grid-placeholder" /> : <Cell column={column} row={row} />}
              {isActive && props.onEdit !== undefined && (
                <button
                  type="button"
                  className="grid-pencil"
                  tabIndex={-1}
                  aria-label={`Edit ${column.header}`}
                  title="Edit (F2)"
                  onClick={props.onEdit}
                  onDoubleClick={(event) => event.stopPropagation()}
                >
                  <Pencil aria-hidden />
                </button>
              )}
            </div>
          )
        }}
      </PinnedCells>
    </div>
  )
}

export function cellId(gridId: string, row: number, column: number): string {
  return `${gridId}-${String(row)}-${String(column)}`
}

function Cell<Row>({ column, row }: { readonly column: GridColumn<Row>; readonly row: Row }) {
  if (column.render !== undefined) return column.render(row)
  const value = column.value?.(row)
  if (value !== undefined) return <ValueCell value={value} />
  return column.text === undefined ? null : <span dir="auto">{column.text(row)}</span>
}
