import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { shop } from './shop.model.ts'

test('an order is open until it is paid', async () => {
  const { db, close } = await testDatabase(shop)
  try {
    const { item: customer } = await db.Customer.create({ email: 'ana@example.com', name: 'Ana' })
    const { customerId } = customer
    const { item: order } = await db.Order.create({ customerId, total: 4200 })
    expect((await db.openOrders()).items.Order).toHaveLength(1)
    await db.Order.update({ customerId, placedAt: order.placedAt, orderId: order.orderId }, { status: 'PAID' })
    expect((await db.openOrders()).items.Order).toHaveLength(0)
    expect((await db.recentOrders({ customerId })).items.Order[0]?.status).toBe('PAID')
  } finally {
    await close()
  }
})
