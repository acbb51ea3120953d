import { describe, expect, test } from 'vitest'
import { add, connect, entity, model, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'
import { migrateTables, migrating, predecessorOf, verifyMigration, type Writes } from './index.ts'
import { ordersAfter, ordersBefore } from './testing/orders.ts'

async function openBoth() {
  const { db, client } = await openModel(ordersBefore)
  const version = (writes: Writes) => connect(ordersAfter, client, { migration: migrating({ writes }) })
  const stored = async () => (await client.scan({ TableName: 'orders' })).Items ?? []
  return { old: db, version, stored, client }
}

const ids = ({ items }: { items: { Event: readonly { id: string }[] } }) => items.Event.map(({ id }) => id)

describe('a client of a model that names its predecessor', () => {
  test('needs to be told what to write', async () => {
    const { client } = await openModel(ordersBefore)
    expect(() => connect(ordersAfter, client)).toThrow('migrating(')
  })

  test('is refused where callers could not find the old form', async () => {
    const { client } = await openModel(ordersBefore)
    const Group = entity('Group', { user: s.string(), id: s.string(), at: s.iso('second') }).key({
      pk: 'USER#{user}',
      sk: 'GROUP#{id}',
      was: { sk: '{at}' },
    })
    const after = model({ name: 'orders', entities: { Group }, patterns: (p) => ({ group: p.get('Group') }) })
    expect(() => connect(after, client, { migration: migrating({ writes: 'both' }) })).toThrow(
      'The old key of Group needs at',
    )
  })

  test('reads both forms in one order with one cursor, each item once', async () => {
    const { old, version } = await openBoth()
    const [was, both, now] = [version('was'), version('both'), version('new')]
    const names = Array.from({ length: 10 }, (_, n) => `e${String(n).padStart(2, '0')}`)
    for (const [n, id] of names.entries())
      await ([old, was, both][n % 4] ?? now).Event.create({ topic: 't', id, n })
    for (const db of [was, both, now]) {
      expect(ids(await db.events({ topic: 't' }))).toEqual(names)
      const read: string[] = []
      let cursor: string | undefined
      do {
        const page = await db.events({ topic: 't' }, { limit: 3, cursor })
        expect(page.items.Event.length).toBeLessThanOrEqual(3)
        read.push(...ids(page))
        cursor = page.cursor
        // Items go to their new place behind and before the cursor.
        for (const id of names.slice(read.length - 3, read.length + 3))
          await now.Event.update({ topic: 't', id }, { n: 1 })
      } while (cursor !== undefined)
      expect(read).toEqual(names)
    }
  })

  test('writes the forms that it is told to, wherever an item is', async () => {
    const { old, version, stored } = await openBoth()
    const [was, both, now] = [version('was'), version('both'), version('new')]
    const key = { topic: 't', id: 'a' }
    await was.Event.create({ ...key, n: 1 })
    expect((await old.Event.get(key)).item).toMatchObject({ n: 1 })
    await expect(now.Event.create({ ...key, n: 2 })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
    await both.Event.update(key, { n: add(1) })
    expect((await old.Event.get(key)).item).toMatchObject({ n: 2 })
    expect(await stored()).toHaveLength(2)
    await was.Event.update(key, { n: add(1) })
    expect(await stored()).toMatchObject([{ n: { N: '3' } }, { n: { N: '3' } }])
    await now.Event.upsert(key, { n: add(1) })
    expect(await stored()).toMatchObject([{ n: { N: '4' } }])
    expect((await old.Event.get(key)).item).toBeUndefined()
    for (const db of [was, both, now]) expect((await db.Event.get(key)).item).toMatchObject({ n: 4 })
    await was.transact((t) => [
      t.Event.modify(key, (item) => ({ ...item, n: 5 })),
      t.Event.create({ topic: 't', id: 'b', n: 1 }),
    ])
    expect(await stored()).toHaveLength(2)
    await both.Event.put({ ...key, n: 6 })
    await was.Event.delete(key)
    await expect(was.Event.update(key, { n: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await now.Event.delete({ topic: 't', id: 'b' })
    expect(await stored()).toEqual([])
  })

  test('many items and items of one moment are found in either form', async () => {
    const { old, version } = await openBoth()
    const now = version('new')
    await old.Event.create({ topic: 't', id: 'a', n: 1 })
    await now.Event.create({ topic: 't', id: 'b', n: 2 })
    await now.Customer.create({ customerId: '1', name: 'Ada' })
    const wanted = { Event: ['a', 'x', 'b'].map((id) => ({ topic: 't', id })), Customer: [{ customerId: '1' }] }
    const expected = { Event: [{ n: 1 }, undefined, { n: 2 }], Customer: [{ name: 'Ada' }] }
    expect((await now.many(wanted)).items).toMatchObject(expected)
    expect((await now.atOnce(wanted)).items).toMatchObject(expected)
    await expect(now.batchWrite((b) => [b.Event.put({ topic: 't', id: 'c', n: 1 })])).rejects.toMatchObject({
      code: 'NEEDS_TRANSACTION',
    })
  })

  test('a new sort key and new shards of an index: all patterns answer in the new order', async () => {
    const { old, version, client } = await openBoth()
    const [was, both, now] = [version('was'), version('both'), version('new')]
    const customerId = '1'
    const placed = ['05', '02', '04', '01', '03', '06']
    await now.Customer.create({ customerId, name: 'Ada' })
    for (const [n, day] of placed.entries()) {
      const order = { customerId, orderId: `o${n}`, placedAt: `2026-01-${day}T00:00:00Z`, status: 'OPEN' as const }
      await ([old, was, both][n % 4] ?? now).Order.create(order)
    }
    for (const db of [was, both, now]) {
      const days = async (page: Promise<{ items: { Order: readonly { placedAt: string }[] } }>) =>
        (await page).items.Order.map(({ placedAt }) => placedAt.slice(8, 10))
      const all = placed.toSorted()
      expect(await days(db.ordersOf({ customerId }))).toEqual(all)
      expect(
        await days(db.ordersOf({ customerId, placedAt: { from: '2026-01-03', before: '2026-01-05' } })),
      ).toEqual(['03', '04'])
      expect(await days(db.latest({ customerId }))).toEqual(['06', '05'])
      expect(await days(db.latest({ customerId }, { cursor: (await db.latest({ customerId })).cursor }))).toEqual([
        '04',
        '03',
      ])
      expect(await days(db.withStatus({ status: 'OPEN' }))).toEqual(all)
      expect(await days(db.page({ customerId }))).toEqual(all)
      expect((await db.page({ customerId })).items.Customer).toHaveLength(1)
    }
    // A pattern of the old code finds what was written in both forms.
    await both.Order.update({ customerId, orderId: 'o2', placedAt: '2026-01-04T00:00:00Z' }, { total: 7 })
    expect((await old.ordersOf({ customerId })).items.Order.find(({ orderId }) => orderId === 'o2')?.total).toBe(7)
    client.destroy()
  })

  test('an entity that moves to another table is found in both, and brought over', async () => {
    const User = entity('User', { id: s.string(), name: s.string(), email: s.string() })
      .key({ pk: 'USER#{id}', sk: 'USER' })
      .unique('email')
    const Note = entity('Note', { id: s.string(), n: s.int(), text: s.string(), version: s.version() })
      .key({ pk: 'USER#{id}', sk: 'NOTE#{n:04}' })
      .in('notes', { was: 'main' })
    const after = model({
      name: 'notes',
      tables: { main: {}, notes: {} },
      entities: { User, Note },
      patterns: (p) => ({ notes: p.query({ on: 'notes', pk: 'USER#{id}', sk: 'NOTE#*', order: 'desc' }) }),
    })
    const before = predecessorOf(after)
    if (before === undefined) throw new Error('it has one')
    const { client } = await openModel(after, { migration: migrating({ writes: 'new' }) })
    const version = (writes: Writes) => connect(after, client, { migration: migrating({ writes }) })
    const [was, both, now] = [version('was'), version('both'), version('new')]
    await was.User.create({ id: 'u', name: 'Ada', email: 'a' })
    for (let n = 1; n <= 6; n++) await ([was, both][n % 3] ?? now).Note.create({ id: 'u', n, text: `${n}` })
    const numbers = async () => (await was.notes({ id: 'u' })).items.Note.map(({ n }) => n)
    expect(await numbers()).toEqual([6, 5, 4, 3, 2, 1])
    await was.Note.modify({ id: 'u', n: 3 }, (note) => ({ ...note, text: 'changed' }))
    const counts = async () => [
      (await client.scan({ TableName: 'notes-main' })).Count,
      (await client.scan({ TableName: 'notes-notes' })).Count,
    ]
    // A user and its guard, and two notes in each setting.
    expect(await counts()).toEqual([6, 4])
    await migrateTables(before, after, client, { keeps: 'both' })
    expect(await counts()).toEqual([6, 6])
    await migrateTables(before, after, client)
    expect(await counts()).toEqual([2, 6])
    expect(await numbers()).toEqual([6, 5, 4, 3, 2, 1])
    expect((await now.Note.get({ id: 'u', n: 3 })).item).toMatchObject({ text: 'changed', version: 2 })
    expect(await verifyMigration(before, after, client)).toMatchObject({
      items: { User: 1, Note: 6 },
      satellites: 1,
      left: {},
      faultCount: 0,
    })
  })
})
