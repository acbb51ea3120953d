import { entity, model, s } from '@hashrange/model'

/** As the other parts' items: about 300 bytes, a dozen attributes, some of them nested. */
const Order = entity('Order', {
  customer: s.int(),
  order: s.int().range(0, 9_999_999),
  product: s.string(),
  placed: s.iso(),
  status: s.enum('OPEN', 'PAID', 'SHIPPED'),
  quantity: s.int(),
  total: s.number(),
  paid: s.boolean(),
  address: s.map({ street: s.string(), city: s.string(), code: s.string() }),
  tags: s.set(s.string()),
  note: s.string(),
})
  .key({ pk: 'CUSTOMER#{customer}', sk: 'ORDER#{order:07}' })
  .index('byProduct', { pk: 'PRODUCT#{product}', sk: '{placed}' })

export const orders = model({
  name: 'orders',
  entities: { Order },
  patterns: (p) => ({
    order: p.get('Order'),
    ordersOfCustomer: p.query({ pk: 'CUSTOMER#{customer}', sk: 'ORDER#*', range: 'order', limit: 20 }),
    ordersOfProduct: p.query({ on: 'byProduct', pk: 'PRODUCT#{product}' }),
  }),
})
