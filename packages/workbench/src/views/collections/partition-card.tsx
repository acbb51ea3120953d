import { attributeOf, type Item } from '@hashrange/core'
import { useQuery } from '@tanstack/react-query'
import { Crosshair, Ellipsis, PencilLine, Search } from '../../icons/icons.generated.ts'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { SourceKeys } from '../../api/table-facts.ts'
import { scopeKey, useCall } from '../../api/queries.ts'
import { EntityChip } from '../../components/values/badge.tsx'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Menu } from '../../components/controls/menu.tsx'
import { ValueCell } from '../../components/values/value-cell.tsx'
import { useLink } from '../../state/links.ts'
import { useScope } from '../../state/scope.tsx'
import { entityStyle } from '../../values/entity-colour.ts'
import { partitionCondition } from '../items/find/find-request.ts'
import { baseKey, keyText, pick } from '../items/keys/keys.ts'
import { queryLink } from '../items/keys/query-link.ts'
import { scanSource, sourceInput } from '../items/rows/source-rows.ts'
import { alignColumns } from './align-columns.ts'
import type { Partition } from './load-partitions.ts'
import type { SourcePanelProps } from './source-panel.tsx'

const moreRows = 50

export interface PartitionCardProps extends SourcePanelProps {
  readonly keys: SourceKeys
  readonly partition: Partition
  readonly followedKey: string | undefined
  readonly isFirst: boolean
}

/** One partition: its key, and its items in the order of the sort key, each in the colour of its entity. */
export function PartitionCard(props: PartitionCardProps) {
  const { table, source, keys, partition, entities, entityName, followedKey } = props
  const call = useCall()
  const scope = useScope()
  const link = useLink()
  const [extra, setExtra] = useState(0)
  const last = partition.rows.at(-1)
  // What follows the rows that came with the page, as far as was asked for.
  const more = useQuery({
    queryKey: [
      scopeKey(scope),
      'collections',
      table.TableName,
      source.indexName ?? '',
      partition.id,
      extra,
      last === undefined ? '' : keyText(baseKey(table, last)),
    ],
    enabled: extra > 0 && last !== undefined,
    queryFn: async ({ signal }) => {
      const access = scanSource(call, table, source.indexName)
      const input = {
        ...sourceInput(table, source.indexName),
        ...partitionCondition(keys, pick(last ?? {}, keys.partition) ?? {}),
        ExclusiveStartKey: access.cursorOf(last ?? {}),
        Limit: extra,
      }
      return call<{ Items: readonly Item[]; LastEvaluatedKey?: Item }>('Query', input, signal)
    },
  })
  const isShown = (row: Item): boolean => entities.length === 0 || entities.includes(entityName(row) ?? '')
  const rows = [...partition.rows, ...(more.data?.Items.filter(isShown) ?? [])]
  const hasMore = more.data === undefined ? partition.hasMore : more.data.LastEvaluatedKey !== undefined
  const [first] = rows
  if (first === undefined) return null
  const columns = alignColumns(rows, entityName, new Set([...keys.partition, ...keys.sort]), (name) =>
    table.AttributeDefinitions.some(({ AttributeName }) => AttributeName === name),
  )
  return (
    <div className="partition" role="rowgroup">
      <div className="partition-head" role="row">
        <span className="partition-key" role="gridcell">
          {keys.partition.map((name) => {
            const value = attributeOf(first, name)
            return value === undefined ? null : <ValueCell key={name} value={value} />
          })}
        </span>
        <span className="partition-query" role="gridcell">
          <Link href={queryLink(link, table, source.indexName, first)} tabIndex={-1}>
            Query
          </Link>
        </span>
      </div>
      {partition.hasBefore && <p className="partition-more">earlier items are not shown</p>}
      {rows.map((row, position) => (
        <CollectionRow
          key={keyText(baseKey(table, row))}
          {...props}
          row={row}
          columns={columns.get(entityName(row)) ?? []}
          isFollowed={followedKey === keyText(baseKey(table, row))}
          isTabStop={props.isFirst && position === 0}
        />
      ))}
      {hasMore && (
        <div className="partition-more">
          <Button tone="quiet" isBusy={more.isFetching} onClick={() => setExtra(extra + moreRows)}>
            Show more of this partition
          </Button>
        </div>
      )}
    </div>
  )
}

function CollectionRow({
  row,
  columns,
  table,
  source,
  keys,
  entityName,
  isFollowed,
  isTabStop,
  onFollow,
  onEdit,
}: PartitionCardProps & {
  readonly row: Item
  readonly columns: readonly string[]
  readonly isFollowed: boolean
  readonly isTabStop: boolean
}) {
  const link = useLink()
  const [, navigate] = useLocation()
  const entity = entityName(row)
  const query = queryLink(link, table, source.indexName, row)
  return (
    <div
      role="row"
      data-row
      tabIndex={isTabStop ? 0 : -1}
      aria-selected={isFollowed}
      className={`collection-row ${entity === undefined ? '' : 'is-entity'} ${isFollowed ? 'is-followed' : ''}`}
      style={entity === undefined ? undefined : entityStyle(entity)}
      onClick={() => onFollow(row)}
      onDoubleClick={() => onEdit(row)}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return
        if (event.key === 'Enter') onEdit(row)
        else if (event.key === ' ' || event.key === 'f') onFollow(row)
        else if (event.key === 'q') navigate(query)
        else return
        event.preventDefault()
      }}
    >
      <span className="collection-sort" role="gridcell">
        {entity !== undefined && <EntityChip name={entity} />}
        <span className="collection-sort-values">
          {keys.sort.map((name) => {
            const value = attributeOf(row, name)
            return value === undefined ? null : <ValueCell key={name} value={value} />
          })}
        </span>
      </span>
      {columns.map((name) => {
        const value = attributeOf(row, name)
        return (
          <span key={name} className="collection-cell" role="gridcell">
            {value !== undefined && (
              <>
                <span className="collection-name truncate" dir="auto">
                  {name.slice(0, 60)}
                </span>
                <ValueCell value={value} />
              </>
            )}
          </span>
        )
      })}
      <span
        className="collection-actions"
        role="gridcell"
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Menu
          align="end"
          trigger={<IconButton label="Actions" icon={<Ellipsis />} tabIndex={-1} />}
          entries={[
            { label: 'Open the item', icon: <PencilLine />, shortcut: 'Enter', onSelect: () => onEdit(row) },
            { label: 'Where it appears', icon: <Crosshair />, shortcut: 'F', onSelect: () => onFollow(row) },
            { label: 'Query this partition', icon: <Search />, shortcut: 'Q', onSelect: () => navigate(query) },
          ]}
        />
      </span>
    </div>
  )
}
