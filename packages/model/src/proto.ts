import { entity } from './model/entity.ts'
import { s } from './schema/s.ts'
import type { Entities, CheckEntities, } from './model/pattern-types.ts'
import type { PatternMaker, AnyPattern } from './model/patterns.ts'
import type { TableConfig, Tables } from './model/table-config.ts'

declare function model<
  const Es extends Entities,
  Ps extends Readonly<Record<string, AnyPattern>>,
  const Main extends TableConfig = Record<never, never>,
  const Ts extends Tables = { readonly main: Main },
>(d: {
  name: string, table?: Main, tables?: Ts, entities: Es & CheckEntities<Es>, patterns: (p: PatternMaker<Es, Ts>) => Ps
}): { es: Es, ps: Ps, ts: Ts }

const Customer = entity('Customer', {
  customerId: s.ulid(), email: s.string(), tier: s.enum('free', 'pro').default('free'),
  version: s.version(),
}).key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })
  .unique('email')
const Order = entity('Order', {
  customerId: s.ulid(), orderId: s.ulid(), placedAt: s.iso(), region: s.string(), shard: s.shard(8, 'orderId'),
  status: s.enum('OPEN', 'PAID', 'SHIPPED'), total: s.int(), expiresAt: s.ttl().optional(),
}).key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{placedAt}#{orderId}' })
  .index('gsi1', { pk: 'ORDER#{orderId}', sk: 'ORDER' })
  .index('open', { pk: 'OPEN#{shard}', sk: '{placedAt}', when: { status: 'OPEN' } })
  .index('byRegion', { pk: ['region', 'status'], sk: ['total'] })
  .index('byTotal', { sk: '{total:08}' })
const Line = entity('Line', { orderId: s.ulid(), n: s.int(), sku: s.string(), qty: s.int() })
  .key({ pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })
  .index('gsi1', { pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })

const shop = model({
  name: 'shop',
  table: { indexes: { open: { projection: 'KEYS_ONLY' }, byRegion: { projection: ['total'] } } },
  entities: { Customer, Order, Line },
  patterns: p => ({
    getCustomer: p.get('Customer', { traffic: { rate: 900 } }),
    customerPage: p.query({ pk: 'CUSTOMER#{customerId}', limit: 25 }),
    recentOrders: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#*', range: 'placedAt', order: 'desc' }),
    orderById: p.query({ on: 'gsi1', pk: 'ORDER#{orderId}' }),
    openOrders: p.query({ on: 'open', pk: 'OPEN#{shard}' }),
    top: p.query({ on: 'byRegion', pk: ['region', 'status'], range: 'total', order: 'desc', limit: 10 }),
    lsi: p.query({ on: 'byTotal', pk: 'CUSTOMER#{customerId}', range: 'total' }),
    byEmail: p.lookup('Customer', 'email'),
    guard: p.query({ pk: 'UNIQUE#Customer#email#{email}' }),
    place: p.transact({ 'Order.create': 1, 'Line.create': 3 }),
    // E1
    bad: p.query({ pk: 'NOPE#{customerId}' }),
    // E2
    bad2: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDR#*' }),
    // E3
    bad3: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#*', range: 'total' }),
    bad4: p.query({ pk: 'CUSTOMER#{customerId}', entities: ['Line'] }),
  }),
})
type P = typeof shop.ps
type Show<T> = { [K in keyof T]: T[K] }
declare function show<T>(): T
const x1: 1 = show<P['customerPage']['$']['types']['items']['Order'][0]>()
const x2: 1 = show<P['recentOrders']['$']['types']['parameters']>()
const x3: 1 = show<P['openOrders']['$']['types']>()
const x4: 1 = show<P['top']['$']['types']>()
const x5: 1 = show<P['lsi']['$']['types']['parameters']>()
const x6: 1 = show<P['byEmail']['$']['types']>()
const x7: 1 = show<P['guard']['$']['types']>()
const x8: 1 = show<keyof P['customerPage']['$']['types']['items']>()
const x9: 1 = show<keyof P['recentOrders']['$']['types']['items']>()

const Dup = entity('Dup', { customerId: s.string() }).key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })
model({ name: 'x', entities: { Customer, Dup }, patterns: () => ({}) })
entity('Bad', { a: s.string() }).key({ pk: 'X#{b}', sk: 'Y' })
entity('Bad', { a: s.string() }).index('g', { pk: ['zz'], sk: ['a'] })
