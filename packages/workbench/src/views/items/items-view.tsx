import type { Item } from '@hashrange/core'
import { Download, Plus, RefreshCw, Upload } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useInfo, useRefresh, useTimeToLive } from '../../api/queries.ts'
import { sourcesOf, typeOfKey } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api/types.ts'
import { useCommands } from '../../commands/commands.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { DataGrid, type GridColumn } from '../../components/data-grid.tsx'
import { Select } from '../../components/field.tsx'
import { ErrorBox, Notice } from '../../components/notices.tsx'
import { Page } from '../../components/page.tsx'
import { recallJson, rememberJson } from '../../state/memory.ts'
import { flag, json, text, useUrlState } from '../../state/url-state.ts'
import { formatBytes, formatCount, plural } from '../../values/format.ts'
import { ColumnChooser } from './column-chooser.tsx'
import {
  noteAttributes,
  noWishes,
  orderedColumns,
  readWishes,
  shownColumns,
  type SeenAttributes,
} from './columns.ts'
import { ItemDrawer } from './editor/item-drawer.tsx'
import { entityNamer, entityTerms } from './entities.ts'
import { FindBar, type FindValues } from './find-bar.tsx'
import { findRequest } from './find-request.ts'
import { attributeColumn, entityColumn, entityMarks, expiryColumn, numericNames } from './grid-columns.tsx'
import { baseKey, keyFromText, keyNames, keysOfSource, keyText, schemaKeys } from './keys.ts'
import { NothingHere } from './nothing-here.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { ExportDialog } from './transfer/export-dialog.tsx'
import { ImportDialog } from './transfer/import-dialog.tsx'
import { useModelledEntities } from './use-entities.ts'
import { useSourceRows } from './use-source-rows.ts'
import './items.css'

const noTexts: readonly string[] = []
const urlSchema = {
  index: text(),
  pk: json(noTexts, (value) => (Array.isArray(value) ? value.map(String) : noTexts)),
  sk: text(),
  desc: flag(),
  /** Looks through everything for partition keys that begin so. */
  prefix: flag(),
  entity: text(),
  /** The key of the item that is open. */
  item: text(),
  isNew: flag(),
}

type Transfer =
  { readonly kind: 'import' } | { readonly kind: 'export'; readonly keys: readonly Item[] | undefined }

