import type { Item } from '@hashrange/core'
import { useMemo, useState } from 'react'
import { keysOfSource, sourcesOf, type Source, type SourceKeys } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { useSeenItems, type SeenItems } from './columns/use-seen-items.ts'
import { entityNamer, entityTerms } from './find/entities.ts'
import { findRequest, type KeyFind } from './find/find-request.ts'
import { useModelledEntities } from './find/use-entities.ts'
import type { ItemsUrl } from './items-url.ts'
import type { RowSort } from './rows/sort-rows.ts'
import { useSortedRows } from './rows/use-sorted-rows.ts'
import { useSourceRows, type SourceRows } from './rows/use-source-rows.ts'

export interface ShownItems {
  readonly sources: readonly Source[]
  /** The table, or the index that the address names. */
  readonly source: Source | undefined
  readonly indexName: string | undefined
  readonly keys: SourceKeys
  /** Undefined if everything is shown. */
  readonly find: KeyFind | undefined
  /** Why what was typed finds nothing. */
  readonly mistake: string | undefined
  readonly rows: SourceRows
  /** By what the rows that are loaded are sorted; nothing for the order of the table. */
  readonly sort: RowSort | undefined
  readonly setSort: (sort: RowSort | undefined) => void
  readonly seen: SeenItems
  readonly entityName: (item: Item) => string | undefined
  /** Of the model, and those that were seen. */
  readonly entityNames: readonly string[]
}

/** The items that the address asks for, and what is known of them. */
export function useShownItems(table: TableDescription, url: ItemsUrl): ShownItems {
  const modelled = useModelledEntities(table.TableName)
  const sources = useMemo(() => sourcesOf(table), [table])
  const source = sources.find(({ indexName }) => indexName === url.index) ?? sources[0]
  const indexName = source?.indexName
  const keys = useMemo(() => keysOfSource(table, indexName), [table, indexName])
  const entityName = useMemo(() => entityNamer(table, modelled), [table, modelled])
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
  const mistake = found.kind === 'mistake' ? found.message : undefined
  const [sort, setSort] = useState<RowSort | undefined>()
  const all = useSourceRows(table, indexName, source?.itemCount ?? 0, find)
  const rows = useSortedRows(all, sort, entityName)
  const seen = useSeenItems(rows, entityName)
  const entityNames = useMemo(
    () => [...new Set([...(modelled?.names ?? []), ...seen.samples.keys()])],
    [modelled, seen.samples],
  )
  return { sources, source, indexName, keys, find, mistake, rows, sort, setSort, seen, entityName, entityNames }
}
