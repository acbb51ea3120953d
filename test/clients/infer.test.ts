import { CreateTableCommand, type DynamoDB } from '@aws-sdk/client-dynamodb'
import * as library from '@hashrange/model'
import { checkModel, isAcceptable } from '@hashrange/model/check'
import { inferModel, modelSource, type ExistingTable, type ImportedModel } from '@hashrange/model/import'
import { PutItemCommand as ToolboxPut } from 'dynamodb-toolbox'
import { Table as OneTable } from 'dynamodb-onetable'
import { open } from 'hashrange'
import { describe, expect, onTestFinished, test } from 'vitest'
import { orderLines, orders, products, session, shopTable, users } from './domains/shop.ts'
import { shopEntities } from './dynamodb-toolbox/shop-entities.ts'
import { shopService } from './electrodb/shop-service.ts'
import { shopSchema } from './onetable/shop-schema.ts'

type Write = (client: DynamoDB) => Promise<void>

const table = shopTable.TableName

const writers: Readonly<Record<string, Write>> = {
  ElectroDB: async (client) => {
    const shop = shopService(client, table)
    for (const user of users) await shop.entities.user.create(user).go()
    await shop.entities.order.put(orders.map((order) => ({ ...order, status: 'open' as const }))).go()
    await shop.entities.line.put([...orderLines]).go()
    await shop.entities.product.put([...products]).go()
    await shop.entities.session.put(session).go()
  },
  OneTable: async (client) => {
    const onetable = new OneTable({
      client,
      name: table,
      schema: shopSchema,
      partial: true,
      logger: false,
    })
    for (const user of users) await onetable.getModel('User').create(user)
    for (const order of orders) await onetable.getModel('Order').create(order)
    for (const line of orderLines) await onetable.getModel('OrderItem').create(line)
    for (const product of products) {
      await onetable.getModel('Product').create({ ...product, priceCents: Math.round(product.price * 100) })
    }
    await onetable.getModel('Session').create(session)
  },
  'DynamoDB-Toolbox': async (client) => {
    const shop = shopEntities(client, table)
    for (const each of users) await shop.user.build(ToolboxPut).item(each).send()
    for (const each of orders) await shop.order.build(ToolboxPut).item(each).send()
    for (const each of orderLines) await shop.line.build(ToolboxPut).item(each).send()
    for (const each of products) await shop.product.build(ToolboxPut).item(each).send()
    await shop.session.build(ToolboxPut).item(session).send()
  },
  'hand-written code': async (client) => {
    for (let i = 1; i <= 6; i++) {
      await client.putItem({
        TableName: table,
        Item: { PK: { S: `CUSTOMER#c${i}` }, SK: { S: 'PROFILE' }, fullName: { S: `Customer ${i}` } },
      })
      for (let n = 1; n <= 3; n++) {
        await client.putItem({
          TableName: table,
          Item: { PK: { S: `CUSTOMER#c${i}` }, SK: { S: `NOTE#2026-0${n}-01` }, text: { S: 'x'.repeat(n) } },
        })
      }
    }
  },
}

describe.each(Object.entries(writers))('a table that %s has filled', (_name, write) => {
  test('gives a model that passes its check and reads every item', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const { client } = database
    await client.send(new CreateTableCommand(shopTable))
    await write(client)
    const { Items = [] } = await client.scan({ TableName: table })
    const { Table } = await client.describeTable({ TableName: table })
    const inferred = inferModel('shop', [
      { description: Table ?? {}, items: Items as unknown as ExistingTable['items'] },
    ])
    const model = loaded(inferred)

    const report = await checkModel(model.description, { open, maxItems: 100 })
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(
      report.measurement.patterns.flatMap(({ pattern, failure }) => (failure ? [{ pattern, failure }] : [])),
    ).toEqual([])
    expect(isAcceptable(report, false)).toBe(true)

    const db = library.connect(withScan(inferred), client, { tables: table })
    const read: unknown[] = []
    for await (const entry of (db as unknown as Scannable).everything.iterate()) read.push(entry)
    expect(read.length).toBe(Items.length)
    expect(inferred.notes.filter((note) => note.includes('sure: all of them fit')).length).toBeGreaterThan(0)
    expect(inferred.notes.filter((note) => /not sure|belong to no entity/.test(note))).toEqual([])
  })
})

interface Scannable {
  readonly everything: { iterate(): AsyncIterable<unknown> }
}

/** The model that the drafted file defines. It has no types of its own, and so is JavaScript. */
function run(source: string): library.AnyModel {
  const names = /^import \{ (.*) \} from/m.exec(source)?.[1] ?? ''
  const body = source.replace(/^import .*$/m, '').replace(/export const \w+ = model\(/, 'return model(')
  // oxlint-disable-next-line typescript/no-implied-eval -- the source was made a moment ago
  const define = new Function('library', `const { ${names} } = library\n${body}`) as (
    given: object,
  ) => library.AnyModel
  return define(library)
}

function loaded({ description, notes }: ImportedModel): library.AnyModel {
  return run(modelSource(description, notes))
}

function withScan({ description }: ImportedModel): library.AnyModel {
  return run(
    modelSource(description).replace(/patterns: \(p\) => \(\{/, 'patterns: (p) => ({\n    everything: p.scan(),'),
  )
}
