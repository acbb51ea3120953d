import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hoverTexts } from '../testing/hover-text.ts'

const shop = readFileSync(join(import.meta.dirname, '..', 'testing', 'shop-model.ts'), 'utf8').replace(
  "import { entity, model, s } from '../index.ts'",
  ['import { connect, entity, model, s } from', "'@hashrange/model'"].join(' '),
)
const program = `${shop}
declare const client: Parameters<typeof connect>[1]
const db = connect(shop, client)
const aPage = await db.customerPage({ customerId: id(1) })
const aPromise = db.recentOrders({ customerId: id(1) })
for await (const anEntry of db.customerPage.iterate({ customerId: id(1) })) console.log(anEntry)
declare const console: { log(...words: unknown[]): void }
`

test('what an editor shows for a result fits on a few lines', async () => {
  const texts = await hoverTexts(program, ['aPage', 'aPromise', 'anEntry'])
  expect(texts[0]).toMatch(/^const aPage: QueryPage<Kind<"Customer", Has<"customerId", string>/)
  for (const text of texts) expect(text.trim().split('\n').length).toBeLessThanOrEqual(4)
})
