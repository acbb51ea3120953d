import { entity, model, s } from '../../index.ts'

const Customer = entity('Customer', {
  customerId: s.ulid(),
  email: s.string().size(24),
  name: s.string().size(20),
  tier: s.enum('free', 'pro').default('free'),
  version: s.version(),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })
  .unique('email')
  .volume({ items: 100_000 })

const Order = entity('Order', {
  customerId: s.ulid(),
  orderId: s.ulid(),
  placedAt: s.iso(),
  status: s.enum('OPEN', 'PAID', 'SHIPPED', 'RETURNED'),
  total: s.int().range(0, 9_999_999),
  note: s.string().size(100, 500).optional(),
  shard: s.shard(4, 'orderId'),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{placedAt}#{orderId}' })
  .index('byOrder', { pk: 'ORDER#{orderId}', sk: 'ORDER' })
  .index('open', { pk: 'OPEN#{shard}', sk: '{placedAt}', when: { status: 'OPEN' } })
  .volume({ items: 1_000_000, perPartition: 10, maxPerPartition: 2000 })

const Line = entity('Line', {
  orderId: s.ulid(),
  n: s.int().range(1, 999),
  sku: s.string().size(12),
  quantity: s.int(),
})
  .key({ pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })
  .index('byOrder', { pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })
  .volume({ items: 3_000_000, perPartition: 3, maxPerPartition: 200 })

/** A model in which the review has nothing to find. */
export const shop = model({
  name: 'shop',
  owner: 'team-shop',
  table: { indexes: { open: { projection: ['total'] } } },
  entities: { Customer, Order, Line },
  patterns: (p) => ({
    getCustomer: p.get('Customer', { traffic: { rate: 900 }, budget: { requests: 1, readUnits: 0.5 } }),
    customerByEmail: p.lookup('Customer', 'email', { traffic: { rate: 20 } }),
    customerPage: p.query({
      pk: 'CUSTOMER#{customerId}',
      limit: 25,
      traffic: { rate: 400 },
      budget: { requests: 1 },
    }),
    recentOrders: p.query({
      pk: 'CUSTOMER#{customerId}',
      sk: 'ORDER#*',
      range: 'placedAt',
      order: 'desc',
      limit: 20,
      traffic: { rate: 200 },
    }),
    orderById: p.query({ on: 'byOrder', pk: 'ORDER#{orderId}', traffic: { rate: 300 } }),
    openOrders: p.query({ on: 'open', pk: 'OPEN#{shard}', limit: 50, traffic: { rate: 5 } }),
    someCustomers: p.batchGet('Customer', { traffic: { rate: 10, items: 5 } }),
    createCustomer: p.create('Customer', { traffic: { rate: 2 } }),
    renameCustomer: p.update('Customer', { changes: ['name'], traffic: { rate: 1 } }),
    placeOrder: p.transact({ 'Order.create': 1, 'Line.create': 3 }, { traffic: { rate: 40 } }),
    payOrder: p.update('Order', { changes: ['status'], traffic: { rate: 40 } }),
    removeCustomer: p.delete('Customer', { traffic: { rate: 0.1 } }),
  }),
})
