import { expect, test } from 'vitest'
import { sortSummaries } from './sort-summaries.ts'
import type { TableSummary } from './table-summaries.ts'

const summaries = [summary('users', 3, 900), summary('Shop-orders', 10, 500), summary('shop', 3, 100)] as const

test('tables are sorted by a column, then by name, and found by all words of a filter', () => {
  const names = (...rest: [string, 'name' | 'items' | 'size', boolean]): string[] =>
    sortSummaries(summaries, ...rest).map(({ table }) => table.TableName)
  expect(names('', 'name', false)).toEqual(['Shop-orders', 'shop', 'users'])
  expect(names('', 'items', true)).toEqual(['Shop-orders', 'shop', 'users'])
  expect(names('', 'size', true)).toEqual(['users', 'Shop-orders', 'shop'])
  expect(names('ord SHOP', 'name', false)).toEqual(['Shop-orders'])
})

function summary(TableName: string, ItemCount: number, TableSizeBytes: number): TableSummary {
  return {
    table: { TableName, ItemCount, TableSizeBytes },
    timeToLive: {},
    recovery: {},
  } as unknown as TableSummary
}