export function ItemsView({ table }: { readonly table: TableDescription }) {
  const [url, setUrl] = useUrlState(urlSchema)
  const isReadOnly = useInfo()?.readOnly ?? false
  const refreshAll = useRefresh()
  const modelled = useModelledEntities(table.TableName)
  const expiryAttribute = useTimeToLive(table.TableName).data?.AttributeName
  const sources = useMemo(() => sourcesOf(table), [table])
  const source = sources.find(({ indexName }) => indexName === url.index) ?? sources[0]
  const indexName = source?.indexName
  const keys = useMemo(() => keysOfSource(table, indexName), [table, indexName])
  const baseNames = useMemo(() => keyNames(schemaKeys(table.KeySchema)), [table])
  const entityName = useMemo(() => entityNamer(table, modelled), [table, modelled])
  const [samples, setSamples] = useState<ReadonlyMap<string, Item>>(new Map())
  const [seen, setSeen] = useState<SeenAttributes>(new Map())
  const [wishes, setWishes] = useState(() => recallJson(wishesName(table), noWishes, readWishes))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [inSight, setInSight] = useState<readonly [number, number]>([0, 0])
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
  const rows = useSourceRows(
    table,
    indexName,
    source?.itemCount ?? 0,
    found.kind === 'find' ? found.find : undefined,
  )

  useEffect(() => {
    const fresh: Item[] = []
    for (let index = inSight[0]; index <= inSight[1]; index++) {
      const row = rows.rowAt(index)
      if (row !== undefined) fresh.push(row)
    }
    setSeen((known) => noteAttributes(known, fresh, entityName))
    setSamples((known) => noteSamples(known, fresh, entityName))
  }, [rows.version, rows, inSight, entityName])

  const entityNames = useMemo(
    () => [...new Set([...(modelled?.names ?? []), ...samples.keys()])],
    [modelled, samples],
  )
  const onSight = useCallback(
    (first: number, last: number, firstShown: number, lastShown: number) => {
      setInSight((known) => (known[0] === firstShown && known[1] === lastShown ? known : [firstShown, lastShown]))
      rows.need(first, last)
    },
    [rows.need],
  )
  const options = useMemo(() => {
    const ofIndexes = sources.flatMap(({ indexName: name }) => keyNames(keysOfSource(table, name)))
    return {
      seen,
      keys: [...new Set([...keyNames(keys), ...baseNames])],
      otherKeys: [...new Set([...ofIndexes, ...entityMarks(samples)])],
      wishes,
    }
  }, [seen, keys, baseNames, sources, table, wishes, samples])
  const open = useCallback(
    (row: Item) => setUrl({ item: keyText(baseKey(table, row)) }, { push: true }),
    [setUrl, table],
  )
  const shown = useMemo(
    () => shownColumns({ ...options, entity: url.entity === '' ? undefined : url.entity }),
    [options, url.entity],
  )
  const numeric = useMemo(() => numericNames(samples), [samples])
  const shownText = JSON.stringify([shown, numeric, expiryAttribute])
  const hasEntities = entityNames.length > 0
  const columns = useMemo<readonly GridColumn<Item>[]>(
    () => [
      ...(hasEntities ? [entityColumn(entityName, entityNames)] : []),
      ...shown.map((name) => {
        if (name === expiryAttribute) return expiryColumn(name)
        const column = attributeColumn(table, name, baseNames[0] === name ? open : undefined, options.keys)
        return numeric.includes(name) ? { ...column, align: 'end' as const } : column
      }),
    ],
    // The names themselves: the list is made anew with every page.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [shownText, entityName, entityNames.join('\u0000'), open, hasEntities],
  )
  const changeWishes = (next: typeof wishes): void => {
    setWishes(next)
    rememberJson(wishesName(table), next)
  }
  const changed = useCallback(() => {
    rows.refresh()
    void refreshAll()
  }, [rows.refresh, refreshAll])
  const find = (values: FindValues): void =>
    setUrl({
      pk: values.partition.some((value) => value !== '') ? values.partition : noTexts,
      sk: values.sort,
      desc: values.isDescending,
      prefix: false,
    })
  const create = useCallback(() => {
    setDraft(emptyItem(table))
    setUrl({ isNew: true, item: '' }, { push: true })
  }, [setUrl, table])

  useCommands(
    useMemo(
      () => [
        ...(isReadOnly
          ? []
          : [
              { id: 'items:new', title: 'New item', group: 'Items', shortcut: 'N', run: create },
              {
                id: 'items:import',
                title: 'Import items',
                group: 'Items',
                run: () => setTransfer({ kind: 'import' }),
              },
            ]),
        {
          id: 'items:export',
          title: 'Export items',
          group: 'Items',
          run: () => setTransfer({ kind: 'export', keys: undefined }),
        },
        { id: 'items:refresh', title: 'Load the items again', group: 'Items', shortcut: 'R', run: changed },
        {
          id: 'items:find',
          title: 'Find by key',
          group: 'Items',
          shortcut: '/',
          run: () => document.querySelector<HTMLInputElement>('[data-find="partition"]')?.focus(),
        },
      ],
      [isReadOnly, create, changed],
    ),
  )

  const openKey = url.item === '' ? undefined : keyFromText(url.item, baseNames)
  const isNew = url.isNew && !isReadOnly
  const isFiltered = found.kind === 'find' && 'FilterExpression' in found.find.input
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
          <IconButton label="Load again" shortcut="R" icon={<RefreshCw />} onClick={changed} />
          {!isReadOnly && (
            <Button icon={<Upload />} onClick={() => setTransfer({ kind: 'import' })}>
              Import
            </Button>
          )}
          <Button icon={<Download />} onClick={() => setTransfer({ kind: 'export', keys: undefined })}>
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
        <>
          <Select
            className="items-source"
            aria-label="Table or index"
            value={indexName ?? ''}
            options={sources.map((entry) => ({
              value: entry.indexName ?? '',
              label: entry.indexName === undefined ? 'Table' : `Index ${entry.indexName}`,
            }))}
            onChange={(index) => {
              setSelected(new Set())
              setUrl({ index, pk: noTexts, sk: '', prefix: false })
            }}
          />
          <FindBar
            key={indexName ?? ''}
            table={table}
            keys={keys}
            value={{ partition: url.pk, sort: url.sk, isDescending: url.desc }}
            onChange={find}
            mistake={found.kind === 'mistake' ? found.message : undefined}
          />
          {hasEntities && (
            <Select
              className="items-entity"
              aria-label="Entity"
              value={url.entity}
              options={[
                { value: '', label: 'All entities' },
                ...new Set([...entityNames, ...(url.entity === '' ? [] : [url.entity])]),
              ]}
              onChange={(entity) => setUrl({ entity })}
            />
          )}
          <ColumnChooser columns={orderedColumns(options)} seen={seen} wishes={wishes} onChange={changeWishes} />
        </>
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
        columns={columns}
        rowCount={rows.rowCount}
        rowAt={rows.rowAt}
        rowKey={(row) => keyText(baseKey(table, row))}
        onSight={onSight}
        onOpen={open}
        selected={selected}
        onSelect={setSelected}
        shift={rows.shift}
        widths={wishes.widths}
        onWidths={(widths) => changeWishes({ ...wishes, widths })}
        empty={
          rows.isLoading || rows.error !== undefined ? null : (
            <NothingHere
              table={table}
              isFound={found.kind === 'find'}
              isPrefix={url.prefix}
              indexName={indexName}
              canWrite={!isReadOnly}
              partition={url.pk}
              onCreate={create}
              onImport={() => setTransfer({ kind: 'import' })}
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
      <div className="items-status" role="status" aria-live="off">
        <span className="number">{sightWords(inSight, rows, found.kind === 'find')}</span>
        {isFiltered && (
          <span className="number">
            a filter reads all it passes over: {formatCount(rows.scannedItems)} items read
          </span>
        )}
        {rows.isLoading && <span>loading …</span>}
      </div>
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
          find={found.kind === 'find' ? found.find : undefined}
          onClose={() => setTransfer(undefined)}
        />
      )}
    </Page>
  )
}

