import { open, type Database } from 'hashrange'
import { testDatabase } from 'hashrange/testing'
import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../client/connect.ts'
import { seededRandom } from '../check/random.ts'
import { createTableInputs } from '../export/create-table-inputs.ts'
import type { AnyStreamRecord } from '../changes/stream-record.ts'
import { derivedHandler } from './derived-handler.ts'
import { rebuildDerived } from './rebuild-derived.ts'
import { deliver, failing } from './testing/deliver.ts'
import { traffic } from './testing/shop-traffic.ts'
import { derived, shop } from './testing/shop.ts'
import { StreamSource } from './testing/stream-source.ts'
import { verifyDerived } from './verify-derived.ts'

const seed = Number(process.env['HASHRANGE_SEED'] ?? 1)
/** How much the ordeal does: a few seconds in npm test. */
const rounds = Number(process.env['HASHRANGE_DERIVED_ROUNDS'] ?? 1)

interface Shop {
  readonly database: Database
  readonly source: StreamSource
  readonly db: ReturnType<typeof connect<typeof shop>>
}

async function openShop(): Promise<Shop> {
  const database = await open()
  onTestFinished(() => database.close())
  for (const input of createTableInputs(shop.description)) await database.client.send(new CreateTableCommand(input))
  return { database, source: new StreamSource(database, 'derived-shop'), db: connect(shop, database.client) }
}

/** Handles whatever is left, without trouble. */
async function settle({ database, source }: Shop): Promise<void> {
  const handler = derivedHandler(derived, database.client)
  for (let records = await source.next(); records.length > 0; records = await source.next()) {
    expect(await handler({ Records: records })).toEqual({ batchItemFailures: [] })
  }
}

/** Only what the client was made to do may go wrong. */
function expectedOnly(error: unknown): void {
  if (!(error instanceof Error) || !/network is down|answer was lost|kept writing/.test(error.message)) throw error
}

/** Counted by other means than those of the library. */
async function recomputed({ database }: Shop): Promise<Record<string, { orders: number; paid: number }>> {
  const { Items = [] } = await database.client.scan({ TableName: 'derived-shop' })
  const totals: Record<string, { orders: number; paid: number }> = {}
  for (const item of Items) {
    if (item['entity']?.S !== 'Order') continue
    const total = (totals[item['customerId']?.S ?? ''] ??= { orders: 0, paid: 0 })
    total.orders++
    if (item['status']?.S !== 'OPEN') total.paid = Math.round((total.paid + Number(item['t']?.N)) * 10) / 10
  }
  return totals
}

async function kept({ database }: Shop): Promise<Record<string, { orders: number; paid: number }>> {
  const { Items = [] } = await database.client.scan({ TableName: 'derived-shop' })
  const totals = Items.filter((item) => item['entity']?.S === 'Totals' && item['orders']?.N !== '0')
  return Object.fromEntries(
    totals.map((item) => [
      item['customerId']?.S ?? '',
      { orders: Number(item['orders']?.N), paid: Number(item['p']?.N ?? 0) },
    ]),
  )
}

test(`derived items equal a recomputation, whatever happens to the handlers (seed ${seed})`, async () => {
  const opened = await openShop()
  const { database, source, db } = opened
  const random = seededRandom(seed)
  const earlier: AnyStreamRecord[][] = []
  const handlers = [0, 1].map(() =>
    derivedHandler(derived, failing(database.client, random, 0.03), { onError: expectedOnly }),
  )
  for (let round = 0; round < rounds; round++) {
    await traffic(db, random, 30)
    await deliver(await source.next(), handlers, random, earlier)
  }
  await settle(opened)
  expect(await kept(opened)).toEqual(await recomputed(opened))
  const { compared, differences } = await verifyDerived(derived, database.client)
  expect(differences).toEqual([])
  expect(compared).toBeGreaterThan(20)
  // Everything once more, from the horizon: it was all counted.
  await settle({ ...opened, source: new StreamSource(database, 'derived-shop') })
  expect(await kept(opened)).toEqual(await recomputed(opened))
})

test(`a rebuild while items change counts nothing twice, killed and continued (seed ${seed})`, async () => {
  const opened = await openShop()
  const { database, source, db } = opened
  const random = seededRandom(seed + 1)
  // These were written before anybody derived anything, and their changes are lost.
  await traffic(db, random, 80)
  await source.next()
  const handlers = [0, 1].map(() =>
    derivedHandler(derived, failing(database.client, random, 0.02), { onError: expectedOnly }),
  )
  for (let round = 0; round < rounds / 2; round++) {
    const rebuild = { isDone: false }
    const rebuilding = async (): Promise<void> => {
      for (let tries = 0; !rebuild.isDone; tries++) {
        // It is killed at random, at last not any more.
        const client = failing(database.client, random, tries < 5 ? 0.02 : 0)
        await rebuildDerived(derived, client).then(
          () => (rebuild.isDone = true),
          (error: unknown) => {
            if (tries < 5) return
            rebuild.isDone = true
            throw error
          },
        )
      }
    }
    const serving = async (): Promise<void> => {
      const earlier: AnyStreamRecord[][] = []
      while (!rebuild.isDone) {
        await traffic(db, random, 6)
        await deliver(await source.next(), handlers, random, earlier)
      }
    }
    await Promise.all([rebuilding(), serving()])
    await settle(opened)
    expect(await kept(opened)).toEqual(await recomputed(opened))
    expect((await verifyDerived(derived, database.client)).differences).toEqual([])
  }
})

