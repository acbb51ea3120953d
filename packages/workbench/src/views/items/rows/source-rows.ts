import type { Item } from '@hashrange/core'
import type { Call } from '../../../api/api.ts'
import { keyNames, keysOfSource } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import type { FetchPage } from '../../../state/paged-rows.ts'
import { baseKey, keyText, pick } from '../keys/keys.ts'
import { lastKey } from '../keys/last-key.ts'
import { partitionCondition, type KeyFind } from '../find/find-request.ts'
import { pageRows, type ScanSource, type ScanStart } from './scan-source.ts'

interface ItemsPage {
  readonly Items: readonly Item[]
  readonly LastEvaluatedKey?: Item
}

/** The rows of a table or an index in the order of a Scan, which may have a filter. */
export function scanSource(
  call: Call,
  table: TableDescription,
  indexName: string | undefined,
  filter: object = {},
): ScanSource<Item, Item> {
  const keys = keysOfSource(table, indexName)
  const cursorNames = [
    ...new Set([...keyNames(keys), ...table.KeySchema.map(({ AttributeName }) => AttributeName)]),
  ]
  const from = sourceInput(table, indexName)
  const cursorOf = (row: Item): Item => pick(row, cursorNames) ?? {}
  return {
    fetch: async (start, limit, signal) => {
      const input = { ...from, ...filter, Limit: limit, ...startInput(start) }
      const { Items, LastEvaluatedKey } = await call<ItemsPage>('Scan', input, signal)
      return { rows: Items, next: LastEvaluatedKey }
    },
    before: async (cursor, limit, signal) => {
      const { Items } = await call<ItemsPage>(
        'Query',
        {
          ...from,
          ...partitionCondition(keys, pick(cursor, keys.partition) ?? {}),
          ScanIndexForward: false,
          Limit: limit,
          ExclusiveStartKey: cursor,
        },
        signal,
      )
      return Items.toReversed()
    },
    cursorOf,
    endOf: (row) => lastKey(table, keys, cursorOf(row)),
    keyOf: (row) => keyText(baseKey(table, row)),
    partitionOf: (row) => keyText(pick(row, keys.partition) ?? {}),
  }
}

/** Rows that a Query or a filter finds, from the first on. A filter may skip much: pages are requested until
 *  something is found, and the signal may stop it each time. */
export function foundRows(
  call: Call,
  table: TableDescription,
  indexName: string | undefined,
  find: KeyFind,
  onRead: (scannedItems: number) => void,
): FetchPage<Item, Item> {
  const from = sourceInput(table, indexName)
  return async (cursor, signal) => {
    let next = cursor
    for (;;) {
      const input = {
        ...from,
        ...find.input,
        Limit: find.operation === 'Query' && !('FilterExpression' in find.input) ? pageRows : 1000,
        ...(next !== undefined && { ExclusiveStartKey: next }),
      }
      const page = await call<ItemsPage & { readonly ScannedCount: number }>(find.operation, input, signal)
      onRead(page.ScannedCount)
      next = page.LastEvaluatedKey
      if (page.Items.length > 0 || next === undefined) return { rows: page.Items, next }
    }
  }
}

export function sourceInput(table: TableDescription, indexName: string | undefined): object {
  return { TableName: table.TableName, ...(indexName !== undefined && { IndexName: indexName }) }
}

function startInput(start: ScanStart<Item>): object {
  switch (start.kind) {
    case 'beginning':
      return {}
    case 'after':
      return { ExclusiveStartKey: start.cursor }
    case 'part':
      return { Segment: start.part, TotalSegments: start.parts }
  }
}
