import { entity, model, now, s, ulid } from '../../../index.ts'

/** A store: a catalogue with labels, a single settings item, enum-keyed counters, and a checkout that is one transaction. */
export const store = () => {
  const Product = entity('Product', {
    sku: s.ulid(),
    category: s.enum('books', 'games', 'tools'),
    price: s.number().range(0, 99_999),
    stock: s.int().range(0, 9_999),
    labels: s.set(s.enum('new', 'sale', 'blue', 'red')).count(2, 4),
    shard: s.shard(4, 'sku'),
  })
    .key({ pk: 'PRODUCT#{sku}', sk: 'PRODUCT' })
    .index('byCategory', { pk: 'CATEGORY#{category}#{shard}', sk: '{price:09.2}#{sku}' })
    .indexItem('label', { pk: 'LABEL#{labels}', sk: '{sku}', each: 'labels', include: ['price'] })
    .volume({ items: 30_000 })
  const Order = entity('Order', {
    customerId: s.ulid(),
    orderId: s.ulid().default(ulid),
    status: s.enum('open', 'paid', 'shipped'),
    placedAt: s.iso().default(now),
  })
    .key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{orderId}' })
    .index('open', { pk: 'OPEN#{customerId}', sk: '{placedAt}', when: { status: ['open', 'paid'] } })
    .volume({ items: 5_000_000, perPartition: 10, maxPerPartition: 2_000 })
  const Line = entity('Line', {
    orderId: s.ulid(),
    n: s.int().range(1, 99),
    sku: s.ulid(),
    quantity: s.int().range(1, 9),
  })
    .key({ pk: 'ORDER#{orderId}', sk: 'LINE#{n:02}' })
    .volume({ items: 15_000_000, perPartition: 3, maxPerPartition: 99 })
  const Settings = entity('Settings', { currency: s.enum('EUR', 'USD'), open: s.boolean() })
    .key({ pk: 'SETTINGS', sk: 'SETTINGS' })
    .volume({ items: 1 })
  const Total = entity('Total', { status: s.enum('open', 'paid', 'shipped'), count: s.int() })
    .key({ pk: 'TOTAL#{status}', sk: 'TOTAL' })
    .volume({ items: 3 })
  return model({
    name: 'store',
    owner: 'team',
    entities: { Product: Product, Order, Line, Settings, Total },
    patterns: (p) => ({
      product: p.get('Product', { traffic: { rate: 300 } }),
      byPrice: p.query({
        on: 'byCategory',
        pk: 'CATEGORY#{category}#{shard}',
        range: 'price',
        limit: 20,
        traffic: { rate: 50 },
      }),
      labelled: p.query({ pk: 'LABEL#{labels}', limit: 50, traffic: { rate: 20 } }),
      productByLabel: p.lookup('Product', 'label', { traffic: { rate: 1 } }),
      addProduct: p.create('Product', { traffic: { rate: 0.1 } }),
      relabel: p.update('Product', { changes: ['labels'], traffic: { rate: 0.1 } }),
      checkout: p.transact({ 'Order.create': 1, 'Line.create': 3, 'Product.update': 3 }, { traffic: { rate: 5 } }),
      orders: p.query({
        pk: 'CUSTOMER#{customerId}',
        sk: 'ORDER#*',
        order: 'desc',
        limit: 20,
        traffic: { rate: 30 },
      }),
      openOrders: p.query({ on: 'open', pk: 'OPEN#{customerId}', order: 'desc', limit: 20, traffic: { rate: 10 } }),
      lines: p.query({ pk: 'ORDER#{orderId}', sk: 'LINE#*', traffic: { rate: 20 } }),
      cart: p.batchGet('Product', { traffic: { rate: 20, items: 4 } }),
      settings: p.get('Settings', { traffic: { rate: 100 } }),
      saveSettings: p.put('Settings', { traffic: { rate: 0.01 } }),
      firstSettings: p.create('Settings', { traffic: { rate: 0.001 } }),
      count: p.update('Total', { changes: ['count'], traffic: { rate: 10 } }),
      startCounting: p.create('Total', { traffic: { rate: 0.001 } }),
    }),
  })
}
