// What the compiler must refuse. `tsc -b` fails if one of these lines compiles.
import { expect, expectTypeOf, test } from 'vitest'
import { add, append, connect, entity, model, s, subtract } from '../index.ts'
import type { Item, ItemInput, ItemKey } from '../index.ts'
import { Customer, id, Line, Order, shop } from '../testing/shop-model.ts'

/** For lines that are compiled but never run. */
function compiled(_check: () => unknown): void {
  expect(_check).toBeTypeOf('function')
}

const db = connect(shop, { send: () => Promise.reject(new Error('not connected')) })
const key = { customerId: id(1), placedAt: '2026-01-01', orderId: id(1) }

test('a template may only name attributes of its entity', () => {
  compiled(() => {
    // @ts-expect-error {b} is not an attribute of this entity
    entity('Bad', { a: s.string() }).key({ pk: 'X#{b}', sk: 'Y' })
    const One = entity('One', { a: s.string() }).key({ pk: '{a}' })
    // @ts-expect-error {zz} is not an attribute of this entity
    One.index('g', { pk: ['zz'], sk: ['a'] })
    // @ts-expect-error {zz} is not an attribute of this entity
    One.unique('a', { pk: 'A#{zz}', sk: 'A' })
    // @ts-expect-error b is not an attribute of this entity
    entity('Bad', { a: s.string(), shard: s.shard(4, 'b') })
    // @ts-expect-error zz is not an attribute
    One.index('g', { pk: '{a}', when: { zz: 1 } })
    const Two = entity('Two', { a: s.enum('a', 'b') }).key({ pk: '{a}' })
    // @ts-expect-error 'c' is not one of the values
    Two.index('g', { pk: '{a}', when: { a: 'c' } })
  })
})

test('two entities may not have keys of one shape', () => {
  const Dup = entity('Dup', { customer: s.string() }).key({ pk: 'CUSTOMER#{customer}', sk: 'PROFILE' })
  const make = () =>
    model({
      name: 'x',
      // @ts-expect-error The key of Customer can equal that of Dup
      entities: { Customer, Dup },
      patterns: () => ({}),
    })
  expect(make).toThrow('Dup and Customer can have the same key')
})

test('an entity stands under its own name and has a key', () => {
  const Named = entity('Named', { a: s.string() }).key({ pk: '{a}' })
  const Keyless = entity('Keyless', { a: s.string() })
  expect(() =>
    model({
      name: 'x',
      // @ts-expect-error Named stands in the model as Other
      entities: { Other: Named },
      patterns: () => ({}),
    }),
  ).toThrow('Use the same name')
  expect(() =>
    model({
      name: 'x',
      // @ts-expect-error Keyless has no key
      entities: { Keyless },
      patterns: () => ({}),
    }),
  ).toThrow('has no key')
})

