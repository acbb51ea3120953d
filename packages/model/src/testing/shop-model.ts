import { entity, model, s } from '../index.ts'

export const Customer = entity('Customer', {
  customerId: s.ulid(),
  email: s.string(),
  name: s.string().optional(),
  tier: s.enum('free', 'pro').default('free'),
  version: s.version(),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })
  .unique('email', { pk: 'EMAIL#{email}', sk: 'EMAIL' })

export const Order = entity('Order', {
  customerId: s.ulid(),
  orderId: s.ulid(),
  placedAt: s.iso(),
  region: s.string(),
  status: s.enum('OPEN', 'PAID', 'SHIPPED'),
  total: s.int(),
  note: s.string().optional(),
  tags: s.set(s.string()),
  history: s.list(s.map({ at: s.iso(), what: s.string() })).default([]),
  expiresAt: s.ttl().optional(),
  shard: s.shard(4, 'orderId'),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{placedAt}#{orderId}' })
  .index('gsi1', { pk: 'ORDER#{orderId}', sk: 'ORDER' })
  .index('open', { pk: 'OPEN#{shard}', sk: '{placedAt}', when: { status: 'OPEN' } })
  .index('byRegion', { pk: ['region', 'status'], sk: ['total'] })
  .index('byStatus', { pk: 'STATUS#{status}#{region}', sk: '{total:08}' })
  .index('byTotal', { sk: 'TOTAL#{total:08:desc}' })

export const Line = entity('Line', {
  orderId: s.ulid(),
  n: s.int(),
  sku: s.string(),
  quantity: s.int().range(1, 999),
})
  .key({ pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })
  .index('gsi1', { pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })

const Product = entity('Product', {
  sku: s.string(),
  name: s.string(),
  stock: s.int(),
  price: s.number(),
  labels: s.set(s.string()),
})
  .key({ pk: 'PRODUCT#{sku}', sk: 'PRODUCT' })
  .indexItem('label', { pk: 'LABEL#{labels}', sk: 'PRODUCT#{sku}', each: 'labels', include: ['name'] })

export const shop = model({
  name: 'shop',
  table: {
    pk: 'PK',
    sk: 'SK',
    discriminator: 'EntityType',
    indexes: { open: { projection: 'KEYS_ONLY' }, byStatus: { projection: ['note'] } },
  },
  entities: { Customer, Order, Line, Product },
  patterns: (p) => ({
    getCustomer: p.get('Customer', { traffic: { rate: 900 }, budget: { readUnits: 0.5 } }),
    customerByEmail: p.lookup('Customer', 'email', { consistent: true }),
    customerPage: p.query({
      pk: 'CUSTOMER#{customerId}',
      limit: 25,
      traffic: { rate: 400 },
      budget: { requests: 1 },
    }),
    recentOrders: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#*', range: 'placedAt', order: 'desc' }),
    orderById: p.query({ on: 'gsi1', pk: 'ORDER#{orderId}' }),
    orderLines: p.query({ pk: 'ORDER#{orderId}', sk: 'LINE#*', range: 'n' }),
    openOrders: p.query({ on: 'open', pk: 'OPEN#{shard}', range: 'placedAt' }),
    topInRegion: p.query({ on: 'byRegion', pk: ['region', 'status'], range: 'total', order: 'desc', limit: 10 }),
    ordersByStatus: p.query({ on: 'byStatus', pk: 'STATUS#{status}#{region}', range: 'total' }),
    largestOrders: p.query({
      on: 'byTotal',
      pk: 'CUSTOMER#{customerId}',
      sk: 'TOTAL#*',
      range: 'total',
      consistent: true,
    }),
    labelled: p.query({ pk: 'LABEL#{labels}' }),
    productByLabel: p.lookup('Product', 'label'),
    cart: p.batchGet(['Product', 'Customer']),
    snapshot: p.transactGet(['Product', 'Order']),
    everything: p.scan(),
    createCustomer: p.create('Customer'),
    placeOrder: p.transact({ 'Order.create': 1, 'Line.create': 3, 'Product.update': 3, 'Customer.check': 1 }),
    payOrder: p.update('Order', { changes: ['status', 'region', 'total'] }),
  }),
})

/** A ULID that can be told apart at a glance. */
export function id(n: number): string {
  return String(n).padStart(26, '0')
}
