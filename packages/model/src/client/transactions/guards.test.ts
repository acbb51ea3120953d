import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { entity, model, s } from '../../index.ts'
import { openModel } from '../../testing/open-model.ts'

const User = entity('User', { id: s.string(), email: s.string(), n: s.int().default(0) })
  .key({ pk: 'USER#{id}', sk: 'USER' })
  .unique('email')
const users = model({ name: 'users', entities: { User }, patterns: () => ({}) })

async function keysIn(client: DynamoDB, table: string): Promise<readonly string[]> {
  const { Items = [] } = await client.scan({ TableName: table, ConsistentRead: true })
  return Items.map(({ pk }) => pk?.S ?? '').toSorted()
}

describe('a delete beside a create', () => {
  const email = 'a@b.c'

  /** Lets `meanwhile` happen after the first read of the other call. */
  async function race(
    deletion: (db: Awaited<ReturnType<typeof openModel<typeof users>>>['db']) => Promise<unknown>,
  ) {
    const { db, client } = await openModel(users)
    const send = client.send.bind(client)
    let isFirst = true
    client.send = (async (command: never, options: never) => {
      const answer: unknown = await send(command, options)
      if (isFirst && (command as object).constructor.name === 'GetItemCommand') {
        isFirst = false
        await db.User.create({ id: '1', email })
      }
      return answer
    }) as never
    await deletion(db)
    return { db, client }
  }

  test('that found nothing leaves no guard behind', async () => {
    const { db, client } = await race((each) => each.User.delete({ id: '1' }))
    expect(await keysIn(client, 'users')).toEqual([])
    await db.User.create({ id: '2', email })
  })

  test('in a transaction leaves none either', async () => {
    const { client } = await race((each) => each.transact((t) => [t.User.delete({ id: '1' })]))
    expect(await keysIn(client, 'users')).toEqual([])
  })

  test('under a condition is decided by the item that is there', async () => {
    const { client } = await race((each) => each.User.delete({ id: '1' }, { if: { email } }))
    expect(await keysIn(client, 'users')).toEqual([])
    const refused = race((each) => each.User.delete({ id: '1' }, { if: { email: 'x@y.z' } }))
    await expect(refused).rejects.toMatchObject({ code: 'CONDITION_FAILED', item: { id: '1', email } })
  })

  test('of what is not there is no error, and under a condition it is', async () => {
    const { db } = await openModel(users)
    expect((await db.User.delete({ id: '1' })).item).toBeUndefined()
    await expect(db.User.delete({ id: '1' }, { if: { email } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('ends with both the item and its guard, or neither, whatever the order', async () => {
    const { db, client } = await openModel(users)
    for (let n = 0; n < 4; n++) {
      await Promise.allSettled([
        db.User.delete({ id: '1' }),
        db.User.create({ id: '1', email: `${n}@b.c` }),
        db.transact((t) => [t.User.delete({ id: '1' })]),
      ])
      expect([0, 2]).toContain((await keysIn(client, 'users')).length)
      await db.User.delete({ id: '1' })
      expect(await keysIn(client, 'users')).toEqual([])
    }
  })
})

test('a transaction with a token keeps guards as well', async () => {
  const { db, client } = await openModel(users)
  await db.User.create({ id: '1', email: 'a@b.c' })
  await db.transact((t) => [t.User.update({ id: '1' }, { email: 'd@e.f' })], { token: 'one' })
  expect(await keysIn(client, 'users')).toEqual(['UNIQUE#User#email#d@e.f', 'USER#1'])
  await db.transact((t) => [t.User.delete({ id: '1' })], { token: 'two' })
  expect(await keysIn(client, 'users')).toEqual([])
})

describe('guards of items that expire', () => {
  const Session = entity('Session', { id: s.string(), seat: s.string(), expiresAt: s.ttl().optional() })
    .key({ pk: 'SESSION#{id}', sk: 'SESSION' })
    .unique('seat')
    .indexItem('bySeat', { pk: 'SEAT#{seat}', sk: 'SESSION#{id}' })
  const sessions = model({
    name: 'sessions',
    entities: { Session },
    patterns: (p) => ({ at: p.lookup('Session', 'seat') }),
  })
  const start = Date.UTC(2026, 0, 1) / 1000

  async function openSessions() {
    const clock = { seconds: start }
    const opened = await openModel(sessions, { now: () => new Date(clock.seconds * 1000) })
    return { ...opened, clock }
  }

  test('expire with their item, and follow its expiry', async () => {
    const { db, client } = await openSessions()
    await db.Session.create({ id: '1', seat: 'A', expiresAt: start + 60 })
    const expiries = async () =>
      (await client.scan({ TableName: 'sessions' })).Items?.map(({ expiresAt }) => Number(expiresAt?.N))
    expect(await expiries()).toEqual([start + 60, start + 60, start + 60])
    await db.Session.update({ id: '1' }, { expiresAt: start + 90 })
    expect(await expiries()).toEqual([start + 90, start + 90, start + 90])
  })

  test('are free once it has expired, and not before', async () => {
    const { db, clock } = await openSessions()
    await db.Session.create({ id: '1', seat: 'A', expiresAt: start + 60 })
    await db.Session.create({ id: '9', seat: 'Z' })
    await expect(db.Session.create({ id: '2', seat: 'A' })).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
    clock.seconds += 61
    await db.Session.create({ id: '2', seat: 'A', expiresAt: start + 1000 })
    await expect(db.Session.create({ id: '3', seat: 'Z' })).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
    expect((await db.at({ seat: 'A' })).item?.id).toBe('2')
  })

  test('stay with their new owner when the expired item goes or comes back', async () => {
    const { db, clock } = await openSessions()
    await db.Session.create({ id: '1', seat: 'A', expiresAt: start + 60 })
    clock.seconds += 61
    await db.Session.create({ id: '2', seat: 'A', expiresAt: start + 1000 })
    const revived = db.Session.update({ id: '1' }, { expiresAt: start + 5000 })
    await expect(revived).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
    await db.Session.delete({ id: '1' })
    expect((await db.at({ seat: 'A' })).item?.id).toBe('2')
    await expect(db.Session.create({ id: '3', seat: 'A' })).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
  })
})
