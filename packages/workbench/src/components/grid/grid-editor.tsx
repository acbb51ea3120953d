import { useRef, type ReactNode } from 'react'
import type { GridColumn } from './grid-column.ts'
import { rowPx } from './use-grid-window.ts'

/** A cell by what it is, and not by where: rows and columns may come and go while it is edited. */
export interface EditedCell {
  readonly rowIndex: number
  readonly rowKey: string
  readonly columnId: string
  /** How far it stands to the left of its cell, to be in sight as a whole: the browser would scroll to it otherwise. */
  readonly shiftPx: number
}

/** How wide an editor is, with its shadow. */
export const editorPx = 352

/** What edits a cell; `done` closes it. */
export type EditCell<Row> = (row: Row, column: GridColumn<Row>, done: () => void) => ReactNode

export interface GridEditorProps<Row> {
  readonly cell: EditedCell
  readonly columns: readonly GridColumn<Row>[]
  readonly rowAt: (index: number) => Row | undefined
  readonly rowKey: (row: Row) => string
  readonly leftOf: (column: number) => number
  readonly edit: EditCell<Row>
  /** `hadFocus` if the focus would be nowhere now. */
  readonly onDone: (hadFocus: boolean) => void
}

/** The editor of a cell, above the others. It is gone if the cell is. */
export function GridEditor<Row>({ cell, columns, rowAt, rowKey, leftOf, edit, onDone }: GridEditorProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const row = rowAt(cell.rowIndex)
  const position = columns.findIndex(({ id }) => id === cell.columnId)
  const column = columns[position]
  if (row === undefined || column === undefined || rowKey(row) !== cell.rowKey) return null
  const done = (): void => onDone(box.current?.contains(document.activeElement) === true)
  return (
    <div
      className="grid-editor"
      role="row"
      style={{ top: rowPx * cell.rowIndex, left: leftOf(position) - cell.shiftPx }}
    >
      <div ref={box} role="gridcell" key={`${cell.rowKey} ${cell.columnId}`}>
        {edit(row, column, done)}
      </div>
    </div>
  )
}
