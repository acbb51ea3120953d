import { expect, test } from 'vitest'
import { keySpace, tokenExpiryKey, tokenKey } from '../layout/key-space.ts'
import { createTableInput, openTestEngine, testScope } from '../testing/test-engine.ts'
import { clientTokenOf } from '../transactions/client-token.ts'
import { forgetTokens } from './forget-tokens.ts'

const tokens = { from: Buffer.of(keySpace.token), to: Buffer.of(keySpace.tokenExpiry + 1) }
const running = { aborted: false }

test('tokens are forgotten when their time has come, and not before', async () => {
  const db = await openTestEngine()
  await db.run('CreateTable', createTableInput('plain', { hash: 'pk' }))
  const write = (ClientRequestToken: string): Promise<unknown> => {
    const TransactItems = [{ Put: { TableName: 'plain', Item: { pk: { S: 'a' } } } }]
    return db.run('TransactWriteItems', { TransactItems, ClientRequestToken })
  }
  await write('early')
  db.advance(1_000)
  await write('late')
  expect(await db.countKeys(tokens)).toBe(4)
  await forgetTokens(db.store, db.engine.clock.now() + 598_999, running)
  expect(await db.countKeys(tokens)).toBe(4)
  await forgetTokens(db.store, db.engine.clock.now() + 599_001, running)
  expect(await db.countKeys(tokens)).toBe(2)
  await forgetTokens(db.store, db.engine.clock.now() + 600_001, running)
  expect(await db.countKeys(tokens)).toBe(0)
  await db.close()
})

test('more tokens than fit in one transaction are forgotten too', async () => {
  const db = await openTestEngine()
  await Promise.all(
    Array.from({ length: 1_201 }, (_, n) => {
      const token = clientTokenOf(testScope, `token-${n}`, [])
      return db.store.transact([], () => ({ writes: token.writes(undefined, n, []), answer: undefined }))
    }),
  )
  expect(await db.countKeys(tokens)).toBe(2_402)
  await forgetTokens(db.store, 10_000_000, running)
  expect(await db.countKeys(tokens)).toBe(0)
  await db.close()
})

test('a token that is used anew while it is being forgotten stays', async () => {
  const db = await openTestEngine()
  const token = clientTokenOf(testScope, 'token', [])
  const use = (stored: Buffer | undefined, nowMs: number): Promise<void> =>
    db.store.transact([], () => ({ writes: token.writes(stored, nowMs, []), answer: undefined }))
  await use(undefined, 0)
  const stored = await db.store.view((snapshot) => snapshot.get(token.key))
  // Whoever forgets has seen the expired token, and asks for its removal after it was used again.
  const forgetting = forgetTokens(
    {
      ...db.store,
      view: (read) => db.store.view(read),
      openSnapshot: () => db.store.openSnapshot(),
      close: () => db.store.close(),
      transact: async (keys, decide) => {
        await use(stored, 700_000)
        return db.store.transact(keys, decide)
      },
    },
    650_000,
    running,
  )
  await forgetting
  const key = tokenKey(testScope.accountId, testScope.region, 'token')
  expect(await db.store.view((snapshot) => snapshot.get(key))).toBeDefined()
  const expiry = tokenExpiryKey(1_300_000, key)
  expect(await db.store.view((snapshot) => snapshot.get(expiry))).toBeDefined()
  await db.close()
})