test('a pattern must be served by an entity', () => {
  const entities = { Customer, Order, Line }
  const make = (name: 'pk' | 'sk' | 'range' | 'on' | 'entities') => () =>
    model({
      name: 'x',
      entities,
      patterns: (p) => {
        switch (name) {
          case 'pk':
            // @ts-expect-error there are CUSTOMER#{customerId}, ORDER#{orderId} and EMAIL#{email}
            return { q: p.query({ pk: 'NOPE#{customerId}' }) }
          case 'sk':
            // @ts-expect-error no sort key begins so
            return { q: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDR#*' }) }
          case 'range':
            // @ts-expect-error after ORDER# comes placedAt
            return { q: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#*', range: 'total' }) }
          case 'on':
            // @ts-expect-error there is no such index
            return { q: p.query({ on: 'nope', pk: 'CUSTOMER#{customerId}' }) }
          case 'entities':
            // @ts-expect-error a Line cannot occur there
            return { q: p.query({ pk: 'CUSTOMER#{customerId}', entities: ['Line'] }) }
        }
      },
    })
  expect(make('pk')).toThrow("Choose from: 'CUSTOMER#{customerId}', 'EMAIL#{email}', 'ORDER#{orderId}'")
  expect(make('sk')).toThrow("'ORDR#*'")
  expect(make('range')).toThrow('takes a range of total')
  expect(make('on')).toThrow("'nope'")
  expect(make('entities')).toThrow('the entity Line')
  compiled(() =>
    model({
      name: 'x',
      entities,
      patterns: (p) => ({
        // @ts-expect-error no such entity
        a: p.get('Nobody'),
        // @ts-expect-error Order has no guard
        b: p.lookup('Order', 'email'),
        // @ts-expect-error no such step
        c: p.transact({ 'Order.destroy': 1 }),
        // @ts-expect-error PROFILE is all of it; a beginning has a star
        d: p.query({ pk: 'CUSTOMER#{customerId}', sk: 'PROF' }),
        // @ts-expect-error not an attribute
        e: p.query({ pk: 'CUSTOMER#{customerId}', filter: ['nope'] }),
      }),
    }),
  )
})

test('parameters are required, typed and known', () => {
  compiled(async () => {
    // @ts-expect-error customerId is missing
    await db.customerPage({})
    // @ts-expect-error customerId is missing
    await db.customerPage()
    // @ts-expect-error a number
    await db.customerPage({ customerId: 1 })
    // @ts-expect-error not a date
    await db.recentOrders({ customerId: id(1), placedAt: { from: 3 } })
    // @ts-expect-error a status there is not
    await db.topInRegion({ region: 'EU', status: 'X' })
    // @ts-expect-error orderId is missing
    await db.Order.get({ customerId: id(1), placedAt: '2026' })
    // @ts-expect-error email is missing
    await db.Customer.create({ customerId: id(1) })
    // @ts-expect-error not an attribute
    await db.Customer.create({ customerId: id(1), email: 'a', nope: 1 })
    // @ts-expect-error a shard that follows from the order cannot be given
    await db.Order.put({ ...key, region: 'EU', status: 'OPEN', total: 1, tags: [], shard: 1 })
  })
})

test('only entities that can occur are in a result, and only what an index copies', () => {
  compiled(async () => {
    const page = await db.customerPage({ customerId: id(1) })
    // @ts-expect-error a Line lives under ORDER#
    void page.items.Line
    const open = await db.openOrders()
    // @ts-expect-error the index has keys only
    void open.items.Order[0]?.total
    const byStatus = await db.ordersByStatus({ status: 'OPEN', region: 'EU' })
    // @ts-expect-error not included in the index
    void byStatus.items.Order[0]?.expiresAt
  })
  type ByStatus = Awaited<ReturnType<typeof db.ordersByStatus>>['items']['Order'][0]
  expectTypeOf<ByStatus>().toEqualTypeOf<{
    customerId: string
    orderId: string
    placedAt: string
    status: 'OPEN' | 'PAID' | 'SHIPPED'
    region: string
    total: number
    note?: string
  }>()
  type Open = Awaited<ReturnType<typeof db.openOrders>>['items']['Order'][0]
  expectTypeOf<Open>().toEqualTypeOf<{ customerId: string; orderId: string; placedAt: string }>()
})

test('an update changes whole keys, no primary keys, and only what can change', () => {
  compiled(async () => {
    // @ts-expect-error region is part of the same key as status
    await db.Order.update(key, { status: 'PAID' })
    // @ts-expect-error status is part of the same key as region
    await db.Order.update(key, { region: 'US', total: 1 })
    await db.Order.update(key, { region: 'US', status: 'PAID' })
    await db.Order.update(key, { total: 1 })
    await db.Order.update(key, { note: 'x', expiresAt: new Date() })
    // @ts-expect-error a key is made of total, so its value must be known
    await db.Order.update(key, { total: add(1) })
    // @ts-expect-error part of the primary key
    await db.Order.update(key, { orderId: id(2) })
    // @ts-expect-error not an attribute of Order
    await db.Order.update(key, { nope: 1 })
    // @ts-expect-error counted by the library
    await db.Customer.update({ customerId: id(1) }, { version: 3 })
    // @ts-expect-error nothing can be added to a string
    await db.Order.update(key, { note: add(1) })
    // @ts-expect-error not an element of the list
    await db.Order.update(key, { history: append({ at: 1 }) })
    await db.Product.update({ sku: 'a' }, { stock: subtract(1) }, { if: { stock: 3 } })
    // @ts-expect-error no such attribute in the condition
    await db.Product.update({ sku: 'a' }, { stock: 1 }, { if: { nope: 3 } })
  })
})

test('a transaction pattern does only what it declares', () => {
  compiled(() =>
    db.placeOrder((t) => [
      // @ts-expect-error the pattern does not delete orders
      t.Order.delete(key),
    ]),
  )
})

test('items, inputs and keys have types of their own', () => {
  expectTypeOf<ItemKey<typeof Order>>().toEqualTypeOf<{
    readonly customerId: string
    readonly placedAt: string | Date
    readonly orderId: string
  }>()
  expectTypeOf<Item<typeof Customer>>().toEqualTypeOf<{
    customerId: string
    email: string
    tier: 'free' | 'pro'
    version: number
    name?: string
  }>()
  expectTypeOf<ItemInput<typeof Line>>().toEqualTypeOf<{
    readonly orderId: string
    readonly n: number
    readonly sku: string
    readonly quantity: number
  }>()
})
