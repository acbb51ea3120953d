import { setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { scopeKey, useCall } from '../../api/queries.ts'
import type { Call } from '../../api/api.ts'
import { findIndex, keyNames, typeOfKey, type SourceKeys } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { useScope } from '../../state/scope.tsx'
import { keyValue, partitionCondition } from '../items/find/find-request.ts'
import { keyFromText, keyText, pick } from '../items/keys/keys.ts'
import { scanSource, sourceInput } from '../items/rows/source-rows.ts'
import { indexEntry } from '../items/write/write-cost.ts'
import { loadNeighbours, loadPartitions, type PartitionPage } from './load-partitions.ts'

const neighbours = 12
const liveMs = 4000

export interface PartitionsOptions {
  readonly table: TableDescription
  readonly indexName: string | undefined
  readonly keys: SourceKeys
  /** The item whose neighbours are shown in place of a page of partitions. */
  readonly followed: Item | undefined
  /** Where the page begins, as the text of a key. */
  readonly at: string | undefined
  /** The partition key that is looked for, as it was typed; empty for all of them. */
  readonly find: string
  /** What the Scan is told to return, of entities that were chosen. */
  readonly filter: object | undefined
}

export interface Partitions {
  readonly data: PartitionPage | undefined
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
  /** Whether the followed item is in this source. */
  readonly isHere: boolean
  /** The place of the followed item, if it is here. */
  readonly place: string | undefined
}

/** A page of partitions of the table or an index, or the one around an item, kept up to date. */
export function usePartitions(options: PartitionsOptions): Partitions {
  const { table, indexName, keys, followed, at, find, filter } = options
  const call = useCall()
  const scope = useScope()
  const access = useMemo(() => scanSource(call, table, indexName, filter), [call, table, indexName, filter])
  const cursorNames = [
    ...new Set([...keyNames(keys), ...table.KeySchema.map(({ AttributeName }) => AttributeName)]),
  ]
  const cursor = at === undefined ? undefined : keyFromText(at, cursorNames)
  const isHere = followed !== undefined && pick(followed, keyNames(keys)) !== undefined
  const place = isHere ? keyText(access.cursorOf(followed)) : undefined
  const itemsAfter = async (from: Item, limit: number, stop: AbortSignal): Promise<readonly Item[]> => {
    const input = {
      ...sourceInput(table, indexName),
      ...partitionCondition(keys, pick(from, keys.partition) ?? {}),
      ExclusiveStartKey: from,
      Limit: limit,
    }
    return (await call<{ Items: readonly Item[] }>('Query', input, stop)).Items
  }
  const { data, error, refetch } = useQuery({
    queryKey: [
      scopeKey(scope),
      'collections',
      table.TableName,
      indexName ?? '',
      place ?? at ?? '',
      find,
      followed !== undefined,
      filter,
    ],
    refetchInterval: liveMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<PartitionPage> => {
      if (followed === undefined && find !== '') return findPartition(call, table, indexName, keys, find, signal)
      if (followed === undefined) return loadPartitions(access, cursor, signal, filter !== undefined)
      if (!isHere) return { partitions: [], next: undefined }
      const entry = entryOf(table, indexName, followed) ?? followed
      const partition = await loadNeighbours(access, itemsAfter, entry, neighbours, signal)
      return { partitions: [partition], next: undefined }
    },
  })
  return { data, error, refetch, isHere, place }
}

/** So many items of a partition that was looked for. */
const foundRows = 25

async function findPartition(
  call: Call,
  table: TableDescription,
  indexName: string | undefined,
  keys: SourceKeys,
  text: string,
  signal: AbortSignal,
): Promise<PartitionPage> {
  const [name = ''] = keys.partition
  const partition: Record<string, AttributeValue> = {}
  setAttribute(partition, name, keyValue(typeOfKey(table, name), text))
  const input = { ...sourceInput(table, indexName), ...partitionCondition(keys, partition), Limit: foundRows }
  const page = await call<{ Items: readonly Item[]; LastEvaluatedKey?: Item }>('Query', input, signal)
  if (page.Items.length === 0) return { partitions: [], next: undefined }
  const found = {
    id: keyText(partition),
    rows: page.Items,
    hasBefore: false,
    hasMore: page.LastEvaluatedKey !== undefined,
  }
  return { partitions: [found], next: undefined }
}

/** An index contains of an item what its projection says. */
function entryOf(table: TableDescription, indexName: string | undefined, item: Item): Item | undefined {
  const index = findIndex(table, indexName)
  return index === undefined ? item : indexEntry(table, index, item)
}
