import type { Item } from '@hashrange/core'
import { useMemo, useState } from 'react'
import { useTimeToLive } from '../../../api/queries.ts'
import { keyNames, keysOfSource, schemaKeys, sourcesOf, type SourceKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import type { GridColumn } from '../../../components/grid/grid-column.ts'
import { recallJson, rememberJson } from '../../../state/memory.ts'
import { noWishes, orderedColumns, readWishes, shownColumns, type ColumnWishes } from './columns.ts'
import { attributeColumn, entityColumn, entityMarks, expiryColumn, numericNames } from './grid-columns.tsx'
import type { SeenItems } from './use-seen-items.ts'

export interface ItemColumns {
  readonly columns: readonly GridColumn<Item>[]
  /** The attributes that they show, in their order. */
  readonly names: readonly string[]
  /** The names of all there could be, in their order. */
  readonly ordered: readonly string[]
  readonly wishes: ColumnWishes
  readonly changeWishes: (wishes: ColumnWishes) => void
}

export interface ItemColumnsOptions {
  readonly table: TableDescription
  readonly keys: SourceKeys
  readonly seen: SeenItems
  /** The entity to which the rows are narrowed; empty for all. */
  readonly entity: string
  readonly entityName: (item: Item) => string | undefined
  readonly entityNames: readonly string[]
  readonly open: (row: Item) => void
}

/** The columns of the grid, as the user wants them in this browser. */
export function useItemColumns(options: ItemColumnsOptions): ItemColumns {
  const { table, keys, seen, entity, entityName, entityNames, open } = options
  const { attributes, samples, settled } = seen
  const expiryAttribute = useTimeToLive(table.TableName).data?.AttributeName
  const [wishes, setWishes] = useState(() => recallJson(wishesName(table), noWishes, readWishes))
  const baseNames = useMemo(() => keyNames(schemaKeys(table.KeySchema)), [table])
  const possible = useMemo(() => {
    const ofIndexes = sourcesOf(table).flatMap(({ indexName }) => keyNames(keysOfSource(table, indexName)))
    return {
      seen: attributes,
      keys: [...new Set([...keyNames(keys), ...baseNames])],
      otherKeys: [...new Set([...ofIndexes, ...entityMarks(samples)])],
      wishes,
    }
  }, [attributes, keys, baseNames, table, wishes, samples])
  const shown = useMemo(
    () => shownColumns({ ...possible, entity: entity === '' ? undefined : entity, inSight: settled }),
    [possible, entity, settled],
  )
  const numeric = useMemo(() => numericNames(samples), [samples])
  const shownText = JSON.stringify([shown, numeric, expiryAttribute])
  const hasEntities = entityNames.length > 0
  const columns = useMemo<readonly GridColumn<Item>[]>(
    () => [
      ...(hasEntities ? [entityColumn(entityName, entityNames)] : []),
      ...shown.map((name) => {
        const isPinned = keyNames(keys).includes(name)
        if (name === expiryAttribute) return { ...expiryColumn(name), isPinned }
        const column = attributeColumn(table, name, baseNames[0] === name ? open : undefined, possible.keys)
        return { ...column, isPinned, ...(numeric.includes(name) && { align: 'end' as const }) }
      }),
    ],
    // The names themselves: the list is made anew with every page.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [shownText, entityName, entityNames.join('\u0000'), open, hasEntities],
  )
  const changeWishes = (next: ColumnWishes): void => {
    setWishes(next)
    rememberJson(wishesName(table), next)
  }
  return { columns, names: shown, ordered: orderedColumns(possible), wishes, changeWishes }
}

function wishesName(table: TableDescription): string {
  return `items.columns.${table.TableArn}`
}
