import type { Store } from '@hashrange/engine'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { applySchema } from './apply-schema.ts'
import type { PostgresOptions } from './options.ts'
import { openPostgresStore, type PostgresStore } from './postgres-store.ts'
import { startPostgres, type PostgresServer } from './testing/start-postgres.ts'
import { wordPlacement as placement } from './testing/word-placement.ts'

const server = await startPostgres()
const standbys: PostgresServer[] = []
afterAll(() => Promise.all([...standbys, server].map((one) => one.remove())))

const stores: PostgresStore[] = []
afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
const open = async (options: PostgresOptions): Promise<PostgresStore> => {
  const store = await openPostgresStore({ placement, ...options })
  stores.push(store)
  return store
}

const key = Buffer.from('key')
const put = (store: Store, value: string): Promise<unknown> =>
  store.transact([key], () => ({ writes: [{ kind: 'put', key, value: Buffer.from(value) }], answer: undefined }))
const read = async (store: Store): Promise<string | undefined> =>
  (await store.view((snapshot) => snapshot.get(key)))?.toString()

describe('a database that takes no writes by a setting of its own', () => {
  const noWrites = {
    code: 'unavailable',
    message: expect.stringContaining('default_transaction_read_only') as string,
  }
  const setReadOnly = async (url: string, isOn: boolean): Promise<void> => {
    const name = new URL(url).pathname.slice(1)
    await server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isOn ? 'on' : 'off'}`)
  }
  const endSessions = (url: string): Promise<unknown> =>
    server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`,
    )

  test('is read, and refuses writes in words that say why, until it takes them again', async () => {
    const url = await server.newDatabase()
    const told: (string | undefined)[] = []
    const store = await open({ url, onRefusal: (refusal) => told.push(refusal?.message) })
    await put(store, 'before')
    await setReadOnly(url, true)
    await endSessions(url)
    await expect.poll(() => put(store, 'lost').catch((error: unknown) => error)).toMatchObject(noWrites)
    await expect.poll(() => read(store).catch(String)).toBe('before')
    await expect(store.probe()).rejects.toMatchObject(noWrites)
    await setReadOnly(url, false)
    await expect.poll(() => store.probe().then(() => 'ready', String), { timeout: 5_000 }).toBe('ready')
    await put(store, 'after')
    expect(await read(store)).toBe('after')
    expect(told).toEqual([noWrites.message, undefined])
  })

  test('refuses writes of sessions that were there before', async () => {
    const alone = await startPostgres()
    standbys.push(alone)
    const store = await open({ url: alone.url })
    await put(store, 'before')
    await alone.query('ALTER SYSTEM SET default_transaction_read_only = on')
    await alone.query('SELECT pg_reload_conf()')
    await expect.poll(() => put(store, 'lost').catch((error: unknown) => error)).toMatchObject(noWrites)
    await expect.poll(() => store.probe().then(() => 'ready', String)).toContain('default_transaction_read_only')
    expect(await read(store)).toMatch(/before|lost/)
  })

  test('is not served, set up or changed, but verified', async () => {
    const url = await server.newDatabase()
    await setReadOnly(url, true)
    await expect(open({ url })).rejects.toMatchObject(noWrites)
    await expect(applySchema({ url }, undefined)).rejects.toMatchObject(noWrites)
    await setReadOnly(url, false)
    await put(await open({ url }), 'before')
    await setReadOnly(url, true)
    await expect(open({ url })).rejects.toMatchObject(noWrites)
    await expect(open({ url: `${url}?target_session_attrs=read-write` })).rejects.toMatchObject(noWrites)
    expect(await read(await open({ url, migrate: false, onlyReads: true }))).toBe('before')
  })
})

describe('a standby in place of its primary', () => {
  const isStandby = { code: 'unavailable', message: expect.stringContaining('is a standby') as string }

  test('is not served: what is read there may be old', async () => {
    const url = await server.newDatabase()
    const behind = new URL(url)
    await put(await open({ url }), 'old')
    const standby = await server.startStandby()
    standbys.push(standby)
    behind.port = String(standby.port)
    for (const attrs of ['', '?target_session_attrs=any', '?target_session_attrs=primary']) {
      await expect(open({ url: `${behind.href}${attrs}` })).rejects.toMatchObject(isStandby)
    }
    await expect(applySchema({ url: behind.href }, undefined)).rejects.toMatchObject(isStandby)
    const reading = await open({ url: behind.href, migrate: false, onlyReads: true })
    expect(await read(reading)).toBe('old')
    await expect(put(reading, 'new')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('takes no writes') as string,
    })
    await standby.query('SELECT pg_promote()')
    await put(await open({ url: behind.href }), 'new')
  })
})
