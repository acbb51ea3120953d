import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { entity, model, now, s, ulid } from '@hashrange/model'
import { describe, expect, test } from 'vitest'
import { testDatabase } from './test-database.ts'

const Session = entity('Session', {
  userId: s.string(),
  sessionId: s.ulid().default(ulid),
  startedAt: s.iso('second').default(now),
  expiresAt: s.ttl(),
}).key({ pk: 'USER#{userId}', sk: 'SESSION#{sessionId}' })

const User = entity('User', { userId: s.string(), email: s.string() })
  .computed('emailKey', s.string(), ['email'], ({ email }) => email.toUpperCase())
  .key({ pk: 'USER#{userId}', sk: 'PROFILE' })
  .index('byEmail', { pk: 'EMAIL#{emailKey}', sk: 'USER' })
  .unique('email')

const accounts = model({
  name: 'accounts',
  entities: { User, Session },
  patterns: (p) => ({
    getUser: p.get('User'),
    sessions: p.query({ pk: 'USER#{userId}', sk: 'SESSION#*' }),
    everything: p.query({ pk: 'USER#{userId}' }),
    byEmail: p.query({ on: 'byEmail', pk: 'EMAIL#{emailKey}' }),
  }),
})

describe('a test database', () => {
  test('has the tables of the model, and is empty', async () => {
    await using opened = await testDatabase(accounts)
    expect(await opened.database.execute('ListTables')).toEqual({ TableNames: ['accounts'] })
    await opened.db.User.create({ userId: 'ana', email: 'ana@example.com' })
    const { item } = await opened.db.getUser({ userId: 'ana' })
    expect(item).toMatchObject({ email: 'ana@example.com' })
  })

  test('is apart from every other', async () => {
    await using one = await testDatabase(accounts)
    await using other = await testDatabase(accounts)
    await one.db.User.create({ userId: 'ana', email: 'ana@example.com' })
    expect((await other.db.getUser({ userId: 'ana' })).item).toBeUndefined()
  })

  test('has a clock that the test moves: what expires is gone when its time has come', async () => {
    await using opened = await testDatabase(accounts, { clock: '2026-03-01T00:00:00Z' })
    const { db, advance, clock } = opened
    const expiresAt = new Date(clock.now() + 60_000)
    const { item } = await db.Session.create({ userId: 'ana', expiresAt })
    expect(item.startedAt).toBe('2026-03-01T00:00:00Z')
    await advance(59_000)
    expect((await db.sessions({ userId: 'ana' })).items.Session).toHaveLength(1)
    await advance(2_000)
    expect((await db.sessions({ userId: 'ana' })).items.Session).toHaveLength(0)
    expect(clock.date).toEqual(new Date('2026-03-01T00:01:01Z'))
    await expect(advance(-1)).rejects.toThrow('cannot be moved')
  })

  test('makes the same identifiers each time', async () => {
    const idOf = async (): Promise<string> => {
      await using opened = await testDatabase(accounts)
      const { item } = await opened.db.Session.create({ userId: 'ana', expiresAt: 2_000_000_000 })
      return item.sessionId
    }
    expect(await idOf()).toBe(await idOf())
  })

  test('spreads items with identifiers over all random shards', async () => {
    const Score = entity('Score', { scoreId: s.ulid().default(ulid), shard: s.shard(8) })
      .key({ pk: 'SCORE#{scoreId}' })
      .index('all', { pk: 'ALL#{shard}', sk: '{scoreId}' })
    const scores = model({ name: 'scores', entities: { Score }, patterns: () => ({}) })
    await using opened = await testDatabase(scores)
    const shards = new Set<number>()
    for (let i = 0; i < 30; i++) shards.add((await opened.db.Score.create({})).item.shard)
    expect(shards.size).toBe(8)
  })

  test('is filled with samples by a number, which the model reads, computed attributes included', async () => {
    await using opened = await testDatabase(accounts, { seed: 7 })
    const { Items } = await opened.client.scan({ TableName: 'accounts' })
    const user = Items?.find(({ entity }) => entity?.S === 'User')
    expect(user?.['emailKey']?.S).toBe(user?.['email']?.S?.toUpperCase())
    const { items } = await opened.db.everything({ userId: user?.['userId']?.S ?? '' })
    expect(items.User).toHaveLength(1)
    expect(items.Session.length).toBeGreaterThan(0)
    await using again = await testDatabase(accounts, { seed: 7 })
    expect((await again.client.scan({ TableName: 'accounts' })).Items).toEqual(Items)
  })

  test('is filled by a function', async () => {
    await using opened = await testDatabase(accounts, {
      seed: (db) => db.User.create({ userId: 'ben', email: 'ben@example.com' }),
    })
    expect((await opened.db.getUser({ userId: 'ben' })).item?.email).toBe('ben@example.com')
  })

  test('needs no model', async () => {
    await using opened = await testDatabase()
    expect((await opened.client.listTables({})).TableNames).toEqual([])
    await expect(testDatabase(undefined, { seed: 1 })).rejects.toThrow('Sample data needs a model')
  })
})

test('works under node:test, as it is installed', async () => {
  const packageFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
  const folder = await mkdtemp(join(packageFolder, 'dist', 'node-test-'))
  try {
    const file = join(folder, 'users.test.mjs')
    await writeFile(
      file,
      [
        "import assert from 'node:assert/strict'",
        "import { test } from 'node:test'",
        "import { entity, model, s } from '@hashrange/model'",
        "import { testDatabase } from 'hashrange/testing'",
        '',
        "const User = entity('User', { userId: s.string() }).key({ pk: 'USER#{userId}', sk: 'PROFILE' })",
        "const users = model({ name: 'users', entities: { User }, patterns: (p) => ({ getUser: p.get('User') }) })",
        '',
        "test('a user', async (t) => {",
        '  const { db, close } = await testDatabase(users)',
        '  t.after(close)',
        "  await db.User.create({ userId: 'ana' })",
        "  assert.equal((await db.getUser({ userId: 'ana' })).item.userId, 'ana')",
        '})',
      ].join('\n'),
    )
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], {
      cwd: folder,
      // A test runner that finds itself inside another speaks to it instead.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    })
    expect(stdout).toContain('# pass 1')
  } finally {
    await rm(folder, { recursive: true })
  }
})
