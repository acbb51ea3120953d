import type { Item } from '@hashrange/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronRight, SkipBack } from 'lucide-react'
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { scopeKey, useCall } from '../../api/queries.ts'
import { findIndex, keyNames, keysOfSource, type Source } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { Badge } from '../../components/values/badge.tsx'
import { Button } from '../../components/controls/button.tsx'
import { ErrorBox, Skeleton } from '../../components/messages/notices.tsx'
import { useScope } from '../../state/scope.tsx'
import { formatCount, plural } from '../../values/format.ts'
import { partitionCondition } from '../items/find/find-request.ts'
import { baseKey, keyFromText, keyText, pick } from '../items/keys/keys.ts'
import { scanSource, sourceInput } from '../items/rows/source-rows.ts'
import { indexEntry } from '../items/write/write-cost.ts'
import { loadNeighbours, loadPartitions, type Partition } from './load-partitions.ts'
import { PartitionCard } from './partition-card.tsx'

export interface SourcePanelProps {
  readonly table: TableDescription
  readonly source: Source
  readonly entityName: (item: Item) => string | undefined
  readonly entityNames: readonly string[]
  /** Only these are shown; all if there are none. */
  readonly entities: readonly string[]
  /** The item whose place is shown. */
  readonly followed: Item | undefined
  /** Whether it was found here: then the partitions stay as they are. */
  readonly isOrigin: boolean
  /** Where the page begins, as the text of a key. */
  readonly at: string | undefined
  readonly onAt: (at: string | undefined) => void
  readonly onFollow: (row: Item) => void
  readonly onEdit: (row: Item) => void
  readonly onCounts: (source: string, counts: ReadonlyMap<string, number>) => void
}

const neighbours = 12
const liveMs = 4000

/** The table or one index, as its partitions. */
export function SourcePanel(props: SourcePanelProps) {
  const { table, source, entityName, followed, isOrigin, at, onAt, onCounts } = props
  const call = useCall()
  const scope = useScope()
  const indexName = source.indexName
  const keys = useMemo(() => keysOfSource(table, indexName), [table, indexName])
  const access = useMemo(() => scanSource(call, table, indexName), [call, table, indexName])
  const cursorNames = [
    ...new Set([...keyNames(keys), ...table.KeySchema.map(({ AttributeName }) => AttributeName)]),
  ]
  const cursor = at === undefined ? undefined : keyFromText(at, cursorNames)
  const isFollowing = followed !== undefined && !isOrigin
  // An index holds of it what its projection says.
  const entry = followed === undefined ? undefined : entryOf(table, indexName, followed)
  const isHere = followed !== undefined && pick(followed, keyNames(keys)) !== undefined
  const place = isFollowing && isHere ? keyText(access.cursorOf(followed)) : undefined

  const { data, error, refetch } = useQuery({
    queryKey: [scopeKey(scope), 'collections', table.TableName, indexName ?? '', place ?? at ?? '', isFollowing],
    refetchInterval: liveMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (!isFollowing) return loadPartitions(access, cursor, signal)
      if (!isHere) return { partitions: [], next: undefined }
      const after = async (from: Item, limit: number, stop: AbortSignal): Promise<readonly Item[]> => {
        const input = {
          ...sourceInput(table, indexName),
          ...partitionCondition(keys, pick(from, keys.partition) ?? {}),
          ExclusiveStartKey: from,
          Limit: limit,
        }
        return (await call<{ Items: readonly Item[] }>('Query', input, stop)).Items
      }
      const partition = await loadNeighbours(access, after, entry ?? followed, neighbours, signal)
      return { partitions: [partition], next: undefined }
    },
  })
  const isShown = (row: Item): boolean =>
    props.entities.length === 0 || props.entities.includes(entityName(row) ?? '')
  const partitions = (data?.partitions ?? [])
    .map((partition) => ({ ...partition, rows: partition.rows.filter(isShown) }))
    .filter(({ rows }) => rows.length > 0)
  const hidden = (data?.partitions.length ?? 0) - partitions.length

  // With every render: what an item is may have been learnt from others meanwhile.
  useEffect(() => {
    const counts = new Map<string, number>()
    for (const { rows } of data?.partitions ?? []) {
      for (const row of rows) {
        const name = entityName(row)
        if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
    onCounts(indexName ?? '', counts)
  })

  const followedKey = followed === undefined ? undefined : keyText(baseKey(table, followed))
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('.is-followed')
    if (place === undefined || row === null || row === undefined || list.current === null) return
    // By hand: `scrollIntoView` would move the panels, too.
    list.current.scrollTop += row.getBoundingClientRect().top - list.current.getBoundingClientRect().top - 120
  }, [place, data])
  const press = (event: KeyboardEvent<HTMLDivElement>): void => walkRows(event)

  return (
    <section className="collections-panel" data-source={indexName ?? ''} aria-label={indexName ?? 'Table'}>
      <header className="collections-panel-head">
        <h2>{indexName ?? 'Table'}</h2>
        {source.kind !== 'table' && <Badge>{source.kind}</Badge>}
        <span className="collections-keys truncate">
          <b>{keys.partition.join(' + ')}</b>
          {keys.sort.length > 0 && ` / ${keys.sort.join(' + ')}`}
        </span>
        <span className="number muted">{formatCount(source.itemCount)}</span>
      </header>
      <div
        ref={list}
        className="collections-list"
        role="grid"
        aria-label={`Partitions of ${indexName ?? 'the table'}`}
        onKeyDown={press}
      >
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={8} />}
        <div className="collections-width">
          {partitions.map((partition, position) => (
            <PartitionCard
              key={partition.id}
              {...props}
              keys={keys}
              partition={partition}
              followedKey={followedKey}
              isFirst={position === 0}
            />
          ))}
        </div>
        {data !== undefined && partitions.length === 0 && error === null && (
          <Nothing
            isFollowing={isFollowing}
            isHere={isHere}
            missing={missingKeys(followed, keyNames(keys))}
            partitions={data.partitions}
            names={keyNames(keys)}
            indexName={indexName}
          />
        )}
      </div>
      {!isFollowing && (
        <footer className="collections-pager">
          <span className="grow">
            {plural(partitions.length, 'partition')}
            {hidden > 0 && ` · ${formatCount(hidden)} without these entities`}
          </span>
          {at !== undefined && (
            <Button tone="quiet" icon={<SkipBack />} onClick={() => onAt(undefined)}>
              First
            </Button>
          )}
          <Button
            tone="quiet"
            disabled={data?.next === undefined}
            onClick={() => data?.next !== undefined && onAt(keyText(data.next))}
          >
            Next partitions
            <ChevronRight aria-hidden />
          </Button>
        </footer>
      )}
    </section>
  )
}

