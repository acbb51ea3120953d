import { expect, test } from 'vitest'
import { tableOf } from '../../../api/testing/table-of.ts'
import { fitsTransaction, reversed } from './commit-edits.ts'
import { editedRow, isEdited, noEdits, stageEdit, stagedChanges } from './staged-edits.ts'

const table = tableOf('shop', { PK: 'S', SK: 'S' }, { partition: ['PK'], sort: ['SK'] })
const row = { PK: { S: 'a' }, SK: { S: 'b' }, total: { N: '1' } }

test('changes of an item are collected, and one that is taken back is none', () => {
  const one = stageEdit(noEdits, table, row, 'total', { N: '2' })
  const two = stageEdit(one, table, editedRow(one, table, row), 'note', { S: 'x' })
  expect(stagedChanges(two).map(({ name, before, after }) => [name, before, after])).toEqual([
    ['total', { N: '1' }, { N: '2' }],
    ['note', undefined, { S: 'x' }],
  ])
  expect(editedRow(two, table, row)).toEqual({ ...row, total: { N: '2' }, note: { S: 'x' } })
  expect([isEdited(two, table, row, 'total'), isEdited(two, table, row, 'SK')]).toEqual([true, false])
  const back = stageEdit(stageEdit(two, table, row, 'total', { N: '1' }), table, row, 'note', undefined)
  expect(back.size).toBe(0)
})

test('an attribute may be called anything, and removed', () => {
  const hostile = stageEdit(noEdits, table, row, '__proto__', { S: 'x' })
  expect(stagedChanges(hostile).map(({ name }) => name)).toEqual(['__proto__'])
  const removed = stageEdit(noEdits, table, row, 'total', undefined)
  expect(editedRow(removed, table, row)).toEqual({ PK: { S: 'a' }, SK: { S: 'b' } })
})

test('what a transaction does not take is written item by item, and all of it can be turned round', () => {
  const staged = { loaded: row, edited: { ...row, total: { N: '2' } } }
  expect(fitsTransaction(Array.from({ length: 100 }, () => staged))).toBe(true)
  expect(fitsTransaction(Array.from({ length: 101 }, () => staged))).toBe(false)
  const large = { loaded: row, edited: { ...row, text: { S: 'x'.repeat(390_000) } } }
  expect(fitsTransaction(Array.from({ length: 20 }, () => large))).toBe(false)
  expect(reversed([staged])).toEqual([{ loaded: staged.edited, edited: row }])
})
