import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type CSSProperties,
} from 'react'
import type { AttributeValue } from '../api/types.ts'
import { previewOf } from '../values/preview.ts'
import { contentWidth } from './column-width.ts'
import { gridStep, type GridPlace } from './grid-step.ts'
import { tell } from './toast.tsx'
import { ValueCell } from './value-cell.tsx'
import './data-grid.css'

export interface GridColumn<Row> {
  readonly id: string
  readonly header: string
  /** Beside the header: a type, a key. */
  readonly headerNote?: ReactNode
  /** A DynamoDB value, which is shown by its type; for anything else use `render` (with `text` to copy and measure). */
  readonly value?: (row: Row) => AttributeValue | undefined
  readonly render?: (row: Row) => ReactNode
  readonly text?: (row: Row) => string
  /** Otherwise as its content needs, within bounds. */
  readonly widthPx?: number
  readonly align?: 'start' | 'end'
}

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
  readonly sort?: { readonly columnId: string; readonly isDescending: boolean }
  readonly onSort?: (columnId: string) => void
  /** The widths that the user has given columns, where they are kept. */
  readonly widths?: Readonly<Record<string, number>>
  readonly onWidths?: (widths: Readonly<Record<string, number>>) => void
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
  const [ownWidths, setWidths] = useState<Readonly<Record<string, number>>>({})
  const widths = props.widths ?? ownWidths
  const firstRow = rowAt(0)
  const known = useRef(new Map<string, number>())
  const measured = useMemo(
    () => {
      const sample = sampleOf(rowAt, rowCount)
      return columns.map((column) => {
        // The first rows may have been let go since.
        const before = sample.length === 0 ? known.current.get(column.id) : undefined
        const widthPx = column.widthPx ?? before ?? contentWidth(column, sample)
        known.current.set(column.id, widthPx)
        return widthPx
      })
    },
    // Measured on the first rows alone: columns that move while one scrolls are hard to read.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [columns, firstRow === undefined],
  )
  const widthOf = (index: number): number => widths[columns[index]?.id ?? ''] ?? measured[index] ?? 120
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
      aria-activedescendant={
        activeRow === undefined ? undefined : `${id}-${String(place.row)}-${String(place.column)}`
      }
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
        {across.getVirtualItems().map(({ index, start, size }) => {
          const column = columns[index]
          if (column === undefined) return null
          return (
            <HeadCell
              key={column.id}
              column={column}
              index={index}
              startPx={start}
              widthPx={size}
              sort={props.sort}
              onSort={props.onSort}
              onResize={(px) => {
                const next = { ...widths, [column.id]: px }
                setWidths(next)
                props.onWidths?.(next)
              }}
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
            const key = row === undefined ? undefined : rowKey(row)
            const isSelected = key !== undefined && selected?.has(key) === true
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={selected === undefined ? undefined : isSelected}
                className={`grid-row ${isSelected ? 'is-selected' : ''} ${index === place.row ? 'is-active' : ''} ${(row !== undefined && props.rowClass?.(row)) || ''}`}
                style={{
                  transform: `translateY(${String(start)}px)`,
                  ...(row !== undefined && props.rowStyle?.(row)),
                }}
                onDoubleClick={() => row !== undefined && onOpen?.(row, index)}
              >
                {selected !== undefined && (
                  <span className="grid-select" role="gridcell">
                    <input
                      type="checkbox"
                      tabIndex={-1}
                      aria-label={`Select row ${String(index + 1)}`}
                      checked={isSelected}
                      disabled={row === undefined}
                      onChange={() => toggle(row)}
                    />
                  </span>
                )}
                {across.getVirtualItems().map(({ index: position, start: left, size }) => {
                  const column = columns[position]
                  if (column === undefined) return null
                  const isActive = index === place.row && position === place.column
                  return (
                    <div
                      key={column.id}
                      id={`${id}-${String(index)}-${String(position)}`}
                      role="gridcell"
                      aria-colindex={position + 1}
                      className={`grid-cell ${isActive ? 'is-active' : ''} ${column.align === 'end' ? 'is-end' : ''}`}
                      style={{ left, width: size }}
                      onPointerDown={() => setActive({ row: index, column: position })}
                    >
                      {row === undefined ? (
                        <span className="grid-placeholder" />
                      ) : (
                        <Cell column={column} row={row} />
                      )}
                    </div>
                  )
                })}
              </div>
            )
          })}
        </div>
      )}
    </div>
  )
}

function Cell<Row>({ column, row }: { readonly column: GridColumn<Row>; readonly row: Row }) {
  if (column.render !== undefined) return column.render(row)
  const value = column.value?.(row)
  if (value !== undefined) return <ValueCell value={value} />
  return column.text === undefined ? null : <span dir="auto">{column.text(row)}</span>
}

function HeadCell<Row>({
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
  readonly sort: DataGridProps<Row>['sort']
  readonly onSort: DataGridProps<Row>['onSort']
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

function sampleOf<Row>(rowAt: (index: number) => Row | undefined, rowCount: number): Row[] {
  const sample: Row[] = []
  for (let index = 0; index < Math.min(rowCount, 50); index++) {
    const row = rowAt(index)
    if (row !== undefined) sample.push(row)
  }
  return sample
}

function copyCell<Row>(column: GridColumn<Row> | undefined, row: Row): void {
  const value = column?.value?.(row)
  const text = value === undefined ? column?.text?.(row) : 'S' in value ? value.S : previewOf(value, 400_000)
  if (text === undefined) return
  void navigator.clipboard.writeText(text).then(() => tell('Copied'))
}
