import type { Item } from '@hashrange/core'
import { useCallback } from 'react'
import type { TableDescription } from '../../api-types.ts'
import { DataGrid } from '../../components/grid/data-grid.tsx'
import { ErrorBox, Notice } from '../../components/messages/notices.tsx'
import type { ItemColumns } from './columns/use-item-columns.ts'
import { noTexts, type ItemsUrl, type SetItemsUrl } from './items-url.ts'
import { baseKey, keyText } from './keys/keys.ts'
import { copyItems } from '../../components/values/export-menu.tsx'
import { CellEditor } from './staged/cell-editor.tsx'
import { isEditedHere } from './staged/is-edited-here.ts'
import { editedRow, isEdited } from './staged/staged-edits.ts'
import type { Staging } from './staged/use-staged-edits.ts'
import { pastedFile } from './transfer/pasted-file.ts'
import { NothingHere } from './nothing-here.tsx'
import { nextSort } from './rows/sort-rows.ts'
import type { ItemsActions } from './use-items-commands.ts'
import type { ShownItems } from './use-shown-items.ts'

export interface ItemsGridProps {
  readonly table: TableDescription
  readonly url: ItemsUrl
  readonly setUrl: SetItemsUrl
  readonly shown: ShownItems
  readonly columns: ItemColumns
  readonly actions: ItemsActions
  /** Keys, as text. */
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly staging: Staging
  readonly onOpen: (row: Item) => void
  /** Rows that were pasted, as a file. */
  readonly onPaste: (file: File) => void
}

/** The rows, or why there are none. */
export function ItemsGrid(props: ItemsGridProps) {
  const { table, url, setUrl, shown, columns, actions, staging } = props
  const { rows, seen, mistake } = shown
  const { edits } = staging
  const rowAt = useCallback(
    (index: number): Item | undefined => {
      const row = rows.rowAt(index)
      return row === undefined ? undefined : editedRow(edits, table, row)
    },
    [rows.rowAt, edits, table],
  )
  const paste = (text: string): void => {
    const file = pastedFile(text, table, columns.names)
    if (file !== undefined) props.onPaste(file)
  }
  // Those that the page holds: what it does not can be copied with the button.
  const selectedRows = (): readonly Item[] =>
    rows.loaded().filter((row) => props.selected.has(keyText(baseKey(table, row))))
  return (
    <>
      {mistake !== undefined && (
        <div className="items-notice">
          <Notice tone="warning">{mistake}</Notice>
        </div>
      )}
      {rows.error !== undefined && (
        <div className="items-notice">
          <ErrorBox error={rows.error} onRetry={rows.retry} />
        </div>
      )}
      <DataGrid
        label="Items"
        columns={columns.columns}
        rowCount={rows.rowCount}
        rowAt={rowAt}
        canEdit={(row, column) => !actions.isReadOnly && isEditedHere(table, shown.source, row, column.id)}
        editor={(row, column, done) => (
          <CellEditor
            row={row}
            name={column.id.slice(2)}
            onStage={(value) => staging.stage(row, column.id.slice(2), value)}
            onDone={done}
          />
        )}
        cellClass={(row, column) =>
          isEdited(staging.edits, table, row, column.id.slice(2)) ? 'is-edited' : undefined
        }
        {...(staging.edits.size > 0 && { onUndo: staging.undo })}
        rowKey={(row) => keyText(baseKey(table, row))}
        onSight={seen.onSight}
        onOpen={props.onOpen}
        selected={props.selected}
        onSelect={props.onSelect}
        shift={rows.shift}
        {...(!actions.isReadOnly && { onPaste: paste })}
        onCopySelected={() => copyItems(selectedRows(), 'tsv', columns.names)}
        {...(shown.sort !== undefined && { sort: shown.sort })}
        onSort={(columnId) => shown.setSort(nextSort(shown.sort, columnId))}
        widths={columns.wishes.widths}
        onWidths={(widths) => columns.changeWishes({ ...columns.wishes, widths })}
        empty={
          rows.isLoading || rows.error !== undefined ? null : (
            <NothingHere
              table={table}
              isFound={shown.find !== undefined}
              isPrefix={url.prefix}
              indexName={shown.indexName}
              canWrite={!actions.isReadOnly}
              partition={url.pk}
              onCreate={actions.create}
              onImport={actions.importItems}
              onPrefix={() => setUrl({ prefix: true, sk: '' })}
              onClear={() => setUrl({ pk: noTexts, sk: '', prefix: false, entity: '' })}
            />
          )
        }
      />
    </>
  )
}
