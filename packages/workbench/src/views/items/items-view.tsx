import type { Item } from '@hashrange/core'
import { Download, Plus, RefreshCw, Upload } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useInfo, useRefresh } from '../../api/queries.ts'
import { keyNames, keysOfSource, schemaKeys, sourcesOf, typeOfKey } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { DataGrid } from '../../components/grid/data-grid.tsx'
import { ErrorBox, Notice } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { useUrlState } from '../../state/url-state.ts'
import { formatBytes, plural } from '../../values/format.ts'
import { ItemDrawer } from './editor/item-drawer.tsx'
import { entityNamer, entityTerms } from './find/entities.ts'
import { findRequest } from './find/find-request.ts'
import { ItemsStatus } from './items-status.tsx'
import { ItemsToolbar } from './items-toolbar.tsx'
import { itemsSchema, noTexts } from './items-url.ts'
import { baseKey, keyFromText, keyText } from './keys/keys.ts'
import { NothingHere } from './nothing-here.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { ExportDialog } from './transfer/export-dialog.tsx'
import { ImportDialog } from './transfer/import-dialog.tsx'
import { useModelledEntities } from './find/use-entities.ts'
import { useItemColumns } from './columns/use-item-columns.ts'
import { useItemsCommands } from './use-items-commands.ts'
import { useSeenItems } from './columns/use-seen-items.ts'
import { useSourceRows } from './rows/use-source-rows.ts'
import './items.css'

type Transfer =
  { readonly kind: 'import' } | { readonly kind: 'export'; readonly keys: readonly Item[] | undefined }

