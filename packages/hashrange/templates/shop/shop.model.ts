import { entity, model, now, s, ulid } from '@hashrange/model'

const Customer = entity('Customer', {
  customerId: s.ulid().default(ulid),
  email: s.string().size(24),
  name: s.string().size(20),
  version: s.version(),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })
  .unique('email')
  .volume({ items: 100_000 })

/** Lies beside its customer, newest last. */
const Order = entity('Order', {
  customerId: s.ulid(),
  orderId: s.ulid().default(ulid),
  placedAt: s.iso().default(now),
  status: s.enum('OPEN', 'PAID', 'SHIPPED').default('OPEN'),
  total: s.int().range(0, 9_999_999).describe('In cents'),
  shard: s.shard(4, 'orderId'),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{placedAt}#{orderId}' })
  .index('byOrder', { pk: 'ORDER#{orderId}', sk: 'ORDER' })
  // Only orders that are open are in it, spread over four partitions.
  .index('open', { pk: 'OPEN#{shard}', sk: '{placedAt}', when: { status: 'OPEN' } })
  .volume({ items: 1_000_000, perPartition: 10, maxPerPartition: 2000 })

const Line = entity('Line', {
  orderId: s.ulid(),
  n: s.int().range(1, 999),
  sku: s.string().size(12),
  quantity: s.int().range(1, 1000),
})
  .key({ pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })
  .index('byOrder', { pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })
  .volume({ items: 3_000_000, perPartition: 3, maxPerPartition: 200 })

export const shop = model({
  name: 'shop',
  owner: 'shop team',
  table: { indexes: { open: { projection: ['total'] } } },
  entities: { Customer, Order, Line },
  patterns: (p) => ({
    getCustomer: p.get('Customer', { traffic: { rate: 900 }, budget: { requests: 1, readUnits: 0.5 } }),
    customerByEmail: p.lookup('Customer', 'email', { traffic: { rate: 20 } }),
    recentOrders: p.query({
      pk: 'CUSTOMER#{customerId}',
      sk: 'ORDER#*',
      range: 'placedAt',
      order: 'desc',
      limit: 20,
      traffic: { rate: 200 },
      budget: { requests: 1 },
    }),
    orderWithLines: p.query({ on: 'byOrder', pk: 'ORDER#{orderId}', traffic: { rate: 300 } }),
    openOrders: p.query({ on: 'open', pk: 'OPEN#{shard}', limit: 50, traffic: { rate: 5 } }),
    signUp: p.create('Customer', { traffic: { rate: 2 } }),
    placeOrder: p.transact({ 'Order.create': 1, 'Line.create': 3 }, { traffic: { rate: 40 } }),
    changeStatus: p.update('Order', { changes: ['status'], traffic: { rate: 40 } }),
  }),
})