function Nothing({
  isFollowing,
  isHere,
  missing,
  partitions,
  names,
  indexName,
}: {
  readonly isFollowing: boolean
  readonly isHere: boolean
  readonly missing: readonly string[]
  readonly partitions: readonly Partition[]
  readonly names: readonly string[]
  readonly indexName: string | undefined
}) {
  const words =
    isFollowing && !isHere
      ? `The item is not in this index: it has no ${missing.join(' and no ')}.`
      : partitions.length > 0
        ? 'None of these item collections has an item of the selected entities.'
        : indexName === undefined
          ? 'The table is empty. Items that share a partition key will be shown together here.'
          : `No item has ${names.join(' and ')}. An index contains only the items that have its key attributes.`
  return <p className="collections-none">{words}</p>
}

function entryOf(table: TableDescription, indexName: string | undefined, item: Item): Item | undefined {
  const index = findIndex(table, indexName)
  return index === undefined ? item : indexEntry(table, index, item)
}

function missingKeys(item: Item | undefined, names: readonly string[]): readonly string[] {
  return item === undefined ? names : names.filter((name) => pick(item, [name]) === undefined)
}

/** Up and down through the rows of a panel, left and right to the panel beside it. */
function walkRows(event: KeyboardEvent<HTMLDivElement>): void {
  const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-row]') : null
  if (row === null) return
  const panel = row.closest('.collections-panel')
  const rowsIn = (element: Element | null | undefined): HTMLElement[] => [
    ...(element?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
  ]
  const own = rowsIn(panel)
  const at = own.indexOf(row)
  const beside = event.key === 'ArrowRight' ? panel?.nextElementSibling : panel?.previousElementSibling
  const next =
    event.key === 'ArrowDown'
      ? own[at + 1]
      : event.key === 'ArrowUp'
        ? own[at - 1]
        : event.key === 'Home'
          ? own[0]
          : event.key === 'End'
            ? own.at(-1)
            : event.key === 'ArrowLeft' || event.key === 'ArrowRight'
              ? (rowsIn(beside)[at] ?? rowsIn(beside).at(-1))
              : undefined
  if (next === undefined) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
