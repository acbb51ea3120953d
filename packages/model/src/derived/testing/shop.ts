import { entity } from '../../model/entity.ts'
import { model } from '../../model/model.ts'
import { s } from '../../schema/s.ts'
import { copy, count, entries, max, min, sum, topN } from '../derivation.ts'
import { derive } from '../derive.ts'
import { marks } from '../marks.ts'

const Order = entity('Order', {
  customerId: s.string(),
  orderId: s.string(),
  status: s.enum('OPEN', 'PAID', 'SHIPPED'),
  total: s.number().as('t'),
  expiresAt: s.ttl().optional(),
})
  .key({ pk: 'ORDER#{orderId}', sk: 'ORDER' })
  .unique('orderId')

const Totals = entity('Totals', {
  customerId: s.string(),
  orders: s.int().default(0),
  paid: s.number().default(0).as('p'),
}).key({ pk: 'CUSTOMER#{customerId}', sk: 'TOTALS' })

const StatusTotals = entity('StatusTotals', {
  status: s.string(),
  shard: s.shard(3),
  orders: s.int().default(0),
}).key({ pk: 'STATUS#{status}#{shard}', sk: 'TOTALS' })

const Product = entity('Product', { productId: s.string(), name: s.string().as('n') }).key({
  pk: 'PRODUCT#{productId}',
  sk: 'PRODUCT',
})

const Line = entity('Line', {
  orderId: s.string(),
  lineId: s.string(),
  productId: s.string().as('product'),
  points: s.int().range(0, 999),
  productName: s.string().optional().as('pn'),
})
  .key({ pk: 'LINES#{orderId}', sk: 'LINE#{points:03}#{lineId}' })
  .index('byProduct', { pk: 'OF#{productId}', sk: '{lineId}' })

const Best = entity('Best', {
  orderId: s.string(),
  lines: s.list(s.string()).optional().as('l'),
  most: s.int().optional().as('m'),
  least: s.int().optional(),
}).key({ pk: 'BEST#{orderId}', sk: 'BEST' })

const Word = entity('Word', { word: s.string(), productId: s.string(), name: s.string().as('n') }).key({
  pk: 'WORD#{word}',
  sk: 'PRODUCT#{productId}',
})

const Mark = marks()

/** An order with lines, totals by customer and status, and products that can be found by their words. */
export const shop = model({
  name: 'derived-shop',
  table: { stream: 'NEW_AND_OLD_IMAGES' },
  entities: { Order, Totals, StatusTotals, Product, Line, Best, Word, Mark },
  patterns: (p) => ({
    totals: p.get('Totals'),
    byStatus: p.query({ pk: 'STATUS#{status}#{shard}' }),
    linesOfProduct: p.query({ on: 'byProduct', pk: 'OF#{productId}' }),
    bestLines: p.query({ pk: 'LINES#{orderId}', sk: 'LINE#*', order: 'desc' }),
    worstLines: p.query({ pk: 'LINES#{orderId}', sk: 'LINE#*' }),
    find: p.query({ pk: 'WORD#{word}' }),
  }),
})

export const derived = derive(
  shop,
  {
    ordersPerCustomer: count(Order, { by: 'customerId', into: Totals, set: 'orders' }),
    paidPerCustomer: sum(Order, 'total', {
      by: 'customerId',
      into: Totals,
      set: 'paid',
      when: { status: ['PAID', 'SHIPPED'] },
    }),
    ordersPerStatus: count(Order, { by: ({ status }) => ({ status }), into: StatusTotals, set: 'orders' }),
    bestLines: topN(Line, 2, {
      by: 'orderId',
      into: Best,
      set: 'lines',
      via: 'bestLines',
      each: ({ lineId, points }) => `${lineId}:${points}`,
    }),
    mostPoints: max(Line, 'points', { by: 'orderId', into: Best, set: 'most', via: 'bestLines' }),
    leastPoints: min(Line, 'points', { by: 'orderId', into: Best, set: 'least', via: 'worstLines' }),
    productNames: copy(Product, { into: Line, attributes: { name: 'productName' }, via: 'linesOfProduct' }),
    words: entries(Product, {
      into: Word,
      make: ({ productId, name }) => name.split(' ').map((word) => ({ word, productId, name })),
    }),
  },
  { marks: Mark },
)
