import { expect, test } from 'vitest'
import { pathParts } from './address.ts'

test('the parts of a path are decoded once', () => {
  expect(pathParts('/_workbench/items/shop')).toEqual(['items', 'shop'])
  expect(pathParts('/_workbench/')).toEqual([])
  for (const name of ['A', '%41', '%2541', '%', '+', '#', '&', '/', '?', 'é', '🙂', 'a b']) {
    expect(pathParts(`/_workbench/tables/${encodeURIComponent(name)}`)).toEqual(['tables', name])
  }
  expect(pathParts('/_workbench/tables/%E0%A4%A')).toEqual(['tables', '%E0%A4%A'])
})
