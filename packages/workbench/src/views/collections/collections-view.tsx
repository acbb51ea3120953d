import type { Item } from '@hashrange/core'
import { useQuery } from '@tanstack/react-query'
import { Crosshair, RefreshCw, X } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { scopeKey, useCall, useRefresh } from '../../api/queries.ts'
import { keyNames, schemaKeys, sourcesOf } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { useCommands } from '../../commands/commands.ts'
import { EntityChip } from '../../components/values/badge.tsx'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Page } from '../../components/page/page.tsx'
import { useScope } from '../../state/scope.tsx'
import { json, text, useUrlState } from '../../state/url-state.ts'
import { formatCount, plural } from '../../values/format.ts'
import { ItemDrawer } from '../items/editor/item-drawer.tsx'
import { entityNamer } from '../items/find/entities.ts'
import { baseKey, keyFromText, keyText, keyWords } from '../items/keys/keys.ts'
import { useModelledEntities } from '../items/find/use-entities.ts'
import { SourcePanel } from './source-panel.tsx'
import './collections.css'

const noNames: readonly string[] = []
const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : noNames)

const urlSchema = {
  /** The sources that are not shown; the table's own name is empty. */
  hide: json(noNames, names),
  entities: json(noNames, names),
  /** Where each source's page begins: the name of the source, then a key. */
  at: json<Readonly<Record<string, string>>>({}, (value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, key]) => [name, String(key)]))
      : {},
  ),
  /** The item that is followed, and in which source it was found. */
  item: text(),
  from: text('-'),
  /** The source to begin with. */
  source: text('-'),
  edit: text(),
}