/** A new item begins with its key. */
function emptyItem(table: TableDescription): Item {
  const { partition, sort } = schemaKeys(table.KeySchema)
  return Object.fromEntries(
    [...partition, ...sort].map((name) => [name, { [typeOfKey(table, name)]: '' } as unknown as Item[string]]),
  )
}

function noteSamples(
  known: ReadonlyMap<string, Item>,
  rows: readonly Item[],
  entityName: (item: Item) => string | undefined,
): ReadonlyMap<string, Item> {
  let next: Map<string, Item> | undefined
  for (const row of rows) {
    const name = entityName(row)
    if (name === undefined || (next ?? known).has(name) || (next ?? known).size >= 60) continue
    next ??= new Map(known)
    next.set(name, row)
  }
  return next ?? known
}

function sightWords(
  [first, last]: readonly [number, number],
  rows: { readonly rowCount: number; readonly isCounted: boolean; readonly isComplete: boolean },
  isFound: boolean,
): string {
  if (rows.rowCount === 0) return ''
  const about = rows.isCounted ? '' : 'about '
  const end = Math.min(last, rows.rowCount - 1) + 1
  const total = rows.isComplete
    ? `of ${formatCount(rows.rowCount)}`
    : isFound
      ? `of ${formatCount(rows.rowCount)} so far`
      : `of about ${formatCount(rows.rowCount)}`
  return `rows ${about}${formatCount(first + 1)}–${formatCount(end)} ${total}`
}

function wishesName(table: TableDescription): string {
  return `items.columns.${table.TableArn}`
}
