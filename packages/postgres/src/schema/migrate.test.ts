import { afterAll, describe, expect, test } from 'vitest'
import { openPostgresStore } from '../postgres-store.ts'
import { startPostgres } from '../testing/start-postgres.ts'
import { schemaVersion } from './migrations.ts'
import { schemaText } from './schema-text.ts'

const server = await startPostgres()
afterAll(() => server.remove())

const key = Buffer.from('key')

describe('the schema', () => {
  test('is set up once, by however many servers', async () => {
    const url = await server.newDatabase()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgresStore({ url, poolSize: 2 })))
    expect(stores.map(({ about }) => about)).toEqual(
      Array.from({ length: 8 }, () => ({ version: schemaVersion, shards: 64, distribution: 'none' })),
    )
    await stores[0]?.transact([], () => ({ writes: [{ kind: 'put', key, value: key }], answer: undefined }))
    expect(await stores[7]?.view((snapshot) => snapshot.get(key))).toEqual(key)
    await Promise.all(stores.map((store) => store.close()))
  })

  test('keeps the number of shards that it was set up with', async () => {
    const url = await server.newDatabase()
    await (await openPostgresStore({ url, shards: 8 })).close()
    const store = await openPostgresStore({ url, shards: 32 })
    expect(store.about.shards).toBe(8)
    await store.close()
  })

  test('of another name is another store', async () => {
    const url = await server.newDatabase()
    const [one, other] = await Promise.all([
      openPostgresStore({ url: `${url}?schema=one` }),
      openPostgresStore({ url: `${url}?schema=The "other"` }),
    ])
    await one.transact([], () => ({ writes: [{ kind: 'put', key, value: key }], answer: undefined }))
    expect(await other.view((snapshot) => snapshot.get(key))).toBeUndefined()
    await Promise.all([one.close(), other.close()])
  })

  test('of a newer version is refused, with what to do', async () => {
    const url = await server.newDatabase()
    const running = await openPostgresStore({ url })
    await server.query(`UPDATE hashrange.about SET version = ${schemaVersion + 1}`, url)
    await expect(running.probe()).rejects.toMatchObject({ code: 'incompatible' })
    await running.close()
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: 'incompatible',
      message: expect.stringContaining('Use a newer hashrange') as string,
    })
  })

  test('that is missing is refused where nothing may be created', async () => {
    const url = await server.newDatabase()
    await expect(openPostgresStore({ url, migrate: false })).rejects.toThrow('hashrange schema --print')
    expect(await server.query("SELECT 1 FROM pg_namespace WHERE nspname = 'hashrange'", url)).toEqual([])
  })

  test('is not set up on Citus where there is none', async () => {
    const url = await server.newDatabase()
    await expect(openPostgresStore({ url, distribution: 'citus' })).rejects.toThrow('CREATE EXTENSION citus')
    await (await openPostgresStore({ url })).close()
    await expect(openPostgresStore({ url, distribution: 'citus' })).rejects.toThrow('cannot be changed afterwards')
  })

  test('as printed does for a role that may create nothing', async () => {
    const url = await server.newDatabase()
    await server.query(`CREATE ROLE app LOGIN PASSWORD 'secret'; ${schemaText({ role: 'app', shards: 16 })}`, url)
    const limited = new URL(url)
    limited.username = 'app'
    limited.password = 'secret'
    const store = await openPostgresStore({ url: limited.href })
    expect(store.about.shards).toBe(16)
    const log = Buffer.of(0x20, 0, 0, 0, 1, 0, 0, 0, 0)
    await store.transact([key], () => ({
      writes: [
        { kind: 'put', key, value: key },
        { kind: 'add', key: Buffer.of(0x13, 0, 0, 0, 1), amounts: [1] },
        { kind: 'append', log, atMs: 1, value: key },
      ],
      answer: undefined,
    }))
    await store.transact([key], () => ({ writes: [{ kind: 'delete', key }], answer: undefined }))
    await store.close()
    await server.query('DROP SCHEMA hashrange CASCADE', url)
    await expect(openPostgresStore({ url: limited.href })).rejects.toMatchObject({ code: 'not-writable' })
  })
})
