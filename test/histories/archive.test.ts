import { expect, test } from 'vitest'
import { Archive } from './archive.ts'
import type { ItemOperation } from './checker/item-operation.ts'
import type { Transaction } from './checker/transaction.ts'

const base = { client: 'c', startedAtMs: 0, endedAtMs: 1 }
const transactions: readonly Transaction[] = [
  { ...base, id: 0, outcome: 'committed', appends: [{ key: 'x', values: [1, 2] }], reads: [] },
  { ...base, id: 1, outcome: 'unknown', appends: [{ key: 'x', values: [3] }], reads: [] },
  { ...base, id: 2, outcome: 'committed', appends: [], reads: [{ key: 'x', values: [1, 2] }] },
  { ...base, id: 3, outcome: 'committed', appends: [], reads: [{ key: 'empty', values: [] }] },
]
const read = (id: number, key: string, held: number | undefined): ItemOperation => ({
  ...base,
  id,
  key,
  action: { kind: 'read' },
  answer: { isDone: true, before: { held } },
})
const operations: readonly ItemOperation[] = [
  read(0, 'sure', 5),
  read(1, 'gone', undefined),
  { ...base, id: 2, key: 'unsure', action: { kind: 'write', value: 7 }, answer: undefined },
  read(3, 'unsure', 6),
]

function archive(): Archive {
  const made = new Archive()
  made.add({ transactions, operations, listRecords: [], itemRecords: [] })
  return made
}

test('what is as it was is right, and what had no answer may have come since', () => {
  expect(archive().checkLists(new Map([['x', [1, 2]]]))).toEqual([])
  expect(archive().checkLists(new Map([['x', [1, 2, 3]]]))).toEqual([])
  const items = new Map([
    ['sure', 5],
    ['unsure', 7],
  ])
  expect(archive().checkItems(items)).toEqual([])
})

test('a list that lost something, gained something or came to be is found', () => {
  for (const values of [[], [1], [2, 1], [1, 2, 4], [12], [1, 2, 3, 4]]) {
    expect(archive().checkLists(new Map([['x', values]]))).toHaveLength(1)
  }
  const emerged = new Map([
    ['x', [1, 2]],
    ['empty', [9]],
  ])
  expect(archive().checkLists(emerged)).toHaveLength(1)
})

test('an item that changed is found', () => {
  expect(archive().checkItems(new Map([['sure', 4]]))).toHaveLength(1)
  expect(archive().checkItems(new Map())).toHaveLength(1)
  const back = new Map([
    ['sure', 5],
    ['gone', 1],
  ])
  expect(archive().checkItems(back)).toHaveLength(1)
})

test('a late record must be of what had no answer, and only once', () => {
  const late = archive()
  expect(late.checkLate({ key: 'x', values: [1, 2, 4] })).toHaveLength(1)
  expect(late.checkLate({ key: 'x', values: [1, 2, 3] })).toEqual([])
  expect(late.checkLists(new Map([['x', [1, 2]]]))).toHaveLength(1)
})
