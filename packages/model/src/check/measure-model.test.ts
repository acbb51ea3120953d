import { open } from 'hashrange'
import { expect, test } from 'vitest'
import { checkModel } from './check-model.ts'
import { shop } from './testing/shop.ts'

test('x', async () => {
  const t = Date.now()
  const m = await checkModel(shop.description, { open, model: shop })
  console.log(
    Date.now() - t,
    m.findings,
    m.measurement.patterns.map(
      (p) => `${p.pattern} ${p.requests} ${p.operations} ${p.readUnits} ${p.writeUnits} ${p.failure ?? ''}`,
    ),
  )
  expect(m.findings).toEqual([])
})
