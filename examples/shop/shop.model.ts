import { entity, model, now, s, secondsFromNow, ulid, type StandardSchema } from '@hashrange/model'

/** A Standard Schema validator; one made with Zod, Valibot or ArkType fits as well. What it returns is what is stored, so
 *  that two spellings of an address are one customer. */
const emailAddress: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'shop',
    validate: (value) => {
      const text = String(value).trim().toLowerCase()
      return /^[^@\s]+@[^@\s]+$/.test(text) ? { value: text } : { issues: [{ message: 'is not an email address' }] }
    },
  },
}

const cents = () => s.int().range(0, 99_999_999)

// ---- customers: everything a customer's page needs stands under one partition key ----------------------------------

export const Customer = entity('Customer', {
  customerId: s.ulid().default(ulid),
  email: s.string().check(emailAddress).size(24),
  name: s.string().size(16),
  createdAt: s.iso('second').default(now).readOnly(),
  version: s.version(),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })
  .unique('email', { pk: 'EMAIL#{email}', sk: 'EMAIL' })
  .volume({ items: 1_000_000 })
  .owner('accounts')

export const Address = entity('Address', {
  customerId: s.ulid(),
  use: s.enum('shipping', 'billing'),
  street: s.string().size(24),
  city: s.string().size(12),
  code: s.string().size(6),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'ADDRESS#{use}' })
  .volume({ items: 1_500_000, perPartition: 2, maxPerPartition: 2 })
  .owner('accounts')

// ---- orders ---------------------------------------------------------------------------------------------------------

const orderStatus = () => s.enum('pending', 'processing', 'shipped', 'delivered', 'cancelled')

