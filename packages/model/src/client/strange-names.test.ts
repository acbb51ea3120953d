import { expect, test } from 'vitest'
import { modelSamples } from '../export/sample/model-samples.ts'
import { putRequests } from '../export/sample/dynamodb-json.ts'
import { entity, model, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'

// Of a table called __proto__ the AWS SDK itself loses the answers.
test.each(['constructor', 'toString'])('a table may be called %s', async (name) => {
  const Thing = entity('Thing', { id: s.string(), n: s.int() }).key({ pk: 'THING#{id}' })
  const odd = model({
    name: 'odd',
    table: { name },
    entities: { Thing },
    patterns: (p) => ({ things: p.batchGet('Thing') }),
  })
  const { db } = await openModel(odd)
  const things = Array.from({ length: 30 }, (_, n) => ({ id: `t${n}`, n }))
  await db.batchWrite((b) => things.map((thing) => b.Thing.put(thing)))
  const found = await db.things({ Thing: things.map(({ id }) => ({ id })) })
  expect(found.items.Thing).toEqual(things)
  expect(Object.keys(putRequests(modelSamples(odd)))).toEqual([name])
})
