import { describe, expect, test } from 'vitest'
import type { Item } from '@hashrange/core'
import { tableOf } from '../../../api/testing/table-of.ts'
import { cellOf, csvLine, valueOfCell } from '../../../values/csv-cells.ts'
import { formatOf, ItemReader, type ReadOptions } from './read-items.ts'
import { JsonSplitter } from './split-records.ts'

const table = tableOf('t', { id: 'S' }, { partition: ['id'], sort: [] })

const values: Item = {
  text: { S: 'plain, "quoted"\nand more' },
  digits: { S: '007' },
  number: { S: '12' },
  word: { S: 'true' },
  formula: { S: '=HYPERLINK("http://x")' },
  empty: { S: '' },
  typed: { S: '{"S":"x"}' },
  big: { N: '12345678901234567890123456789012345678' },
  yes: { BOOL: true },
  nothing: { NULL: true },
  bytes: { B: 'AAEC' },
  set: { SS: ['a', 'b'] },
  deep: { M: { list: { L: [{ N: '1' }] } } },
}

function read(text: string, options: Partial<ReadOptions>, pieceLength = text.length) {
  const reader = new ItemReader(table, { format: 'json', areAllText: false, ...options })
  const found = []
  for (let at = 0; at < text.length; at += pieceLength) found.push(...reader.push(text.slice(at, at + pieceLength)))
  return [...found, ...reader.end()]
}

describe('CSV', () => {
  test('brings back every value as it was', () => {
    for (const value of Object.values(values)) expect(valueOfCell(cellOf(value), undefined, false)).toEqual(value)
  })

  test('holds nothing that a spreadsheet runs', () => {
    expect(cellOf({ S: '=1+1' })).toBe('{"S":"=1+1"}')
    expect(cellOf({ S: '@SUM(A1)' })).toBe('{"S":"@SUM(A1)"}')
  })

  test('is read in pieces of any size, with the line of what is wrong', () => {
    const names = ['id', ...Object.keys(values)]
    const text =
      csvLine(names) +
      csvLine(['1', ...Object.values(values).map(cellOf)]) +
      csvLine(['', 'no key']) +
      csvLine(['3', 'x'])
    for (const piece of [1, 7, 10_000]) {
      const found = read(text, { format: 'csv' }, piece)
      expect(found).toMatchObject([
        { kind: 'item', line: 2, item: { id: { S: '1' }, ...values } },
        { kind: 'mistake', line: 4, message: 'Missing the key id in the item' },
        { kind: 'item', line: 5, item: { id: { S: '3' }, text: { S: 'x' } } },
      ])
    }
  })

  test('can be all text', () => {
    expect(read('id,n\n1,2\n', { format: 'csv', areAllText: true })).toMatchObject([
      { item: { id: { S: '1' }, n: { S: '2' } } },
    ])
  })
})

describe('JSON', () => {
  test('is read as an array or line by line, and keeps 38 digits', () => {
    const array =
      '[\n  {"id": "1", "n": 12345678901234567890123456789012345678},\n  {"id": "2", "s": "}]\\"{"}\n]\n'
    const lines = '{"id":"1","n":12345678901234567890123456789012345678}\n\n{"id":"2","s":"}]\\"{"}'
    for (const text of [array, lines]) {
      for (const piece of [1, 5, 1000]) {
        expect(read(text, {}, piece)).toMatchObject([
          { item: { n: { N: '12345678901234567890123456789012345678' } } },
          { item: { id: { S: '2' }, s: { S: '}]"{' } } },
        ])
      }
    }
  })

  test('of DynamoDB is read with and without the Item around it', () => {
    const inner = JSON.stringify({ id: { S: '1' }, ...values })
    for (const text of [inner, `{"Item":${inner}}`, `[${inner}]`]) {
      expect(read(text, { format: 'dynamodb' })).toEqual([
        { kind: 'item', line: 1, item: { id: { S: '1' }, ...values } },
      ])
      expect(formatOf('a.json', text)).toBe('dynamodb')
    }
  })

  test('a mistake is told with its line and does not stop the others', () => {
    expect(read('{"id":"1"}\n{"id":1}\n{"id":\n{}\n}\n{"id":"4"}\n', {})).toMatchObject([
      { kind: 'item', line: 1 },
      { kind: 'mistake', line: 2 },
      { kind: 'mistake', line: 3 },
      { kind: 'item', line: 6 },
    ])
    expect(new JsonSplitter().push('1, "a" ,true]')).toHaveLength(3)
  })

  test('formats are told apart', () => {
    expect([formatOf('x.csv', '{'), formatOf('x', 'a,b'), formatOf('x', '[{"a":{"b":1}}]')]).toEqual([
      'csv',
      'csv',
      'json',
    ])
  })
})