export const Order = entity('Order', {
  customerId: s.ulid(),
  orderId: s.ulid().default(ulid),
  placedAt: s.iso().default(now).readOnly(),
  status: orderStatus().default('pending'),
  total: cents(),
  shipTo: s.map({ street: s.string().size(24), city: s.string().size(12), code: s.string().size(6) }),
  /** Any of ten: orders of one status would otherwise all be written to one partition. */
  statusShard: s.shard(10),
  /** Four are enough for the few that are active. The hash of the id is known wherever the id is, and needs no storage. */
  shard: s.shard(4, 'orderId'),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{placedAt}#{orderId}' })
  .index('gsi1', { pk: 'ORDER#{orderId}', sk: 'ORDER' })
  .index('byStatus', { pk: 'STATUS#{status}#{statusShard}', sk: '{placedAt}#{orderId}' })
  .index('active', {
    pk: 'ACTIVE#{shard}',
    sk: '{placedAt}#{orderId}',
    when: { status: ['pending', 'processing'] },
  })
  .index('byTotal', { sk: 'TOTAL#{total:08}#{orderId}' })
  .volume({ items: 10_000_000, perPartition: 10, maxPerPartition: 5000 })
  .owner('orders')

export const OrderItem = entity('OrderItem', {
  orderId: s.ulid(),
  productId: s.ulid(),
  /** Copies of what the order saw: a product that changes its name or price does not change old orders. */
  name: s.string().size(24),
  unitPrice: cents(),
  quantity: s.int().range(1, 999),
  placedAt: s.iso(),
})
  .key({ pk: 'ORDER#{orderId}', sk: 'ITEM#{productId}' })
  .index('gsi1', { pk: 'ORDER#{orderId}', sk: 'ITEM#{productId}' })
  .index('gsi2', { pk: 'PRODUCT#{productId}', sk: '{placedAt}#{orderId}' })
  .volume({ items: 30_000_000, perPartition: 3, maxPerPartition: 200 })
  .owner('orders')

/** One item for each event, rather than a list in the order that grows towards 400 KB. */
export const OrderEvent = entity('OrderEvent', {
  orderId: s.ulid(),
  at: s.iso().default(now),
  eventId: s.ulid().default(ulid),
  status: orderStatus(),
  by: s.string().size(12),
})
  .key({ pk: 'ORDER#{orderId}', sk: 'EVENT#{at}#{eventId}' })
  .volume({ items: 40_000_000, perPartition: 4, maxPerPartition: 50 })
  .owner('orders')

// ---- products -------------------------------------------------------------------------------------------------------

export const Product = entity('Product', {
  productId: s.ulid().default(ulid),
  name: s.string().size(24),
  category: s.string().size(12).distinct(400),
  price: s.number().range(0, 99_999),
  stock: s.int().range(0, 1_000_000),
  imageUrl: s.string().size(60).describe('The picture itself is in S3: an item has at most 400 KB'),
  description: s.string().size(1200, 8000),
  tags: s.set(s.string().size(8)).count(3, 20),
})
  .key({ pk: 'PRODUCT#{productId}', sk: 'PRODUCT' })
  .index('gsi2', { pk: 'CATEGORY#{category}', sk: 'PRICE#{price:09.2}#{productId}' })
  .volume({ items: 50_000 })
  .owner('catalogue')

/** How often a product was looked at. A popular one is counted in ten places at once. */
export const ViewCount = entity('ViewCount', {
  productId: s.ulid(),
  shard: s.shard(10),
  views: s.int().default(0),
})
  .key({ pk: 'VIEWS#{productId}#{shard}', sk: 'VIEWS' })
  .volume({ items: 500_000 })
  .owner('catalogue')

// ---- sessions -------------------------------------------------------------------------------------------------------

/** In no index: a session is only ever got by its id, and is gone when its time is over. */
export const Session = entity('Session', {
  sessionId: s.uuid(),
  customerId: s.ulid(),
  startedAt: s.iso('second').default(now),
  expiresAt: s.ttl().default(secondsFromNow(86_400)),
})
  .key({ pk: 'SESSION#{sessionId}', sk: 'SESSION' })
  .volume({ items: 200_000 })
  .owner('accounts')

export const shop = model({
  name: 'shop',
  description: 'Customers, orders, products and sessions in one table',
  owner: 'shop',
  table: {
    pk: 'PK',
    sk: 'SK',
    discriminator: 'EntityType',
    stream: 'NEW_AND_OLD_IMAGES',
    pointInTimeRecovery: true,
    indexes: {
      gsi1: { pk: 'GSI1PK', sk: 'GSI1SK' },
      gsi2: { pk: 'GSI2PK', sk: 'GSI2SK', projection: ['name', 'imageUrl', 'quantity', 'unitPrice'] },
      byStatus: { projection: ['total'] },
      active: { projection: ['status', 'total'] },
      byTotal: { projection: 'KEYS_ONLY' },
    },
  },
  entities: { Customer, Address, Order, OrderItem, OrderEvent, Product, ViewCount, Session },
  patterns: (p) => ({
    // Customers.
    getCustomer: p.get('Customer', {
      description: 'A customer by id',
      traffic: { rate: 800, peakRate: 2000 },
      budget: { requests: 1, readUnits: 0.5 },
    }),
    customerByEmail: p.lookup('Customer', 'email', {
      description: 'Who signs in',
      consistent: true,
      traffic: { rate: 20, peakRate: 100 },
      budget: { requests: 2, readUnits: 2 },
    }),
    homePage: p.query({
      description: 'A customer and the five newest orders, in one request',
      pk: 'CUSTOMER#{customerId}',
      between: ['ORDER#', 'PROFILE'],
      order: 'desc',
      limit: 6,
      traffic: { rate: 400, peakRate: 1000 },
      budget: { requests: 1, readUnits: 1 },
    }),
    customerRecord: p.query({
      description: 'All there is about a customer, page by page: for support, and for a request of access',
      pk: 'CUSTOMER#{customerId}',
      limit: 100,
      traffic: { rate: 1 },
    }),
    addresses: p.query({
      pk: 'CUSTOMER#{customerId}',
      sk: 'ADDRESS#*',
      traffic: { rate: 30 },
      budget: { readUnits: 0.5 },
    }),
    register: p.create('Customer', { traffic: { rate: 2 }, budget: { requests: 1 } }),
    changeEmail: p.modify('Customer', { changes: ['email'], traffic: { rate: 0.1 } }),
    saveAddress: p.put('Address', { traffic: { rate: 3 }, budget: { writeUnits: 1 } }),

    // Orders.
    ordersOfCustomer: p.query({
      description: 'Newest first, of any period',
      pk: 'CUSTOMER#{customerId}',
      sk: 'ORDER#*',
      range: 'placedAt',
      order: 'desc',
      limit: 20,
      traffic: { rate: 200, peakRate: 500 },
      budget: { requests: 1, readUnits: 1.5 },
    }),
    largestOrders: p.query({
      description: 'The dearest first, strongly consistent',
      on: 'byTotal',
      pk: 'CUSTOMER#{customerId}',
      sk: 'TOTAL#*',
      range: 'total',
      order: 'desc',
      limit: 10,
      consistent: true,
      traffic: { rate: 5 },
      budget: { requests: 1, readUnits: 1 },
    }),
    orderWithItems: p.query({
      description: 'An order by its id, with all its items',
      on: 'gsi1',
      pk: 'ORDER#{orderId}',
      traffic: { rate: 300, peakRate: 800 },
      budget: { requests: 1 },
    }),
    itemsOfOrder: p.query({ pk: 'ORDER#{orderId}', sk: 'ITEM#*', consistent: true, traffic: { rate: 40 } }),
    eventsOfOrder: p.query({
      pk: 'ORDER#{orderId}',
      sk: 'EVENT#*',
      range: 'at',
      order: 'desc',
      traffic: { rate: 60 },
    }),
    ordersByStatus: p.query({
      description: 'For the back office: all orders of a status since a day, newest first',
      on: 'byStatus',
      pk: 'STATUS#{status}#{statusShard}',
      range: 'placedAt',
      order: 'desc',
      limit: 50,
      traffic: { rate: 1 },
      budget: { requests: 10 },
    }),
    activeOrders: p.query({
      description: 'What the warehouse works on, oldest first',
      on: 'active',
      pk: 'ACTIVE#{shard}',
      range: 'placedAt',
      limit: 50,
      traffic: { rate: 10 },
      budget: { requests: 4 },
    }),
    ordersOfProduct: p.query({
      description: 'Who bought it: for a recall',
      on: 'gsi2',
      pk: 'PRODUCT#{productId}',
      range: 'placedAt',
      order: 'desc',
      limit: 100,
      traffic: { rate: 0.5 },
    }),
    checkout: p.transact(
      {
        'Customer.check': 1,
        'Order.create': 1,
        'OrderItem.create': 3,
        'Product.update': 3,
        'OrderEvent.create': 1,
      },
      {
        description: 'The order, its items, and the stock they take: all or nothing',
        traffic: { rate: 40, peakRate: 150 },
        budget: { requests: 1 },
      },
    ),
    advanceOrder: p.transact(
      { 'Order.update': 1, 'OrderEvent.create': 1 },
      { description: 'Another status, and the event that says so', traffic: { rate: 150, peakRate: 400 } },
    ),
    cancelOrder: p.update('Order', {
      description: 'Only while it is pending. One change of status is a write to the table and four to its indexes',
      changes: ['status'],
      traffic: { rate: 1 },
      budget: { requests: 1, writeUnits: 5 },
    }),

    // Products.
    getProduct: p.get('Product', {
      traffic: { rate: 500, peakRate: 1500 },
      budget: { requests: 1, readUnits: 0.5 },
    }),
    productsByPrice: p.query({
      description: 'A category within a range of prices, cheapest first',
      on: 'gsi2',
      pk: 'CATEGORY#{category}',
      sk: 'PRICE#*',
      range: 'price',
      limit: 40,
      traffic: { rate: 300, peakRate: 900 },
      budget: { requests: 1, readUnits: 2 },
    }),
    productsInCart: p.batchGet('Product', { traffic: { rate: 80, items: 5 }, budget: { requests: 1 } }),
    saveProduct: p.put('Product', { traffic: { rate: 1 } }),
    restock: p.update('Product', { changes: ['stock'], traffic: { rate: 2 } }),
    countView: p.update('ViewCount', {
      changes: ['views'],
      traffic: { rate: 1000, peakRate: 5000, hotKeyShare: 0.02 },
    }),
    viewsOfProduct: p.query({ pk: 'VIEWS#{productId}#{shard}', traffic: { rate: 2 }, budget: { requests: 10 } }),

    // Sessions.
    getSession: p.get('Session', {
      traffic: { rate: 1200, peakRate: 3000 },
      budget: { requests: 1, readUnits: 0.5 },
    }),
    signIn: p.create('Session', { traffic: { rate: 20, peakRate: 100 }, budget: { writeUnits: 1 } }),
    signOut: p.delete('Session', { traffic: { rate: 10 }, budget: { writeUnits: 1 } }),
  }),
})
