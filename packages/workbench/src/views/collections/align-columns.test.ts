import type { Item } from '@hashrange/core'
import { expect, test } from 'vitest'
import { alignColumns } from './align-columns.ts'

const item = (kind: string, names: readonly string[]): Item => ({
  kind: { S: kind },
  PK: { S: 'p' },
  ...Object.fromEntries(names.map((name) => [name, { S: name }])),
})

test('items of an entity share their columns, the common ones first and other keys last', () => {
  const rows = [
    item('Order', ['GSI1PK', 'note', 'total']),
    item('Order', ['total', 'GSI1PK']),
    item('Customer', ['__proto__x', 'name']),
  ]
  const columns = alignColumns(
    rows,
    ({ kind }) => (kind !== undefined && 'S' in kind ? kind.S : undefined),
    new Set(['PK']),
    (name) => name.startsWith('GSI'),
  )
  expect([...columns]).toEqual([
    ['Order', ['total', 'note', 'GSI1PK']],
    ['Customer', ['__proto__x', 'name']],
  ])
})
