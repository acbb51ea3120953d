import { useId, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react'
import { previewOf } from '../../values/preview.ts'
import { tell } from '../messages/toast.tsx'
import type { GridColumn } from './grid-column.ts'
import { editorPx, GridEditor, type EditCell, type EditedCell } from './grid-editor.tsx'
import { GridHead } from './grid-head.tsx'
import { selectPx } from './pinned-band.tsx'
import type { GridSort } from './grid-head-cell.tsx'
import { cellId, GridRow } from './grid-row.tsx'
import { gridSelection } from './grid-selection.ts'
import { gridStep, type GridPlace } from './grid-step.ts'
import { useColumnWidths, type ColumnWidths } from './use-column-widths.ts'
import { rowPx, useGridWindow, useShift } from './use-grid-window.ts'
import './data-grid.css'

export interface DataGridProps<Row> {
  readonly label: string
  readonly columns: readonly GridColumn<Row>[]
  /** The rows there are, as far as is known. */
  readonly rowCount: number
  /** Nothing for a row that is not loaded; a placeholder is shown for it. */
  readonly rowAt: (index: number) => Row | undefined
  readonly rowKey: (row: Row) => string
  /** Called with the rows that are visible or nearly so, to load them, and with those that are visible. */
  readonly onSight?: (first: number, last: number, firstShown: number, lastShown: number) => void
  readonly onOpen?: (row: Row, index: number) => void
  /** The keys of selected rows; without it, rows cannot be selected. */
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (selected: ReadonlySet<string>) => void
  readonly rowStyle?: (row: Row) => CSSProperties | undefined
  readonly rowClass?: (row: Row) => string | undefined
  /** In place of the rows, if there are none. */
  readonly empty?: ReactNode
  /** Where the column can be sorted by. */
  readonly sort?: GridSort
  readonly onSort?: (columnId: string) => void
  /** The widths that the user has given columns, where they are kept. */
  readonly widths?: ColumnWidths
  readonly onWidths?: (widths: ColumnWidths) => void
  /** What edits a cell in its place. */
  readonly editor?: EditCell<Row>
  readonly canEdit?: (row: Row, column: GridColumn<Row>) => boolean
  readonly onUndo?: () => void
  readonly cellClass?: (row: Row, column: GridColumn<Row>) => string | undefined
  /** Text that is pasted into the grid. */
  readonly onPaste?: (text: string) => void
  /** Copies the selected rows; without it, or without a selection, the cell is copied. */
  readonly onCopySelected?: () => void
  /** How many rows the rows have moved by since the beginning; what is in sight stays in sight. */
  readonly shift?: number
}

/** Browsers draw no element higher than about 33 million pixels. */
const mostRows = 1_100_000
/** Text begins where that of the page does. */
const edgePx = 14

/** A grid of any number of rows and columns of which only what is in sight exists. Walked with the arrow keys. */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, columns, rowAt, rowKey, onOpen, selected } = props
  const rowCount = Math.min(props.rowCount, mostRows)
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<GridPlace>({ row: 0, column: 0 })
  const { widths, measured, widthOf, resize } = useColumnWidths({
    columns,
    rowAt,
    rowCount,
    given: props.widths,
    onGiven: props.onWidths,
  })
  const leftPx = selected === undefined ? edgePx : selectPx
  const { rows, across, pinned, pinnedPx } = useGridWindow({
    scroller,
    rowCount,
    columnCount: columns.length,
    leftPx,
    pinnable: [...columns, undefined].findIndex((column) => column?.isPinned !== true),
    widthOf,
    widths,
    measured,
    onSight: props.onSight,
  })
  useShift(scroller, props.shift ?? 0, (moved) =>
    setActive((known) => ({ ...known, row: Math.max(0, known.row + moved) })),
  )
  const [editing, setEditing] = useState<EditedCell | undefined>()
  const editedAt = (at: GridPlace): EditedCell | undefined => {
    const [row, column] = [rowAt(at.row), columns[at.column]]
    if (row === undefined || column === undefined || props.canEdit?.(row, column) !== true) return undefined
    const { scrollLeft = 0, clientWidth = 0 } = scroller.current ?? {}
    const start = across.measurementsCache[at.column]?.start ?? 0
    const shiftPx = Math.max(0, start - Math.max(0, scrollLeft + clientWidth - editorPx))
    return { rowIndex: at.row, rowKey: rowKey(row), columnId: column.id, shiftPx }
  }
  const anchor = useRef<number | undefined>(undefined)
  const selection = gridSelection({ rowCount, rowAt, rowKey, selected, onSelect: props.onSelect, anchor })

  const place = {
    row: Math.min(active.row, Math.max(0, rowCount - 1)),
    column: Math.min(active.column, columns.length - 1),
  }
  const activeRow = rowAt(place.row)
  const move = (next: GridPlace): void => {
    setActive(next)
    rows.scrollToIndex(next.row)
    across.scrollToIndex(next.column)
  }
  const press = (event: KeyboardEvent): void => {
    const isMod = event.ctrlKey || event.metaKey
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowPx) / rowPx) - 2)
    const next = gridStep(place, event.key, isMod, { rows: rowCount, columns: columns.length, pageRows })
    if (next !== undefined) {
      if (event.shiftKey && next.row !== place.row) selection.extend(place.row, next.row)
      anchor.current = next.row
      move(next)
    } else if (event.key === 'Enter' && activeRow !== undefined) onOpen?.(activeRow, place.row)
    else if (event.key === 'F2') setEditing(editedAt(place))
    else if (isMod && event.key === 'z' && props.onUndo !== undefined) props.onUndo()
    else if (event.key === ' ') selection.toggle(place.row, event.shiftKey)
    else if (isMod && event.key === 'a' && selected !== undefined) selection.selectLoaded()
    else if (isMod && event.key === 'c' && selected !== undefined && selected.size > 0 && props.onCopySelected)
      props.onCopySelected()
    else if (isMod && event.key === 'c' && activeRow !== undefined) copyCell(columns[place.column], activeRow)
    else return
    event.preventDefault()
  }
  const widthPx = across.getTotalSize()
  const columnsInSight = across.getVirtualItems()
  const band = { leftPx, pinned, pinnedPx }

  return (
    <div
      ref={scroller}
      className="data-grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      aria-multiselectable={selected !== undefined || undefined}
      aria-activedescendant={activeRow === undefined ? undefined : cellId(id, place.row, place.column)}
      tabIndex={0}
      onKeyDown={press}
      onPaste={(event) => {
        // What is pasted into a box of the grid is the box's.
        if (
          event.target instanceof Element &&
          event.target.closest('textarea, input:not([type=checkbox])') === null
        )
          props.onPaste?.(event.clipboardData.getData('text/plain'))
      }}
    >
      {columns.length > 0 && (
        <GridHead
          columns={columns}
          across={columnsInSight}
          band={band}
          widthPx={widthPx}
          selection={selected === undefined ? undefined : selection}
          sort={props.sort}
          onSort={props.onSort}
          onResize={resize}
        />
      )}
      {rowCount === 0 ? (
        <div role="row">
          <div className="grid-empty" role="gridcell">
            {props.empty}
          </div>
        </div>
      ) : (
        <div className="grid-body" role="rowgroup" style={{ height: rows.getTotalSize(), width: widthPx }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const row = rowAt(index)
            return (
              <GridRow
                key={index}
                gridId={id}
                index={index}
                startPx={start}
                row={row}
                columns={columns}
                across={columnsInSight}
                band={band}
                activeColumn={index === place.row ? place.column : undefined}
                isSelected={selected === undefined ? undefined : row !== undefined && selected.has(rowKey(row))}
                className={row === undefined ? undefined : props.rowClass?.(row)}
                style={row === undefined ? undefined : props.rowStyle?.(row)}
                cellClass={props.cellClass}
                onEdit={
                  index === place.row && editedAt(place) !== undefined
                    ? () => setEditing(editedAt(place))
                    : undefined
                }
                onActive={(column) => setActive({ row: index, column })}
                onToggle={(isRange) => selection.toggle(index, isRange)}
                onOpen={() => row !== undefined && onOpen?.(row, index)}
              />
            )
          })}
          {editing !== undefined && props.editor !== undefined && (
            <GridEditor
              cell={editing}
              columns={columns}
              rowAt={rowAt}
              rowKey={rowKey}
              leftOf={(column) => across.measurementsCache[column]?.start ?? 0}
              edit={props.editor}
              onDone={(hadFocus) => {
                setEditing(undefined)
                if (hadFocus) scroller.current?.focus()
              }}
            />
          )}
        </div>
      )}
    </div>
  )
}

function copyCell<Row>(column: GridColumn<Row> | undefined, row: Row): void {
  const value = column?.value?.(row)
  const text = value === undefined ? column?.text?.(row) : 'S' in value ? value.S : previewOf(value, 400_000)
  if (text === undefined) return
  void navigator.clipboard.writeText(text).then(() => tell('Copied'))
}
