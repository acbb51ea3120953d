import type { Item } from '@hashrange/core'
import type { TableDescription } from '../../api-types.ts'
import { DataGrid } from '../../components/grid/data-grid.tsx'
import { ErrorBox, Notice } from '../../components/messages/notices.tsx'
import type { ItemColumns } from './columns/use-item-columns.ts'
import { noTexts, type ItemsUrl, type SetItemsUrl } from './items-url.ts'
import { baseKey, keyText } from './keys/keys.ts'
import { NothingHere } from './nothing-here.tsx'
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
  readonly onOpen: (row: Item) => void
}

/** The rows, or why there are none. */
export function ItemsGrid(props: ItemsGridProps) {
  const { table, url, setUrl, shown, columns, actions } = props
  const { rows, seen, mistake } = shown
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
        rowAt={rows.rowAt}
        rowKey={(row) => keyText(baseKey(table, row))}
        onSight={seen.onSight}
        onOpen={props.onOpen}
        selected={props.selected}
        onSelect={props.onSelect}
        shift={rows.shift}
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