export function ItemsView({ table }: { readonly table: TableDescription }) {
  const [url, setUrl] = useUrlState(itemsSchema)
  const isReadOnly = useInfo()?.readOnly ?? false
  const refreshAll = useRefresh()
  const modelled = useModelledEntities(table.TableName)
  const sources = useMemo(() => sourcesOf(table), [table])
  const source = sources.find(({ indexName }) => indexName === url.index) ?? sources[0]
  const indexName = source?.indexName
  const keys = useMemo(() => keysOfSource(table, indexName), [table, indexName])
  const entityName = useMemo(() => entityNamer(table, modelled), [table, modelled])
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [transfer, setTransfer] = useState<Transfer | undefined>()
  const [draft, setDraft] = useState<Item>({})

  const found = useMemo(
    () =>
      findRequest(table, keys, {
        partition: url.pk,
        sort: url.sk,
        isDescending: url.desc,
        isPrefix: url.prefix,
        entity: url.entity === '' ? [] : entityTerms(table, modelled, url.entity),
      }),
    [table, keys, url, modelled],
  )
  const find = found.kind === 'find' ? found.find : undefined
  const rows = useSourceRows(table, indexName, source?.itemCount ?? 0, find)
  const seen = useSeenItems(rows, entityName)
  const entityNames = useMemo(
    () => [...new Set([...(modelled?.names ?? []), ...seen.samples.keys()])],
    [modelled, seen.samples],
  )
  const open = useCallback(
    (row: Item) => setUrl({ item: keyText(baseKey(table, row)) }, { push: true }),
    [setUrl, table],
  )
  const columns = useItemColumns({ table, keys, seen, entity: url.entity, entityName, entityNames, open })

  const changed = useCallback(() => {
    rows.refresh()
    void refreshAll()
  }, [rows.refresh, refreshAll])
  const create = useCallback(() => {
    setDraft(emptyItem(table))
    setUrl({ isNew: true, item: '' }, { push: true })
  }, [setUrl, table])
  const importItems = useCallback(() => setTransfer({ kind: 'import' }), [])
  const exportItems = useCallback(() => setTransfer({ kind: 'export', keys: undefined }), [])
  useItemsCommands({ isReadOnly, create, importItems, exportItems, reload: changed })

  const openKey = url.item === '' ? undefined : keyFromText(url.item, keyNames(schemaKeys(table.KeySchema)))
  const isNew = url.isNew && !isReadOnly
  return (
    <Page
      layout="fill"
      title="Items"
      aside={
        <span>
          {plural(source?.itemCount ?? 0, 'item')} · {formatBytes(source?.sizeBytes ?? 0)}
        </span>
      }
      actions={
        <>
          <IconButton label="Reload" shortcut="R" icon={<RefreshCw />} onClick={changed} />
          {!isReadOnly && (
            <Button icon={<Upload />} onClick={importItems}>
              Import
            </Button>
          )}
          <Button icon={<Download />} onClick={exportItems}>
            Export
          </Button>
          {!isReadOnly && (
            <Button tone="primary" icon={<Plus />} onClick={create}>
              New item
            </Button>
          )}
        </>
      }
      toolbar={
        <ItemsToolbar
          table={table}
          sources={sources}
          indexName={indexName}
          keys={keys}
          entityNames={entityNames}
          url={url}
          mistake={found.kind === 'mistake' ? found.message : undefined}
          seen={seen.attributes}
          columns={columns}
          onChange={setUrl}
          onSource={() => setSelected(new Set())}
        />
      }
    >
      {found.kind === 'mistake' && (
        <div className="items-notice">
          <Notice tone="warning">{found.message}</Notice>
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
        onOpen={open}
        selected={selected}
        onSelect={setSelected}
        shift={rows.shift}
        widths={columns.wishes.widths}
        onWidths={(widths) => columns.changeWishes({ ...columns.wishes, widths })}
        empty={
          rows.isLoading || rows.error !== undefined ? null : (
            <NothingHere
              table={table}
              isFound={find !== undefined}
              isPrefix={url.prefix}
              indexName={indexName}
              canWrite={!isReadOnly}
              partition={url.pk}
              onCreate={create}
              onImport={importItems}
              onPrefix={() => setUrl({ prefix: true, sk: '' })}
              onClear={() => setUrl({ pk: noTexts, sk: '', prefix: false, entity: '' })}
            />
          )
        }
      />
      {selected.size > 0 && (
        <SelectionBar
          table={table}
          selected={selected}
          onClear={() => setSelected(new Set())}
          onExport={(picked) => setTransfer({ kind: 'export', keys: picked })}
          onChanged={changed}
        />
      )}
      <ItemsStatus
        rows={rows}
        inSight={seen.inSight}
        isFound={find !== undefined}
        isFiltered={find !== undefined && 'FilterExpression' in find.input}
      />
      {isNew && (
        <ItemDrawer
          table={table}
          target={{ kind: 'new', item: Object.keys(draft).length === 0 ? emptyItem(table) : draft }}
          entityName={entityName}
          entityNames={entityNames}
          onClose={() => setUrl({ isNew: false })}
          onChanged={changed}
          onDuplicate={setDraft}
        />
      )}
      {!isNew && openKey !== undefined && (
        <ItemDrawer
          table={table}
          target={{ kind: 'edit', key: openKey }}
          entityName={entityName}
          entityNames={entityNames}
          onClose={() => setUrl({ item: '' })}
          onChanged={changed}
          onDuplicate={(item) => {
            setDraft(item)
            setUrl({ item: '', isNew: true })
          }}
        />
      )}
      {transfer?.kind === 'import' && (
        <ImportDialog table={table} onClose={() => setTransfer(undefined)} onChanged={changed} />
      )}
      {transfer?.kind === 'export' && (
        <ExportDialog
          table={table}
          indexName={indexName}
          selectedKeys={transfer.keys}
          find={find}
          onClose={() => setTransfer(undefined)}
        />
      )}
    </Page>
  )
}

/** A new item begins with its key. */
function emptyItem(table: TableDescription): Item {
  return Object.fromEntries(
    keyNames(schemaKeys(table.KeySchema)).map((name) => [
      name,
      { [typeOfKey(table, name)]: '' } as unknown as Item[string],
    ]),
  )
}