test('a rebuild repairs what was changed by hand, and a verification says what differs', async () => {
  const opened = await openShop()
  const { database, db } = opened
  const { client } = database
  await db.Order.create({ orderId: 'o1', customerId: 'c1', status: 'PAID', total: 12.5 })
  await db.Product.create({ productId: 'p1', name: 'red pen' })
  await db.Line.create({ orderId: 'o1', lineId: 'l1', productId: 'p1', points: 3 })
  await settle(opened)
  const Key = { pk: { S: 'CUSTOMER#c1' }, sk: { S: 'TOTALS' } }
  const set = (name: string, value: object) => ({
    TableName: 'derived-shop',
    UpdateExpression: 'SET #name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': value as { N: string } },
  })
  await client.updateItem({ ...set('orders', { N: '7' }), Key })
  await client.updateItem({ ...set('m', { N: '9' }), Key: { pk: { S: 'BEST#o1' }, sk: { S: 'BEST' } } })
  await client.updateItem({
    ...set('pn', { S: 'blue' }),
    Key: { pk: { S: 'LINES#o1' }, sk: { S: 'LINE#003#l1' } },
  })
  await client.deleteItem({ TableName: 'derived-shop', Key: { pk: { S: 'WORD#red' }, sk: { S: 'PRODUCT#p1' } } })
  await db.Word.put({ word: 'nothing', productId: 'p7', name: 'nothing' })
  const { differences } = await verifyDerived(derived, client)
  expect(differences.map(({ derivation, expected, found }) => [derivation, expected, found])).toEqual([
    ['ordersPerCustomer', '1', '7'],
    ['words', 'an entry', 'nothing'],
    ['words', 'nothing', 'an entry'],
    ['mostPoints', '3', '9'],
    ['productNames', 'red pen', 'blue'],
  ])
  expect(differences[0]).toMatchObject({ key: Key, attribute: 'orders' })
  await rebuildDerived(derived, client)
  expect((await verifyDerived(derived, client)).differences).toEqual([])
})

test('items that expire no longer count, by a trigger with several calls at a time', async () => {
  await using opened = await testDatabase(shop, { clock: '2026-03-01T00:00:00Z' })
  const { db, database, client, clock, advance } = opened
  const handler = derivedHandler(derived, client, { now: () => clock.date })
  const settings = { batchSize: 7, parallelizationFactor: 4, reportBatchItemFailures: true }
  await database.trigger('derived-shop', handler, settings)
  const expiresAt = new Date(clock.now() + 60_000)
  for (let i = 0; i < 20; i++) {
    const order = { orderId: `o${i}`, customerId: `c${i % 2}`, status: 'PAID', total: 1.5 } as const
    await db.Order.create(i < 5 ? { ...order, expiresAt } : order)
  }
  await database.settled()
  const totals = async () => [await db.totals({ customerId: 'c0' }), await db.totals({ customerId: 'c1' })]
  expect((await totals()).map(({ item }) => item)).toMatchObject([
    { orders: 10, paid: 15 },
    { orders: 10, paid: 15 },
  ])
  await advance(61_000)
  await database.settled()
  expect((await totals()).map(({ item }) => item)).toMatchObject([
    { orders: 7, paid: 10.5 },
    { orders: 8, paid: 12 },
  ])
  expect((await verifyDerived(derived, client)).differences).toEqual([])
})

test('the items of a batch that refer to the same one are written together, and in parts if they are too large for that', async () => {
  const opened = await openShop()
  const { database, source, db } = opened
  await db.Product.put({ productId: 'p1', name: 'red pen' })
  await settle(opened)
  const sent: string[] = []
  const counting = {
    send: (command: Parameters<typeof database.client.send>[0]) => {
      sent.push(command.constructor.name)
      return database.client.send(command)
    },
  } as unknown as typeof database.client
  const handler = derivedHandler(derived, counting)
  const lines = Array.from({ length: 12 }, (_, at) => ({
    orderId: 'o1',
    lineId: `l${at}`,
    productId: 'p1',
    points: at,
  }))
  for (const line of lines) await db.Line.put(line)
  expect(await handler({ Records: await source.next() })).toEqual({ batchItemFailures: [] })
  expect(sent.filter((name) => name === 'TransactWriteItemsCommand')).toHaveLength(1)
  // Two for all copies, and one for each ranking.
  expect(sent.filter((name) => name === 'GetItemCommand')).toHaveLength(2 + 3)

  for (const { orderId, lineId, points } of lines)
    await database.client.updateItem({
      TableName: 'derived-shop',
      Key: { pk: { S: `LINES#${orderId}` }, sk: { S: `LINE#${String(points).padStart(3, '0')}#${lineId}` } },
      UpdateExpression: 'SET photo = :photo REMOVE pn',
      ExpressionAttributeValues: { ':photo': { S: 'x'.repeat(380_000) } },
    })
  await settle(opened)
  expect((await verifyDerived(derived, database.client)).differences).toEqual([])
})
