import { expect, test } from 'vitest'
import { describePlace, placeOf } from './store-place.ts'

test('a database comes before a folder, and a folder before nothing', () => {
  expect(placeOf({ store: 'postgres://host/db', path: 'data' })).toMatchObject({ kind: 'postgres' })
  expect(placeOf({ path: 'data' })).toEqual({ kind: 'lmdb', path: 'data' })
  expect(placeOf({})).toEqual({ kind: 'memory' })
})

test.each([
  ['postgres://me:secret@host:5432/shop?sslmode=require', 'postgres://host:5432/shop'],
  ['postgres://me:secret@one,two:5433/shop?password=secret', 'postgres://one,two:5433/shop'],
])('%s is described without secrets', (url, described) => {
  expect(describePlace({ kind: 'postgres', url })).toBe(described)
})
