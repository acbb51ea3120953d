import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { previewOf } from '../../values/preview.ts'
import type { GridColumn } from './grid-column.ts'
import { GridHeadCell, type GridSort } from './grid-head-cell.tsx'
import { cellId, GridRow } from './grid-row.tsx'
import { gridStep, type GridPlace } from './grid-step.ts'
import { tell } from '../messages/toast.tsx'
import { useColumnWidths, type ColumnWidths } from './use-column-widths.ts'
import './data-grid.css'

export interface DataGridProps<Row> {
  readonly label: string
  readonly columns: readonly GridColumn<Row>[]
  /** The rows there are, as far as is known. */
  readonly rowCount: number
  /** Nothing for a row that is not loaded; a placeholder is shown for it. */
  readonly rowAt: (index: number) => Row | undefined
  readonly rowKey: (row: Row) => string
  /** Told which rows are in sight or nearly so, to load them, and which are in sight. */
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
  /** How many rows the rows have moved by since the beginning; what is in sight stays in sight. */
  readonly shift?: number
}

const rowPx = 30
/** Browsers draw no element higher than about 33 million pixels. */
const mostRows = 1_100_000
const selectPx = 36
/** Text begins where that of the page does. */
const edgePx = 14

/** A grid of any number of rows and columns of which only what is in sight exists. Walked with the arrow keys. */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, columns, rowAt, rowKey, onSight, onOpen, selected, onSelect } = props
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

  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: widthOf,
    paddingStart: leftPx,
    overscan: 2,
  })
  useEffect(() => across.measure(), [across, measured, widths])

  const shift = props.shift ?? 0
  const shown = useRef(shift)
  useLayoutEffect(() => {
    const moved = shift - shown.current
    shown.current = shift
    if (moved === 0 || scroller.current === null) return
    scroller.current.scrollTop += moved * rowPx
    setActive((known) => ({ ...known, row: Math.max(0, known.row + moved) }))
  }, [shift])

  const seen = rows.getVirtualItems()
  const first = seen[0]?.index ?? 0
  const last = seen.at(-1)?.index ?? 0
  const firstShown = rows.range?.startIndex ?? first
  const lastShown = rows.range?.endIndex ?? last
  useEffect(() => {
    if (rowCount > 0) onSight?.(first, last, firstShown, lastShown)
  }, [first, last, firstShown, lastShown, rowCount, onSight])

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
  const toggle = (row: Row | undefined): void => {
    if (row === undefined || selected === undefined) return
    const next = new Set(selected)
    if (!next.delete(rowKey(row))) next.add(rowKey(row))
    onSelect?.(next)
  }
  const selectLoaded = (): void => {
    const next = new Set<string>()
    for (let index = 0; index < rowCount; index++) {
      const row = rowAt(index)
      if (row !== undefined) next.add(rowKey(row))
    }
    onSelect?.(next)
  }
  const press = (event: KeyboardEvent): void => {
    const isMod = event.ctrlKey || event.metaKey
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowPx) / rowPx) - 2)
    const next = gridStep(place, event.key, isMod, { rows: rowCount, columns: columns.length, pageRows })
    if (next !== undefined) move(next)
    else if (event.key === 'Enter' && activeRow !== undefined) onOpen?.(activeRow, place.row)
    else if (event.key === ' ') toggle(activeRow)
    else if (isMod && event.key === 'a' && selected !== undefined) selectLoaded()
    else if (isMod && event.key === 'c' && activeRow !== undefined) copyCell(columns[place.column], activeRow)
    else return
    event.preventDefault()
  }
  const widthPx = across.getTotalSize()
  const columnsInSight = across.getVirtualItems()
  const areAllSelected = selected !== undefined && selected.size > 0 && selected.size >= rowCount

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
    >
      <div className="grid-head" role="row" aria-rowindex={1} style={{ width: widthPx }}>
        {selected !== undefined && (
          <span className="grid-select" role="columnheader" aria-label="Selection">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label="Select all loaded rows"
              checked={areAllSelected}
              onChange={() => (areAllSelected ? onSelect?.(new Set()) : selectLoaded())}
            />
          </span>
        )}
        {columnsInSight.map(({ index, start, size }) => {
          const column = columns[index]
          if (column === undefined) return null
          return (
            <GridHeadCell
              key={column.id}
              column={column}
              index={index}
              startPx={start}
              widthPx={size}
              sort={props.sort}
              onSort={props.onSort}
              onResize={(px) => resize(column.id, px)}
            />
          )
        })}
      </div>
      {rowCount === 0 ? (
        <div className="grid-empty">{props.empty}</div>
      ) : (
        <div className="grid-body" role="rowgroup" style={{ height: rows.getTotalSize(), width: widthPx }}>
          {seen.map(({ index, start }) => {
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
                activeColumn={index === place.row ? place.column : undefined}
                isSelected={selected === undefined ? undefined : row !== undefined && selected.has(rowKey(row))}
                className={row === undefined ? undefined : props.rowClass?.(row)}
                style={row === undefined ? undefined : props.rowStyle?.(row)}
                onActive={(column) => setActive({ row: index, column })}
                onToggle={() => toggle(row)}
                onOpen={() => row !== undefined && onOpen?.(row, index)}
              />
            )
          })}
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
