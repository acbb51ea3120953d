import { expect, test } from 'vitest'
import { nextSort, sortRows } from './sort-rows.ts'

const rows = [
  { id: { S: 'b' }, total: { N: '10' } },
  { id: { S: 'a' }, total: { N: '9' } },
  { id: { S: 'none' } },
  { id: { S: 'text' }, total: { S: '1' } },
  { id: { S: 'c' }, total: { N: '10' } },
]
const ids = (sorted: readonly object[]) => sorted.map((row) => (row as { id: { S: string } }).id.S)

const entityName = (row: object) => ids([row])[0]

test('numbers are sorted as numbers, equal ones stay as they were, and what lacks the attribute is last', () => {
  expect(ids(sortRows(rows, { columnId: 'a:total', isDescending: false }, entityName))).toEqual([
    'a',
    'b',
    'c',
    'text',
    'none',
  ])
  expect(ids(sortRows(rows, { columnId: 'a:total', isDescending: true }, entityName))).toEqual([
    'text',
    'b',
    'c',
    'a',
    'none',
  ])
  expect(ids(sortRows(rows, { columnId: 'a:__proto__', isDescending: false }, entityName))).toEqual(ids(rows))
  expect(ids(sortRows(rows, { columnId: '#entity', isDescending: false }, entityName))).toEqual(
    ids(rows).toSorted(),
  )
})

test('a third click gives the order of the table back', () => {
  const up = nextSort(undefined, 'total')
  const down = nextSort(up, 'total')
  expect([up, down, nextSort(down, 'total')]).toEqual([
    { columnId: 'total', isDescending: false },
    { columnId: 'total', isDescending: true },
    undefined,
  ])
  expect(nextSort(down, 'id')).toEqual({ columnId: 'id', isDescending: false })
})
