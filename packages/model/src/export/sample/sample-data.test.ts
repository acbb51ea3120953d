import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { shopDescription } from '../../testing/shop-description.ts'
import { setUpRequests } from '../set-up-requests.ts'
import { putRequests } from './dynamodb-json.ts'
import { sampleData } from './sample-data.ts'

const samples = sampleData(shopDescription)
const itemsOf = (kind: string) => samples.filter((sample) => sample.kind === kind).map(({ item }) => item)

describe('sample data', () => {
  test('has items of every entity, and guards with their owners', () => {
    for (const { name } of shopDescription.entities) expect(itemsOf(name).length).toBeGreaterThan(1)
    expect(itemsOf('Customer.email').map(({ email }) => email)).toEqual(
      itemsOf('Customer').map(({ email }) => email),
    )
    expect(itemsOf('Customer.email')[0]).toMatchObject({ sk: { S: 'UNIQUE' }, entity: { S: 'Customer.email' } })
  })

  test('is the same for the same seed, and another for another', () => {
    expect(sampleData(shopDescription, { seed: 1 })).toEqual(samples)
    expect(sampleData(shopDescription, { seed: 2 })).not.toEqual(samples)
  })

  test('refers to items that exist', () => {
    const customers = itemsOf('Customer').map(({ customerId }) => customerId)
    for (const { customerId } of itemsOf('Order')) expect(customers).toContainEqual(customerId)
    const orders = itemsOf('Order').map(({ orderId }) => orderId)
    for (const { orderId } of itemsOf('Line')) expect(orders).toContainEqual(orderId)
  })

  test('writes keys as the templates say: composed, padded, sparse, sharded and native', () => {
    for (const order of itemsOf('Order')) {
      expect(order['sk']).toEqual({ S: `ORDER#${order['placedAt']?.S}#${order['orderId']?.S}` })
      expect(order['byTotalsk']).toEqual({ S: (order['total']?.N ?? '').padStart(8, '0') })
      expect(order['openpk'] !== undefined).toBe(order['status']?.S === 'OPEN')
      expect(order['shard']).toBeUndefined()
    }
    expect(itemsOf('Order').some(({ openpk }) => /^OPEN#[0-7]$/.test(openpk?.S ?? ''))).toBe(true)
    for (const event of itemsOf('Event')) expect(event).not.toHaveProperty('pk')
  })

  test('is accepted by the database, every item once', async () => {
    await using db = await open()
    for (const { operation, input } of setUpRequests(shopDescription)) await db.execute(operation, input)
    for (const [table, requests] of Object.entries(putRequests(samples))) {
      for (let i = 0; i < requests.length; i += 25) {
        await db.execute('BatchWriteItem', { RequestItems: { [table]: requests.slice(i, i + 25) } })
      }
      expect(await db.execute('Scan', { TableName: table })).toMatchObject({ Count: requests.length })
    }
  })

  test('has at most as many items as asked for', () => {
    const few = sampleData(shopDescription, { itemsPerEntity: 1 })
    expect(few.filter(({ kind }) => kind === 'Order')).toHaveLength(1)
  })
})