export function CollectionsView({ table }: { readonly table: TableDescription }) {
  const [url, setUrl] = useUrlState(urlSchema)
  const call = useCall()
  const scope = useScope()
  const refreshAll = useRefresh()
  const modelled = useModelledEntities(table.TableName)
  const sources = useMemo(() => sourcesOf(table), [table])
  const entityName = useMemo(() => entityNamer(table, modelled), [table, modelled])
  const [counts, setCounts] = useState<ReadonlyMap<string, ReadonlyMap<string, number>>>(new Map())
  const [duplicate, setDuplicate] = useState<Item | undefined>()
  const baseNames = keyNames(schemaKeys(table.KeySchema))
  const key = url.item === '' ? undefined : keyFromText(url.item, baseNames)
  const editKey = url.edit === '' ? undefined : keyFromText(url.edit, baseNames)
  const followed = useQuery({
    queryKey: [scopeKey(scope), 'collections', table.TableName, 'item', url.item],
    enabled: key !== undefined,
    refetchInterval: 4000,
    queryFn: async ({ signal }) =>
      (await call<{ Item?: Item }>('GetItem', { TableName: table.TableName, Key: key }, signal)).Item ?? null,
  })
  const item = key === undefined ? undefined : (followed.data ?? undefined)
  const shownSources = sources.filter(({ indexName }) => !url.hide.includes(indexName ?? ''))

  const told = useCallback((source: string, own: ReadonlyMap<string, number>) => {
    setCounts((known) => (sameCounts(known.get(source), own) ? known : new Map(known).set(source, own)))
  }, [])
  const facets = useMemo(() => {
    const total = new Map<string, number>((modelled?.names ?? []).map((name) => [name, 0]))
    for (const [source, own] of counts) {
      if (url.hide.includes(source)) continue
      for (const [name, count] of own) total.set(name, (total.get(name) ?? 0) + count)
    }
    return total
  }, [counts, modelled, url.hide])
  const entityNames = useMemo(() => [...facets.keys()], [facets])
  const clear = useCallback(() => setUrl({ item: '', from: '-', source: '-' }), [setUrl])
  useCommands(
    useMemo(
      () => [
        {
          id: 'collections:clear',
          title: 'Stop following the item',
          group: 'Collections',
          shortcut: 'Escape',
          run: clear,
        },
        {
          id: 'collections:refresh',
          title: 'Reload the collections',
          group: 'Collections',
          shortcut: 'R',
          run: () => void refreshAll(),
        },
      ],
      [clear, refreshAll],
    ),
  )
  useEffect(() => {
    if (url.source === '-') return
    document.querySelector(`[data-source="${CSS.escape(url.source)}"]`)?.scrollIntoView({ inline: 'start' })
  }, [url.source, item === undefined])

  const toggle = (list: readonly string[], name: string): readonly string[] =>
    list.includes(name) ? list.filter((other) => other !== name) : [...list, name]

  return (
    <Page
      layout="fill"
      title="Collections"
      aside={<span>{plural(table.ItemCount, 'item')} in the table</span>}
      actions={<IconButton label="Reload" shortcut="R" icon={<RefreshCw />} onClick={() => void refreshAll()} />}
      toolbar={
        <>
          <div className="collections-sources" role="group" aria-label="Shown side by side">
            {sources.map(({ indexName }) => (
              <button
                key={indexName ?? ''}
                type="button"
                className="collections-source"
                aria-pressed={!url.hide.includes(indexName ?? '')}
                onClick={() => setUrl({ hide: toggle(url.hide, indexName ?? '') })}
              >
                {indexName ?? 'Table'}
              </button>
            ))}
          </div>
          <div className="collections-facets" role="group" aria-label="Entities">
            {[...facets].map(([name, count]) => (
              <button
                key={name}
                type="button"
                className="collections-facet"
                aria-pressed={url.entities.includes(name)}
                onClick={() => setUrl({ entities: toggle(url.entities, name) })}
              >
                <EntityChip name={name} names={entityNames} />
                <span className="number">{formatCount(count)}</span>
              </button>
            ))}
            {url.entities.length > 0 && (
              <Button tone="quiet" onClick={() => setUrl({ entities: noNames })}>
                All entities
              </Button>
            )}
          </div>
        </>
      }
    >
      {key !== undefined && (
        <div className="collections-followed" role="status">
          <Crosshair aria-hidden />
          <span className="truncate">
            {followed.data === null ? 'There is no item ' : 'Where this item appears, with the items around it: '}
            <b dir="auto">{keyWords(key)}</b>
          </span>
          <Button tone="quiet" icon={<X />} onClick={clear}>
            All partitions
          </Button>
        </div>
      )}
      <div className="collections-panels">
        {shownSources.map((source) => (
          <SourcePanel
            key={source.indexName ?? ''}
            table={table}
            source={source}
            entityName={entityName}
            entityNames={entityNames}
            entities={url.entities}
            followed={item}
            isOrigin={url.from === (source.indexName ?? '')}
            at={url.at[source.indexName ?? '']}
            onAt={(at) => setUrl({ at: withAt(url.at, source.indexName ?? '', at) }, { push: true })}
            onFollow={(row) =>
              setUrl(
                { item: keyText(baseKey(table, row)), from: source.indexName ?? '', source: '-' },
                { push: true },
              )
            }
            onEdit={(row) => setUrl({ edit: keyText(baseKey(table, row)) }, { push: true })}
            onCounts={told}
          />
        ))}
        {shownSources.length === 0 && <p className="collections-none">Choose the table or an index above.</p>}
      </div>
      {(duplicate !== undefined || editKey !== undefined) && (
        <ItemDrawer
          table={table}
          target={duplicate !== undefined ? { kind: 'new', item: duplicate } : { kind: 'edit', key: editKey ?? {} }}
          entityName={entityName}
          entityNames={entityNames}
          onClose={() => {
            setDuplicate(undefined)
            setUrl({ edit: '' })
          }}
          onChanged={() => void refreshAll()}
          onDuplicate={setDuplicate}
        />
      )}
    </Page>
  )
}

function withAt(
  at: Readonly<Record<string, string>>,
  source: string,
  cursor: string | undefined,
): Readonly<Record<string, string>> {
  const { [source]: _, ...others } = at
  return cursor === undefined ? others : { ...others, [source]: cursor }
}

function sameCounts(a: ReadonlyMap<string, number> | undefined, b: ReadonlyMap<string, number>): boolean {
  return a?.size === b.size && [...b].every(([name, count]) => a.get(name) === count)
}
