import { open } from 'hashrange'
import { expect, test } from 'vitest'
import { measureModel } from './measure-model.ts'
import { shop } from './testing/shop.ts'

test('x', async () => {
  const t = Date.now()
  const m = await measureModel(shop.description, { open })
  console.log(Date.now() - t, m.items)
  console.log(JSON.stringify(m.patterns, null, 1), JSON.stringify(m.entities))
  expect(m.refusedTables).toEqual([])
})
