import { expect, test } from 'vitest'
import { describePlace, placeOf } from './store-place.ts'

test('a database comes before a folder, and a folder before nothing', () => {
  expect(placeOf({ store: 'postgres://host/db', path: 'data' })).toMatchObject({ kind: 'postgres' })
  expect(placeOf({ path: 'data' })).toEqual({ kind: 'lmdb', path: 'data' })
  expect(placeOf({})).toEqual({ kind: 'memory' })
})

test('a database is described without secrets', () => {
  expect(describePlace({ kind: 'postgres', url: 'postgres://me:secret@host/shop' })).toBe('postgres://host/shop')
})
