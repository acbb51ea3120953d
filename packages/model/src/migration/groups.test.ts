import { TransactWriteItemsCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { connect, entity, model, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'
import { migrateTables, migrating, predecessorOf, verifyMigration } from './index.ts'
import { byId, byTime } from './testing/record-models.ts'

const at = '2026-01-01T00:00:00Z'
const old = predecessorOf(byTime) ?? byTime
const fresh = { migration: migrating({ writes: 'new' }) }

/** A client that does something else before its first transaction. */
function delayedBy(client: DynamoDBClient, meanwhile: () => Promise<unknown>) {
  const transactions: number[] = []
  const send = async (...[command, ...more]: Parameters<DynamoDBClient['send']>): Promise<unknown> => {
    if (command instanceof TransactWriteItemsCommand) {
      if (transactions.push(command.input.TransactItems?.length ?? 0) === 1) await meanwhile()
    }
    return client.send(command, ...more)
  }
  return { transactions, client: { send: send as DynamoDBClient['send'] } }
}

test('items go over together, and each has its own outcome', async () => {
  const { db, client } = await openModel(byId)
  const ids = Array.from({ length: 40 }, (_, i) => `r${i + 10}`)
  await db.batchWrite((b) => ids.map((id, n) => b.Row.put({ group: 'g', id, at, n })))
  const { transactions, client: slow } = delayedBy(client, async () => {
    await db.Row.update({ group: 'g', id: 'r11' }, { n: 1000 })
    await db.Row.delete({ group: 'g', id: 'r12' })
    // Someone else has moved it, and changed it there.
    await db.Row.delete({ group: 'g', id: 'r13' })
    await connect(byTime, client, fresh).Row.create({ group: 'g', id: 'r13', at, n: 2000 })
  })
  await migrateTables(old, byTime, slow, { segments: 1 })
  expect(Math.max(...transactions)).toBeGreaterThan(20)
  expect(transactions.length).toBeLessThan(10)
  const { items } = await connect(byTime, client, fresh).list({ group: 'g' })
  const wanted = ids.flatMap((id, n) => (id === 'r12' ? [] : [[id, { r11: 1000, r13: 2000 }[id] ?? n]]))
  expect(items.Row.map(({ id, n }) => [id, n])).toEqual(wanted)
  expect(await verifyMigration(old, byTime, client)).toMatchObject({ items: { Row: 39 }, left: {}, faultCount: 0 })
})

test('an item that lacks something is left and named; the others go over', async () => {
  const { db, client } = await openModel(byId)
  const TableName = 'rows'
  for (const id of ['a%41', '__proto__', 'constructor', 'x\u0000y', '😀', ' ', '{id}'])
    await db.Row.create({ group: id, id, at, n: 1 })
  const bare = { pk: { S: 'G#hand' }, sk: { S: 'R#bare' }, entity: { S: 'Row' } }
  const other = { pk: { S: 'G#hand' }, sk: { S: 'R#other' }, entity: { S: 'Row' }, group: { S: 'else' } }
  for (const Item of [bare, other]) await client.putItem({ TableName, Item })
  // What is only in the key is read from there.
  const whole = { pk: { S: 'G#hand' }, sk: { S: 'R#whole' }, entity: { S: 'Row' }, at: { S: at }, n: { N: '1' } }
  await client.putItem({ TableName, Item: whole })
  expect(await migrateTables(old, byTime, client)).toMatchObject({ written: 8, strange: 2 })
  const { items, faults } = await verifyMigration(old, byTime, client)
  expect(items).toEqual({ Row: 8 })
  expect(faults.map(({ key: { sk }, fault }) => [sk?.S, fault])).toEqual(
    expect.arrayContaining([
      ['R#bare', 'cannot be read or migrated. Row.at is missing. Give it a value.'],
      ['R#other', 'has a key of neither form'],
    ]),
  )
  expect(
    (await connect(byTime, client, fresh).Row.get({ group: '__proto__', id: '__proto__', at })).item,
  ).toMatchObject({
    n: 1,
  })
})

test('a guard is added by a model that only names its other predecessors, and what is taken is named', async () => {
  const Person = entity('Person', { id: s.string(), email: s.string() })
  const was = model({
    name: 'people',
    entities: { Person: Person.key({ pk: 'P#{id}', sk: 'P' }) },
    patterns: (p) => ({ person: p.get('Person') }),
  })
  const now = model({
    name: 'people',
    entities: { Person: Person.key({ pk: 'PERSON#{id}', sk: 'P', was: { pk: 'P#{id}' } }).unique('email') },
    patterns: (p) => ({ person: p.get('Person') }),
  })
  const { db, client } = await openModel(was)
  for (const id of ['1', '2', '3']) await db.Person.create({ id, email: id === '1' ? 'a' : 'b' })
  const before = predecessorOf(now) ?? now
  const dry = await migrateTables(before, now, client, { isDry: true })
  expect(dry).toMatchObject({ written: 3 })
  await migrateTables(before, now, client)
  const { satellites, faults } = await verifyMigration(before, now, client)
  expect(satellites).toBe(2)
  expect(faults).toMatchObject([{ entity: 'Person', fault: 'has no Person.email of its own' }])
  await expect(connect(now, client, fresh).Person.create({ id: '4', email: 'a' })).rejects.toMatchObject({
    code: 'NOT_UNIQUE',
  })
})
