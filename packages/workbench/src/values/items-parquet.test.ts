import type { Item } from '@hashrange/core'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { ItemsParquet } from './items-parquet.ts'

const items: readonly Item[] = [
  {
    id: { S: 'a' },
    total: { N: '12.5' },
    isOpen: { BOOL: true },
    long: { N: '1' },
    tags: { SS: ['x'] },
    mixed: { S: 'x' },
  },
  {
    id: { S: '' },
    total: { NULL: true },
    long: { N: '12345678901234567890123456789012345678' },
    mixed: { BOOL: false },
  },
  { id: { S: '✓' }, __proto__x: { S: 'y' } },
]

test('items become a Parquet file, row group by row group, and nothing of them is lost', async () => {
  const file = new ItemsParquet(['id'])
  file.see(items)
  file.write(items.slice(0, 2))
  file.write(items.slice(2))
  const bytes = await file.end().arrayBuffer()
  expect(await parquetReadObjects({ file: bytes })).toEqual([
    { id: 'a', total: 12.5, isOpen: true, long: '1', tags: '{"SS":["x"]}', mixed: '{"S":"x"}', __proto__x: null },
    {
      id: '',
      total: null,
      isOpen: null,
      long: '12345678901234567890123456789012345678',
      tags: null,
      mixed: '{"BOOL":false}',
      __proto__x: null,
    },
    { id: '✓', total: null, isOpen: null, long: null, tags: null, mixed: null, __proto__x: 'y' },
  ])
})

test('no items are a file too', async () => {
  const bytes = await new ItemsParquet(['id']).end().arrayBuffer()
  expect(await parquetReadObjects({ file: bytes })).toEqual([])
})
