import { entity, model, s } from '@hashrange/model'
import { copy, count, derive, entries, marks, max, sum } from '@hashrange/model/derived'

const Product = entity('Product', { productId: s.string(), name: s.string().as('n') }).key({
  pk: 'PRODUCT#{productId}',
  sk: 'PRODUCT',
})

/** Within its product, lines sort by their price. */
const Line = entity('Line', {
  productId: s.string(),
  lineId: s.string(),
  price: s.int().range(0, 99),
  paid: s.boolean(),
  productName: s.string().optional().as('pn'),
}).key({ pk: 'LINES#{productId}', sk: '{price:02}#{lineId}' })

const Totals = entity('Totals', {
  productId: s.string(),
  lines: s.int().default(0),
  paid: s.int().default(0).as('p'),
  dearest: s.int().optional(),
}).key({ pk: 'PRODUCT#{productId}', sk: 'TOTALS' })

const Word = entity('Word', { word: s.string(), productId: s.string() }).key({
  pk: 'WORD#{word}',
  sk: 'PRODUCT#{productId}',
})

const Mark = marks()

export const shop = model({
  name: 'shop',
  table: { stream: 'NEW_AND_OLD_IMAGES' },
  entities: { Product, Line, Totals, Word, Mark },
  patterns: (p) => ({
    productPage: p.query({ pk: 'PRODUCT#{productId}' }),
    linesOfProduct: p.query({ pk: 'LINES#{productId}', order: 'desc' }),
    search: p.query({ pk: 'WORD#{word}' }),
  }),
})

export const derived = derive(
  shop,
  {
    linesOfProduct: count(Line, { by: 'productId', into: Totals, set: 'lines' }),
    paidOfProduct: sum(Line, 'price', { by: 'productId', into: Totals, set: 'paid', when: { paid: true } }),
    dearestLine: max(Line, 'price', { by: 'productId', into: Totals, set: 'dearest', via: 'linesOfProduct' }),
    nameInLines: copy(Product, { into: Line, attributes: { name: 'productName' }, via: 'linesOfProduct' }),
    words: entries(Product, {
      into: Word,
      make: ({ productId, name }) => [...new Set(name.split(' '))].map((word) => ({ word, productId })),
    }),
  },
  { marks: Mark },
)
