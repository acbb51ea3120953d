import type { Store } from '@hashrange/engine'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openPostgresStore, type PostgresStore } from './postgres-store.ts'
import { startPostgres, type PostgresServer } from './testing/start-postgres.ts'
import { wordPlacement as placement } from './testing/word-placement.ts'

const servers: PostgresServer[] = []
const started = async (starting: Promise<PostgresServer>): Promise<PostgresServer> => {
  const server = await starting
  servers.push(server)
  return server
}
afterAll(() => Promise.all(servers.map((server) => server.remove())))

const stores: PostgresStore[] = []
afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
const open = async (ports: readonly number[], parameters = ''): Promise<PostgresStore> => {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const store = await openPostgresStore({
    url: `postgres://postgres:password@${hosts}/postgres?${parameters}`,
    placement,
  })
  stores.push(store)
  return store
}

const key = Buffer.from('key')
const put = (store: Store, value: string): Promise<unknown> =>
  store.transact([key], () => ({ writes: [{ kind: 'put', key, value: Buffer.from(value) }], answer: undefined }))
const read = async (store: Store): Promise<string | undefined> =>
  (await store.view((snapshot) => snapshot.get(key)))?.toString()

describe('a store with several hosts', () => {
  test('uses the one that takes writes, whichever it is, and follows a failover', { timeout: 60_000 }, async () => {
    const primary = await started(startPostgres({ settings: { synchronous_standby_names: '' } }))
    const first = await open([1, primary.port])
    await put(first, 'before')
    const standby = await started(primary.startStandby())
    await expect.poll(() => standby.query('SELECT 1 FROM hashrange.data').then((rows) => rows.length)).toBe(1)

    const store = await open([standby.port, primary.port])
    await put(store, 'on the primary')
    expect(await read(store)).toBe('on the primary')
    await expect
      .poll(() => standby.query("SELECT 1 FROM hashrange.data WHERE value = 'on the primary'"))
      .toHaveLength(1)

    await primary.stop()
    await expect(put(store, 'lost')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.probe()).rejects.toThrow(`127.0.0.1:${standby.port}: it is a standby`)
    await standby.query('SELECT pg_promote()')
    await expect
      .poll(() =>
        put(store, 'after')
          .then(() => 'done')
          .catch(String),
      )
      .toBe('done')
    expect(await read(store)).toBe('after')
    await expect(store.probe()).resolves.toBeUndefined()
  })

  test('is refused where none takes writes, with what each of them said', async () => {
    const primary = await started(startPostgres())
    const replica = await started(primary.startStandby())
    await expect(open([1, replica.port])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:\d+: it is a standby/,
      ) as string,
    })
    await expect(open([replica.port], 'target_session_attrs=read-write')).rejects.toThrow('is a standby')
    await expect(open([replica.port], 'target_session_attrs=standby')).rejects.toThrow('servers write')
  })
})
