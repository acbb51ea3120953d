import { openTestStore } from '@hashrange/engine/test-store'
import { expect, test } from 'vitest'
import { KeptAttributeLists } from './kept-attribute-lists.ts'

test('a list is known to all servers of a store, a number keeps its first meaning, and room is made for new lists', async () => {
  const store = await openTestStore()
  const [one, other] = [new KeptAttributeLists(store, 200), new KeptAttributeLists(store, 200)]
  expect(await other.get(7)).toBeUndefined()
  expect(await one.keep(7, ['a', '__proto__'])).toEqual(['a', '__proto__'])
  expect(await other.get(7)).toEqual(['a', '__proto__'])
  expect(await other.keep(7, ['b'])).toEqual(['a', '__proto__'])
  // As when two programs start at once.
  await Promise.all([one.keep(8, ['c']), other.keep(8, ['c']), other.keep(9, ['d'])])
  expect(await one.get(9)).toEqual(['d'])
  await other.keep(10, ['e'.repeat(100)])
  expect(await one.get(7)).toBeUndefined()
  expect(await one.get(10)).toEqual(['e'.repeat(100)])
  // What is larger than all the room is not kept.
  expect(await one.keep(11, ['f'.repeat(300)])).toHaveLength(1)
  expect(await one.get(11)).toBeUndefined()
  await store.close()
})
