import { describe, expect, test } from 'vitest'
import { tableOf } from '../../../api/testing/table-of.ts'
import { entityNamer, entityTerms } from './entities.ts'
import { findRequest } from './find-request.ts'
import { lastKey } from '../keys/last-key.ts'

const keys = { partition: ['PK'], sort: ['SK'] }
const table = tableOf('t', { PK: 'S', SK: 'N' }, keys)
const nothing = { partition: [], sort: '', isDescending: false, isPrefix: false, entity: [] }

describe('finding', () => {
  test('nothing typed is everything', () => {
    expect(findRequest(table, keys, nothing)).toEqual({ kind: 'everything' })
  })

  test('a partition is a Query, with the sort key if it is typed', () => {
    expect(findRequest(table, keys, { ...nothing, partition: ['a'], sort: '1e2', isDescending: true })).toEqual({
      kind: 'find',
      find: {
        operation: 'Query',
        input: {
          KeyConditionExpression: '#p0 = :p0 AND #s = :s',
          ScanIndexForward: false,
          ExpressionAttributeNames: { '#p0': 'PK', '#s': 'SK' },
          ExpressionAttributeValues: { ':p0': { S: 'a' }, ':s': { N: '100' } },
        },
      },
    })
  })

  test('what is no number is a mistake, in the words of the service', () => {
    expect(findRequest(table, keys, { ...nothing, partition: ['a'], sort: 'x' })).toMatchObject({ kind: 'mistake' })
  })

  test('an entity is a filter, which in a Query leaves out its key', () => {
    const entity = entityTerms(table, undefined, 'Order')
    const scan = findRequest(table, keys, { ...nothing, entity })
    expect(JSON.stringify(scan)).toContain('begins_with')
    const query = findRequest(table, keys, { ...nothing, partition: ['a'], entity })
    expect(JSON.stringify(query)).not.toContain('begins_with')
    expect(entityTerms(table, { names: ['Order'], discriminator: 'kind' }, 'Order')).toEqual([
      { attribute: 'kind', value: 'Order', isPrefix: false },
    ])
  })
})

describe('entities', () => {
  test('are named by an attribute, by the beginning of a key, and by what others with that beginning are', () => {
    const nameOf = entityNamer(table, undefined)
    expect(nameOf({ PK: { S: 'ORDER#1' } })).toBe('ORDER')
    expect(nameOf({ PK: { S: 'ORDER#1' }, EntityType: { S: 'Order' } })).toBe('Order')
    expect(nameOf({ PK: { S: 'ORDER#2' } })).toBe('Order')
    expect(nameOf({ PK: { S: 'plain' } })).toBeUndefined()
  })
})

test('the end of a partition is behind every sort key', () => {
  expect(lastKey(table, keys, { PK: { S: 'a' }, SK: { N: '1' } })).toEqual({
    PK: { S: 'a' },
    SK: { N: '9.9999999999999999999999999999999999999E+125' },
  })
})
