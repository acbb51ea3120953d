import { expect, test } from 'vitest'
import { itemsText } from './items-text.ts'

const items = [
  { b: { S: 'x, "y"' }, id: { N: '1' } },
  { id: { N: '2' }, tags: { SS: ['a'] }, b: { S: '=1+1' }, c: { S: 'two\nlines\tand a tab' } },
]

test('a result is a table with its keys first, for a file and for the clipboard', () => {
  expect(itemsText(items, 'csv', ['id', 'none'])).toBe(
    '\ufeffid,b,tags,c\r\n1,"x, ""y""",,\r\n2,"{""S"":""=1+1""}","{""SS"":[""a""]}","two\nlines\tand a tab"\r\n',
  )
  expect(itemsText(items, 'tsv', ['id'])).toBe(
    'id\tb\ttags\tc\r\n1\t"x, ""y"""\t\t\r\n2\t"{""S"":""=1+1""}"\t"{""SS"":[""a""]}"\t"two\nlines\tand a tab"\r\n',
  )
})

test('a result is JSON, with and without types', () => {
  expect(JSON.parse(itemsText(items, 'json'))).toEqual([
    { b: 'x, "y"', id: 1 },
    { id: 2, tags: ['a'], b: '=1+1', c: 'two\nlines\tand a tab' },
  ])
  expect(itemsText(items.slice(0, 1), 'dynamodb')).toBe('{"Item":{"b":{"S":"x, \\"y\\""},"id":{"N":"1"}}}\n')
  expect([itemsText([], 'json'), itemsText([], 'dynamodb')]).toEqual(['[]\n', ''])
})
