import type { Item } from '@hashrange/core'
import { RefreshCw } from '../../icons/icons.generated.ts'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useRefresh } from '../../api/queries.ts'
import { keyNames, schemaKeys, sourcesOf } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { IconButton } from '../../components/controls/button.tsx'
import { Page } from '../../components/page/page.tsx'
import { useUrlState } from '../../state/url-state.ts'
import { plural } from '../../values/format.ts'
import { ItemDrawer } from '../items/editor/item-drawer.tsx'
import { entityNamer } from '../items/find/entities.ts'
import { useModelledEntities } from '../items/find/use-entities.ts'
import { baseKey, keyFromText, keyText } from '../items/keys/keys.ts'
import { CollectionsToolbar } from './collections-toolbar.tsx'
import { collectionsSchema, withText } from './collections-url.ts'
import { entityFilter } from './entity-filter.ts'
import { FollowedNotice } from './followed-notice.tsx'
import { SourcePanel } from './source-panel.tsx'
import { useCollectionsCommands } from './use-collections-commands.ts'
import { useFacets } from './use-facets.ts'
import { useFollowedItem } from './use-followed-item.ts'
import './collections.css'

export function CollectionsView({ table }: { readonly table: TableDescription }) {
  const [url, setUrl] = useUrlState(collectionsSchema)
  const refreshAll = useRefresh()
  const modelled = useModelledEntities(table.TableName)
  const sources = useMemo(() => sourcesOf(table), [table])
  const entityName = useMemo(() => entityNamer(table, modelled), [table, modelled])
  const filters = useMemo(
    () =>
      new Map(
        sources.map(
          ({ indexName }) => [indexName, entityFilter(table, indexName, modelled, url.entities)] as const,
        ),
      ),
    [sources, table, modelled, url.entities],
  )
  const facets = useFacets(modelled?.names, url.hide)
  const followed = useFollowedItem(table, url.item)
  const [duplicate, setDuplicate] = useState<Item | undefined>()
  const editKey = url.edit === '' ? undefined : keyFromText(url.edit, keyNames(schemaKeys(table.KeySchema)))
  const shownSources = sources.filter(({ indexName }) => !url.hide.includes(indexName ?? ''))
  const clear = useCallback(() => setUrl({ item: '', from: '-', source: '-' }), [setUrl])
  useCollectionsCommands({ clear, reload: refreshAll })
  useEffect(() => {
    if (url.source === '-') return
    document.querySelector(`[data-source="${CSS.escape(url.source)}"]`)?.scrollIntoView({ inline: 'start' })
  }, [url.source, followed.item === undefined])

  return (
    <Page
      layout="fill"
      title="Collections"
      aside={<span>{plural(table.ItemCount, 'item')} in the table</span>}
      actions={<IconButton label="Reload" shortcut="R" icon={<RefreshCw />} onClick={() => void refreshAll()} />}
      toolbar={<CollectionsToolbar sources={sources} facets={facets} url={url} setUrl={setUrl} />}
    >
      {followed.key !== undefined && (
        <FollowedNotice itemKey={followed.key} isMissing={followed.isMissing} onClear={clear} />
      )}
      <div className="collections-panels">
        {shownSources.map((source) => (
          <SourcePanel
            key={source.indexName ?? ''}
            table={table}
            source={source}
            entityName={entityName}
            entities={url.entities}
            filter={filters.get(source.indexName)}
            followed={followed.item}
            isOrigin={url.from === (source.indexName ?? '')}
            at={url.at[source.indexName ?? '']}
            onAt={(at) => setUrl({ at: withText(url.at, source.indexName ?? '', at) }, { push: true })}
            find={url.find[source.indexName ?? ''] ?? ''}
            onFind={(text) =>
              setUrl({ find: withText(url.find, source.indexName ?? '', text), item: '', from: '-' })
            }
            onFollow={(row) =>
              setUrl(
                { item: keyText(baseKey(table, row)), from: source.indexName ?? '', source: '-' },
                { push: true },
              )
            }
            onEdit={(row) => setUrl({ edit: keyText(baseKey(table, row)) }, { push: true })}
            onCounts={facets.report}
          />
        ))}
        {shownSources.length === 0 && <p className="collections-none">Choose the table or an index above.</p>}
      </div>
      {(duplicate !== undefined || editKey !== undefined) && (
        <ItemDrawer
          table={table}
          target={duplicate !== undefined ? { kind: 'new', item: duplicate } : { kind: 'edit', key: editKey ?? {} }}
          entityName={entityName}
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
