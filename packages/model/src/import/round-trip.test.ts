import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { goodModels } from '../check/testing/good-models.ts'
import type { ModelDescription } from '../description.ts'
import { dataModel } from '../export/data-model.ts'
import { noSqlWorkbench } from '../export/nosql-workbench.ts'
import { exampleRequest } from '../export/request/example-request.ts'
import { putRequests } from '../export/sample/dynamodb-json.ts'
import { modelSamples } from '../export/sample/model-samples.ts'
import { setUpRequests } from '../export/set-up-requests.ts'
import type { AnyModel } from '../model/model.ts'
import { loadSource } from '../testing/load-source.ts'
import { shop } from '../testing/shop-model.ts'
import { modelSource } from './model-source.ts'
import { readDataModel } from './read-data-model.ts'
import { readNoSqlWorkbench } from './read-nosql-workbench.ts'

const models: readonly (readonly [string, AnyModel])[] = [
  ...Object.entries(goodModels).map(([name, make]) => [name, make()] as const),
  ['a shop with everything', shop],
]

/** Through text, as files are. */
const copyOf = (document: unknown): unknown => JSON.parse(JSON.stringify(document))

const keysOf = ({ entities }: ModelDescription): unknown =>
  entities
    .map(({ name, key, satellites }) => ({
      name,
      key: [key.partition.text, key.sort?.text],
      satellites: satellites.map((satellite) => satellite.name).toSorted(),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

describe.each(models)('%s', (_, model) => {
  const { description } = model

  test('has sample data that its patterns find', async () => {
    await using db = await open()
    for (const { operation, input } of setUpRequests(description)) await db.execute(operation, input)
    const samples = modelSamples(model)
    for (const [table, requests] of Object.entries(putRequests(samples))) {
      for (let i = 0; i < requests.length; i += 25) {
        await db.execute('BatchWriteItem', { RequestItems: { [table]: requests.slice(i, i + 25) } })
      }
    }
    for (const pattern of description.patterns) {
      const request = await exampleRequest(description, pattern, samples)
      expect([pattern.name, request?.operation]).toEqual([pattern.name, pattern.operation])
      if (request === undefined || pattern.operation !== 'Query') continue
      const { Count } = await db.execute('Query', request.input)
      expect([pattern.name, Count]).not.toEqual([pattern.name, 0])
    }
  })

  test('goes to NoSQL Workbench and comes back with its keys', () => {
    const { description: imported, notes } = readNoSqlWorkbench(copyOf(noSqlWorkbench(description)))
    expect(keysOf(loadSource(modelSource(imported, notes)).description)).toEqual(keysOf(description))
  })

  test("goes to AWS's modelling tool and comes back with its patterns", async () => {
    const { description: imported, notes } = readDataModel(copyOf(await dataModel(description)), description.name)
    const again = loadSource(modelSource(imported, notes)).description
    expect(again.patterns.map(({ name, operation }) => [name, operation])).toEqual(
      description.patterns.map(({ name, operation }) => [name, operation]),
    )
  })
})
