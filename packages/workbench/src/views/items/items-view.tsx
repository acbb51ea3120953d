import { useCallback, useMemo, useState } from 'react'
import { useInfo, useRefresh } from '../../api/queries.ts'
import { keyNames, schemaKeys } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { Page } from '../../components/page/page.tsx'
import { useUrlState } from '../../state/url-state.ts'
import { formatBytes, plural } from '../../values/format.ts'
import { SelectionBar } from './bulk/selection-bar.tsx'
import { useItemColumns } from './columns/use-item-columns.ts'
import { typeSeen } from './columns/use-seen-items.ts'
import { ItemDrawer } from './editor/item-drawer.tsx'
import { ItemsButtons } from './items-buttons.tsx'
import { ItemsGrid } from './items-grid.tsx'
import { ItemsStatus } from './items-status.tsx'
import { ItemsToolbar } from './items-toolbar.tsx'
import { itemsSchema } from './items-url.ts'
import { StagedBar } from './staged/staged-bar.tsx'
import { useStagedEdits } from './staged/use-staged-edits.ts'
import { TransferDialog, type Transfer } from './transfer/transfer-dialog.tsx'
import { useItemsCommands } from './use-items-commands.ts'
import { useOpenItem } from './use-open-item.ts'
import { useShownItems } from './use-shown-items.ts'
import './items.css'

export function ItemsView({ table }: { readonly table: TableDescription }) {
  const [url, setUrl] = useUrlState(itemsSchema)
  const isReadOnly = useInfo()?.readOnly ?? false
  const refreshAll = useRefresh()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [transfer, setTransfer] = useState<Transfer | undefined>()
  const shown = useShownItems(table, url)
  const { source, indexName, keys, find, rows, seen, entityName, entityNames } = shown
  const { target, open, create, duplicate, close } = useOpenItem(table, url, setUrl, isReadOnly)
  const columns = useItemColumns({ table, keys, seen, entity: url.entity, entityName, entityNames, open })
  const changed = useCallback(() => {
    rows.refresh()
    void refreshAll()
  }, [rows.refresh, refreshAll])
  const staging = useStagedEdits(table, changed)
  const actions = useMemo(
    () => ({
      isReadOnly,
      create,
      importItems: () => setTransfer({ kind: 'import' }),
      exportItems: () => setTransfer({ kind: 'export', keys: undefined }),
      reload: changed,
    }),
    [isReadOnly, create, changed],
  )
  useItemsCommands(actions)
  const clearSelection = (): void => setSelected(new Set())
  return (
    <Page
      layout="fill"
      title="Items"
      aside={
        <span>
          {plural(source?.itemCount ?? 0, 'item')} · {formatBytes(source?.sizeBytes ?? 0)}
        </span>
      }
      actions={<ItemsButtons {...actions} />}
      toolbar={
        <ItemsToolbar
          table={table}
          sources={shown.sources}
          indexName={indexName}
          keys={keys}
          entityNames={entityNames}
          url={url}
          mistake={shown.mistake}
          seen={seen.attributes}
          columns={columns}
          onChange={setUrl}
          onSource={clearSelection}
        />
      }
    >
      <ItemsGrid
        table={table}
        url={url}
        setUrl={setUrl}
        shown={shown}
        columns={columns}
        actions={actions}
        selected={selected}
        onSelect={setSelected}
        staging={staging}
        onOpen={open}
        onPaste={(file) => setTransfer({ kind: 'import', file })}
      />
      {selected.size > 0 && (
        <SelectionBar
          table={table}
          indexName={indexName}
          find={find}
          selected={selected}
          mayBeMore={!rows.isComplete || selected.size < rows.rowCount}
          known={columns.ordered}
          typeOfKnown={(name) => typeSeen(seen, rows, name)}
          onSelect={setSelected}
          onExport={(picked) => setTransfer({ kind: 'export', keys: picked })}
          onChanged={changed}
        />
      )}
      {staging.edits.size > 0 && <StagedBar staging={staging} keyNames={keyNames(schemaKeys(table.KeySchema))} />}
      <ItemsStatus
        rows={rows}
        inSight={seen.inSight}
        isFound={find !== undefined}
        sort={shown.sort}
        onUnsort={() => shown.setSort(undefined)}
        isFiltered={find !== undefined && 'FilterExpression' in find.input}
      />
      {target !== undefined && (
        <ItemDrawer
          key={target.kind}
          table={table}
          target={target}
          entityName={entityName}
          onClose={close}
          onChanged={changed}
          onDuplicate={duplicate}
        />
      )}
      {transfer !== undefined && (
        <TransferDialog
          table={table}
          indexName={indexName}
          find={find}
          transfer={transfer}
          onClose={() => setTransfer(undefined)}
          onChanged={changed}
        />
      )}
    </Page>
  )
}
