import { setAttribute } from '@hashrange/core'
import { describe, expect, test } from 'vitest'
import type { AttributeValue, Item } from '../../api-types.ts'
import { changedNames, diffItems, isSameValue, leafChanges, type Difference } from './diff-items.ts'

const short = ({ name, kind, parts }: Difference): unknown =>
  parts === undefined ? [name, kind] : [name, kind, changedNames(parts).map(short)]

describe('the difference of two images', () => {
  test('names what was added, removed, changed and left alone, the keys first', () => {
    const before: Item = { id: { S: '1' }, a: { N: '1' }, gone: { BOOL: true }, same: { S: 'x' } }
    const after: Item = { id: { S: '1' }, a: { N: '2' }, same: { S: 'x' }, fresh: { NULL: true } }
    expect(diffItems(before, after, ['id']).map(short)).toEqual([
      ['id', 'same'],
      ['a', 'changed'],
      ['fresh', 'added'],
      ['gone', 'removed'],
      ['same', 'same'],
    ])
  })

  test('goes into maps and lists', () => {
    const before: Item = { m: { M: { x: { L: [{ N: '1' }, { N: '2' }] }, y: { S: 'y' } } } }
    const after: Item = { m: { M: { y: { S: 'y' }, x: { L: [{ N: '1' }, { N: '3' }, { N: '4' }] } } } }
    expect(changedNames(diffItems(before, after, [])).map(short)).toEqual([
      [
        'm',
        'changed',
        [
          [
            'x',
            'changed',
            [
              ['[1]', 'changed'],
              ['[2]', 'added'],
            ],
          ],
        ],
      ],
    ])
  })

  test('is told in a line by the parts that have changed', () => {
    const before: Item = { m: { M: { x: { L: [{ N: '1' }] }, y: { S: 'y' } } }, s: { SS: ['a'] } }
    const after: Item = { m: { M: { x: { L: [{ N: '2' }] }, y: { S: 'y' } } }, s: { SS: ['b'] } }
    const leaves = leafChanges(diffItems(before, after, []), 10)
    expect(leaves.map(({ name, kind }) => [name, kind])).toEqual([
      ['m.x[0]', 'changed'],
      ['s', 'removed'],
      ['s', 'added'],
    ])
    expect(leafChanges(diffItems(before, after, []), 1)).toHaveLength(1)
  })

  test('shows which members a set has gained and lost, whatever their order', () => {
    const before: Item = { tags: { SS: ['a', 'b', 'c'] } }
    const after: Item = { tags: { SS: ['c', 'd', 'a'] } }
    expect(diffItems(before, after, [])[0]?.parts).toEqual([
      { name: '', kind: 'removed', before: { S: 'b' } },
      { name: '', kind: 'added', after: { S: 'd' } },
    ])
    expect(diffItems(before, { tags: { SS: ['c', 'b', 'a'] } }, []).map(short)).toEqual([['tags', 'same']])
  })

  test('a value of another type is another value, and nothing is compared into it', () => {
    expect(diffItems({ a: { S: '1' } }, { a: { N: '1' } }, [])).toEqual([
      { name: 'a', kind: 'changed', before: { S: '1' }, after: { N: '1' } },
    ])
    expect(diffItems({ a: { M: {} } }, { a: { L: [] } }, []).map(short)).toEqual([['a', 'changed']])
  })

  test('an item that was not there, or is no more, is added or removed as a whole', () => {
    expect(diffItems(undefined, { id: { S: '1' } }, ['id']).map(short)).toEqual([['id', 'added']])
    expect(diffItems({ id: { S: '1' } }, undefined, ['id']).map(short)).toEqual([['id', 'removed']])
  })

  test('attribute names that mean something to JavaScript are names like others', () => {
    const before: Record<string, AttributeValue> = {}
    const after: Record<string, AttributeValue> = {}
    setAttribute(before, '__proto__', { N: '1' })
    setAttribute(after, '__proto__', { N: '2' })
    setAttribute(after, 'constructor', { S: 'x' })
    expect(diffItems(before, after, []).map(short)).toEqual([
      ['__proto__', 'changed'],
      ['constructor', 'added'],
    ])
  })

  test('numbers of 38 digits that differ in the last are different', () => {
    const digits = '1'.repeat(37)
    expect(isSameValue({ N: `${digits}1` }, { N: `${digits}2` })).toBe(false)
  })
})
