import type { Item } from '@hashrange/core'
import { ChevronLeft, ChevronRight, SkipBack } from '../../icons/icons.generated.ts'
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { keyNames, keysOfSource, type Source } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { TextInput } from '../../components/controls/field.tsx'
import { ErrorBox, Skeleton } from '../../components/messages/notices.tsx'
import { Badge } from '../../components/values/badge.tsx'
import { ExportMenu } from '../../components/values/export-menu.tsx'
import { formatCount, plural } from '../../values/format.ts'
import { baseKey, keyText, pick } from '../items/keys/keys.ts'
import type { Partition, PartitionPage } from './load-partitions.ts'
import { NoPartitions } from './no-partitions.tsx'
import { PartitionCard } from './partition-card.tsx'
import { usePartitions } from './use-partitions.ts'
import { walkRows } from './walk-rows.ts'

export interface SourcePanelProps {
  readonly table: TableDescription
  readonly source: Source
  readonly entityName: (item: Item) => string | undefined
  /** Only these are shown; all if there are none. */
  readonly entities: readonly string[]
  /** The same for a Scan of this source; undefined if the page has to choose. */
  readonly filter: object | undefined
  /** The item whose place is shown. */
  readonly followed: Item | undefined
  /** Whether it was found here: then the partitions stay as they are. */
  readonly isOrigin: boolean
  /** Where the page begins, as the text of a key. */
  readonly at: string | undefined
  readonly onAt: (at: string | undefined) => void
  /** The partition key that is looked for, as it was typed; empty for all of them. */
  readonly find: string
  readonly onFind: (text: string) => void
  readonly onFollow: (row: Item) => void
  readonly onEdit: (row: Item) => void
  readonly onCounts: (source: string, counts: ReadonlyMap<string, number>) => void
}

/** The table or one index, as its partitions. */
export function SourcePanel(props: SourcePanelProps) {
  const { table, source, entityName, followed, at, onAt } = props
  const indexName = source.indexName
  const keys = useMemo(() => keysOfSource(table, indexName), [table, indexName])
  const isFollowing = followed !== undefined && !props.isOrigin
  const { data, error, refetch, isHere, place } = usePartitions({
    table,
    indexName,
    keys,
    followed: isFollowing ? followed : undefined,
    at,
    find: props.find,
    filter: props.filter,
  })
  const isShown = (row: Item): boolean =>
    props.entities.length === 0 || props.entities.includes(entityName(row) ?? '')
  const partitions = (data?.partitions ?? [])
    .map((partition) => ({ ...partition, rows: partition.rows.filter(isShown) }))
    .filter(({ rows }) => rows.length > 0)
  const hidden = (data?.partitions.length ?? 0) - partitions.length

  useEntityCounts(props, data?.partitions)
  const followedKey = followed === undefined ? undefined : keyText(baseKey(table, followed))
  const list = useListAtFollowed(place, data)
  // Where the pages before this one began: partitions have no order in which a Scan could go back.
  const [trail, setTrail] = useState<readonly (string | undefined)[]>([])
  return (
    <section className="collections-panel" data-source={indexName ?? ''} aria-label={indexName ?? 'Table'}>
      <header className="collections-panel-head">
        <h2>{indexName ?? 'Table'}</h2>
        {source.kind !== 'table' && <Badge>{source.kind}</Badge>}
        <span className="collections-keys truncate">
          <b>{keys.partition.join(' + ')}</b>
          {keys.sort.length > 0 && ` / ${keys.sort.join(' + ')}`}
        </span>
        {keys.partition.length === 1 && (
          <TextInput
            className="collections-find"
            type="search"
            aria-label={`Find a partition of ${indexName ?? 'the table'}`}
            placeholder="Find a partition"
            spellCheck={false}
            value={props.find}
            onChange={(event) => props.onFind(event.target.value)}
          />
        )}
        <span className="number muted">{formatCount(source.itemCount)}</span>
      </header>
      <div
        ref={list}
        className="collections-list"
        role="grid"
        aria-label={`Partitions of ${indexName ?? 'the table'}`}
        onKeyDown={walkRows}
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
          <NoPartitions
            isFollowing={isFollowing}
            isFinding={props.find !== ''}
            isHere={isHere}
            missing={missingKeys(followed, keyNames(keys))}
            partitions={data.partitions}
            names={keyNames(keys)}
            indexName={indexName}
          />
        )}
      </div>
      {!isFollowing && props.find === '' && (
        <Pager
          shown={partitions.length}
          hidden={hidden}
          at={at}
          next={data?.next}
          onFirst={() => {
            setTrail([])
            onAt(undefined)
          }}
          onNext={(next) => {
            setTrail([...trail, at])
            onAt(next)
          }}
          onPrevious={
            trail.length === 0
              ? undefined
              : () => {
                  setTrail(trail.slice(0, -1))
                  onAt(trail.at(-1))
                }
          }
          exported={
            partitions.length > 0 && (
              <ExportMenu
                tone="quiet"
                items={() => partitions.flatMap(({ rows }) => rows)}
                fileName={indexName === undefined ? props.table.TableName : `${props.table.TableName}.${indexName}`}
                first={keyNames(keys)}
              />
            )
          }
        />
      )}
    </section>
  )
}

function Pager({
  shown,
  hidden,
  at,
  next,
  onFirst,
  onNext,
  onPrevious,
  exported,
}: {
  readonly shown: number
  readonly hidden: number
  readonly at: string | undefined
  readonly next: Item | undefined
  readonly onFirst: () => void
  readonly onNext: (at: string) => void
  /** Undefined if it is not known where the page before begins. */
  readonly onPrevious: (() => void) | undefined
  readonly exported: ReactNode
}) {
  return (
    <footer className="collections-pager">
      <span className="grow">
        {plural(shown, 'partition')}
        {hidden > 0 && ` · ${formatCount(hidden)} without these entities`}
      </span>
      {exported}
      {at !== undefined && (
        <>
          <Button tone="quiet" icon={<SkipBack />} onClick={onFirst}>
            First
          </Button>
          {onPrevious !== undefined && (
            <Button tone="quiet" icon={<ChevronLeft />} onClick={onPrevious}>
              Previous
            </Button>
          )}
        </>
      )}
      <Button
        tone="quiet"
        disabled={next === undefined}
        onClick={() => next !== undefined && onNext(keyText(next))}
      >
        Next partitions
        <ChevronRight aria-hidden />
      </Button>
    </footer>
  )
}

/** Reports how many items of each entity the panel has. */
function useEntityCounts(
  { source, entityName, entities, onCounts }: SourcePanelProps,
  partitions: readonly Partition[] | undefined,
): void {
  // With every render: what an item is may have been learnt from others meanwhile.
  useEffect(() => {
    // What was chosen must not hide what else there is to choose.
    if (entities.length > 0) return
    const counts = new Map<string, number>()
    for (const { rows } of partitions ?? []) {
      for (const row of rows) {
        const name = entityName(row)
        if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
    onCounts(source.indexName ?? '', counts)
  })
}

/** The list of partitions, which is scrolled to the followed item when its place is known. */
function useListAtFollowed(
  place: string | undefined,
  data: PartitionPage | undefined,
): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('.is-followed')
    if (place === undefined || row === null || row === undefined || list.current === null) return
    // By hand: `scrollIntoView` would move the panels, too.
    list.current.scrollTop += row.getBoundingClientRect().top - list.current.getBoundingClientRect().top - 120
  }, [place, data])
  return list
}

function missingKeys(item: Item | undefined, names: readonly string[]): readonly string[] {
  return item === undefined ? names : names.filter((name) => pick(item, [name]) === undefined)
}
