import { describe, expect, test } from 'vitest'
import {
  countAttributes,
  moveColumn,
  noteAttributes,
  noWishes,
  orderedColumns,
  readWishes,
  shownColumns,
  toggleHidden,
} from './columns.ts'

const rows = [
  { PK: { S: 'a' }, SK: { S: 'b' }, GSI1PK: { S: 'c' }, name: { S: 'Ann' }, EntityType: { S: 'Customer' } },
  { PK: { S: 'a' }, SK: { S: 'c' }, total: { N: '1' }, EntityType: { S: 'Order' } },
]
const entityName = (item: (typeof rows)[number] | object): string =>
  (item as { EntityType?: { S: string } }).EntityType?.S ?? ''
const seen = noteAttributes(new Map(), rows, entityName)
const options = { seen, keys: ['PK', 'SK'], otherKeys: ['GSI1PK'], wishes: noWishes }

describe('columns', () => {
  test('keys come first, those of other indexes last', () => {
    expect(orderedColumns(options)).toEqual(['PK', 'SK', 'name', 'EntityType', 'total', 'GSI1PK'])
  })

  test('of an entity are only those its items have', () => {
    expect(shownColumns({ ...options, entity: 'Order' })).toEqual(['PK', 'SK', 'EntityType', 'total'])
  })

  test('follow the rows in sight, those first that most of them have, unless the user has put them in an order', () => {
    const many = [rows[1], rows[1], rows[1], rows[0]].flatMap((row) => row ?? [])
    const inSight = countAttributes(many)
    expect(shownColumns({ ...options, inSight })).toEqual(['PK', 'SK', 'EntityType', 'total', 'name', 'GSI1PK'])
    const orders = countAttributes(many.slice(0, 3))
    expect(shownColumns({ ...options, inSight: orders })).toEqual(['PK', 'SK', 'EntityType', 'total'])
    const all = { ...options, inSight: orders, wishes: { ...noWishes, isAll: true } }
    expect(shownColumns(all)).toEqual(orderedColumns(options))
    const ordered = { ...noWishes, order: ['total', 'PK'] }
    expect(shownColumns({ ...options, inSight: orders, wishes: ordered })).toEqual([
      'total',
      'PK',
      'SK',
      'EntityType',
    ])
  })

  test('can be hidden, moved, and are remembered', () => {
    const wishes = { ...toggleHidden(noWishes, 'name'), order: moveColumn(orderedColumns(options), 'total', -1) }
    expect(shownColumns({ ...options, wishes })).toEqual(['PK', 'SK', 'total', 'EntityType', 'GSI1PK'])
    expect(readWishes(JSON.parse(JSON.stringify(wishes)))).toEqual(wishes)
    expect(readWishes({ order: 7, widths: { a: 'x', b: 3 } })).toEqual({
      order: [],
      hidden: [],
      widths: { b: 3 },
      isAll: false,
    })
  })

  test('rows that bring nothing new change nothing', () => {
    expect(noteAttributes(seen, rows, entityName)).toBe(seen)
  })
})
