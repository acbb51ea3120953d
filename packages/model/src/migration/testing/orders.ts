import { entity, model, s } from '../../index.ts'

/** Orders of customers in two versions: other shards, another sort key, another partition key. */
const attributes = {
  customerId: s.string(),
  orderId: s.string(),
  placedAt: s.iso('second'),
  status: s.enum('OPEN', 'DONE'),
  total: s.int().default(0),
}

export const ordersBefore = model({
  name: 'orders',
  entities: {
    Order: entity('Order', { ...attributes, shard: s.shard(4, 'orderId') })
      .key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{orderId}' })
      .index('byStatus', { pk: 'STATUS#{status}#{shard}', sk: '{placedAt}' }),
    Event: entity('Event', { topic: s.string(), id: s.string(), n: s.int(), shard: s.shard(4, 'id') }).key({
      pk: 'EVENTS#{topic}#{shard}',
      sk: 'E#{id}',
    }),
    Customer: entity('Customer', { customerId: s.string(), name: s.string() }).key({
      pk: 'CUSTOMER#{customerId}',
      sk: 'CUSTOMER',
    }),
  },
  patterns: (p) => ({
    ordersOf: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#*' }),
    page: p.query({ pk: 'CUSTOMER#{customerId}' }),
    withStatus: p.query({ on: 'byStatus', pk: 'STATUS#{status}#{shard}', range: 'placedAt' }),
    events: p.query({ pk: 'EVENTS#{topic}#{shard}', sk: 'E#*' }),
  }),
})

const Order = entity('Order', { ...attributes, shard: s.shard(16, 'orderId', { was: 4 }) })
  .key({
    pk: 'CUSTOMER#{customerId}',
    sk: 'ORDER#{placedAt}#{orderId}',
    was: { sk: 'ORDER#{orderId}' },
  })
  .index('byStatus', { pk: 'STATUS#{status}#{shard}', sk: '{placedAt}' })
const Event = entity('Event', {
  topic: s.string(),
  id: s.string(),
  n: s.int(),
  shard: s.shard(16, 'id', { was: 4 }),
}).key({ pk: 'EVENTS#{topic}#{shard}', sk: 'E#{id}' })

export const ordersAfter = model({
  name: 'orders',
  entities: {
    Order,
    Event,
    Customer: entity('Customer', { customerId: s.string(), name: s.string() }).key({
      pk: 'CUSTOMER#{customerId}',
      sk: 'CUSTOMER',
    }),
  },
  patterns: (p) => ({
    ordersOf: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#*', range: 'placedAt' }),
    latest: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#*', order: 'desc', limit: 2 }),
    page: p.query({ pk: 'CUSTOMER#{customerId}' }),
    withStatus: p.query({ on: 'byStatus', pk: 'STATUS#{status}#{shard}', range: 'placedAt' }),
    events: p.query({ pk: 'EVENTS#{topic}#{shard}', sk: 'E#*' }),
    many: p.batchGet(['Event', 'Customer']),
    atOnce: p.transactGet(['Event', 'Customer']),
  }),
})
