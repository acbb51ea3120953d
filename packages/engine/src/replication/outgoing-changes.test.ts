import { expect, test } from 'vitest'
import { outgoingAfter } from './outgoing-changes.ts'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'

test('a page ends after the item with which it is full, and the next goes on from there', async () => {
  const regions = await TestRegions.open()
  await regions.createGlobalTable('music', [dublin, 'us-east-2'])
  const text = 'x'.repeat(100_000)
  for (let n = 0; n < 6; n++) await regions.put(dublin, 'music', { pk: { S: `k${n}` }, text: { S: text } })
  // Its present state is sent with the first page, and again for the last entry of the log.
  await regions.put(dublin, 'music', { pk: { S: 'k0' }, text: { S: `${text}y` } })
  const { engine } = regions.owned
  const table = engine.catalog.find({ accountId: '123456789012', region: dublin }, 'music')
  const limits = { entries: 1_000, bytes: 150_000 }
  const sizes: number[] = []
  for (let cursor = { positions: {} }; ;) {
    const page = await regions.store.view(
      async (snapshot) => table && outgoingAfter(snapshot, table.definition, cursor, Infinity, limits),
    )
    if (page === undefined || page.entries === 0) break
    sizes.push(page.changes.length)
    cursor = { positions: { ...page.cursor.positions } }
  }
  expect(sizes).toEqual([2, 2, 2, 1])
  await regions.close()
})
