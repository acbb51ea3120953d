import { describe, expect, test } from 'vitest'
import type { TableDescription } from '../../../api-types.ts'
import { checkItem } from './check-item.ts'
import { merged, threeWay, updateRequest } from './save-item.ts'
import { writeCosts } from './write-cost.ts'

const table: TableDescription = {
  TableName: 'shop',
  TableArn: '',
  TableStatus: 'ACTIVE',
  CreationDateTime: 0,
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: ['PK', 'SK', 'G'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  ItemCount: 0,
  TableSizeBytes: 0,
  GlobalSecondaryIndexes: [
    {
      IndexName: 'gsi',
      KeySchema: [{ AttributeName: 'G', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] },
    },
  ],
}
const base = { PK: { S: 'a' }, SK: { S: 'b' }, name: { S: 'Ann' }, age: { N: '1' }, city: { S: 'Rome' } }

describe('saving', () => {
  test('writes what differs, if all is as loaded', () => {
    const mine = { ...base, name: { S: 'Bob' }, extra: { BOOL: true } }
    expect(updateRequest(table, base, mine)).toMatchObject({
      Key: { PK: { S: 'a' }, SK: { S: 'b' } },
      UpdateExpression: 'SET #c2 = :n2, #c5 = :n5',
      ConditionExpression:
        '#c0 = :c0 AND #c1 = :c1 AND #c2 = :c2 AND #c3 = :c3 AND #c4 = :c4 AND attribute_not_exists(#c5)',
    })
    expect(updateRequest(table, base, base)).toBeUndefined()
  })

  test('of two changes each to its own attribute both are kept; of two to the same, the chosen one', () => {
    const theirs = { ...base, age: { N: '2' }, city: { S: 'Oslo' } }
    const mine = { PK: base.PK, SK: base.SK, age: base.age, name: { S: 'Bob' }, city: { S: 'Bern' } }
    const rows = threeWay(base, theirs, mine)
    expect(rows.filter(({ isConflict }) => isConflict).map(({ name }) => name)).toEqual(['city'])
    expect(merged(base, theirs, mine, new Map([['city', 'mine']]))).toEqual({
      ...base,
      age: { N: '2' },
      name: { S: 'Bob' },
      city: { S: 'Bern' },
    })
    expect(
      merged(
        base,
        theirs,
        mine,
        new Map([
          ['city', 'theirs'],
          ['name', 'theirs'],
        ]),
      ),
    ).toEqual(theirs)
  })
})

describe('what a write costs', () => {
  test('an index costs if its entry changes, and twice if it moves', () => {
    const indexed = { ...base, G: { S: 'x' } }
    const effects = (before: typeof base | undefined, after: typeof base): unknown =>
      writeCosts(table, before, after).map(({ effect, units }) => `${effect} ${String(units)}`)
    expect(effects(undefined, base)).toEqual(['added 1', 'absent 0'])
    expect(effects(base, indexed)).toEqual(['written 1', 'added 1'])
    expect(effects(indexed, { ...indexed, age: { N: '3' } })).toEqual(['written 1', 'unchanged 0'])
    expect(effects(indexed, { ...indexed, name: { S: 'Z' } })).toEqual(['written 1', 'changed 1'])
    expect(effects(indexed, { ...indexed, G: { S: 'y' } } as typeof base)).toEqual(['written 1', 'moved 2'])
  })
})

describe('an item is checked', () => {
  test('against the keys of the table and of its indexes, and for its size', () => {
    const messages = (item: object): string[] =>
      checkItem(table, item as typeof base).map(({ message }) => message.slice(0, 70))
    expect(messages(base)).toEqual([])
    expect(messages({ PK: { N: '1' }, G: { S: '' } })).toEqual([
      'One or more parameter values were invalid: Type mismatch for key PK ex',
      'Missing the key SK in the item',
      'One or more parameter values are not valid. A value specified for a se',
    ])
    expect(messages({ ...base, big: { S: 'x'.repeat(410_000) } })).toEqual([
      'Item size has exceeded the maximum allowed size',
    ])
  })
})
