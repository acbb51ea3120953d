import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import type { Snapshot, Store } from '@hashrange/engine'
import { openPostgresStore } from '../postgres-store.ts'
import { startPostgres } from '../testing/start-postgres.ts'
import { applySchema } from '../apply-schema.ts'
import { currentVersion, schemaVersion } from './migrations.ts'
import { schemaText } from './schema-text.ts'

const server = await startPostgres()
afterAll(() => server.remove())

const key = Buffer.from('key')

describe('the schema', () => {
  test('is set up once, by however many servers', async () => {
    const url = await server.newDatabase()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgresStore({ url, poolSize: 2 })))
    expect(stores.map(({ about }) => about)).toEqual(
      Array.from({ length: 8 }, () => ({ ...currentVersion(), shards: 64, distribution: 'none' })),
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

  test('is set up, used and verified whatever limits an administrator has set for the database', async () => {
    const url = await server.newDatabase()
    const database = new URL(url).pathname.slice(1)
    for (const setting of [
      "statement_timeout = '200ms'",
      "lock_timeout = '1ms'",
      "idle_in_transaction_session_timeout = '1ms'",
      "idle_session_timeout = '500ms'",
      "default_transaction_isolation = 'serializable'",
      'default_transaction_read_only = off',
      "bytea_output = 'escape'",
      "search_path = 'nowhere'",
      'enable_indexscan = off',
      'extra_float_digits = -15',
    ])
      await server.query(`ALTER DATABASE "${database}" SET ${setting}`, url)
    const [known] = await server.query("SELECT FROM pg_settings WHERE name = 'transaction_timeout'", url)
    if (known !== undefined)
      await server.query(`ALTER DATABASE "${database}" SET transaction_timeout = '300ms'`, url)
    // While somebody migrates the schema, another server waits for longer than a statement may take.
    const other = new Client({ connectionString: url })
    await other.connect()
    await other.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    await other.query('SET idle_session_timeout = 0')
    if (known !== undefined) await other.query('SET transaction_timeout = 0')
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(7265627019)')
    const opening = openPostgresStore({ url })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await other.query('ROLLBACK')
    await other.end()
    const store = await opening
    await store.transact([], () => ({ writes: [{ kind: 'put', key, value: key }], answer: undefined }))
    await new Promise((resolve) => setTimeout(resolve, 700))
    await store.transact([], () => ({ writes: [{ kind: 'put', key, value: key }], answer: undefined }))
    expect(await store.view((snapshot) => snapshot.get(key))).toEqual(key)
    const readForLong = async (snapshot: Snapshot): Promise<unknown> => {
      await snapshot.get(key)
      await new Promise((resolve) => setTimeout(resolve, 500))
      return snapshot.get(key)
    }
    expect(await store.view(readForLong)).toEqual(key)
    const faults: unknown[] = []
    const run = {
      stopping: { aborted: false },
      longestSnapshotMs: 1_000,
      onFault: (fault: unknown) => void faults.push(fault),
      onProgress: () => undefined,
      onUnchecked: () => undefined,
    }
    expect(await store.verify?.(run)).toBe(true)
    expect(faults).toEqual([])
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

  describe('of a newer version', () => {
    const newer = (url: string, needs: string): Promise<unknown> =>
      server.query(`UPDATE hashrange.about SET version = ${schemaVersion + 1}, ${needs}`, url)
    const write = (store: Store): Promise<unknown> =>
      store.transact([key], () => ({ writes: [{ kind: 'put', key, value: key }], answer: 'written' }))
    const read = async (store: Store): Promise<unknown> => store.view((snapshot) => snapshot.get(key))

    test('that older servers can use is used', async () => {
      const url = await server.newDatabase()
      const running = await openPostgresStore({ url })
      await newer(url, `writable_from = ${schemaVersion}`)
      await running.probe()
      expect(await write(running)).toBe('written')
      const another = await openPostgresStore({ url })
      expect(another.about.version).toBe(schemaVersion + 1)
      expect(await read(another)).toEqual(key)
      await Promise.all([running.close(), another.close()])
    })

    test('that older servers can only read is read by those that run, and refused by those that start', async () => {
      const url = await server.newDatabase()
      const told: (string | undefined)[] = []
      const running = await openPostgresStore({ url, onRefusal: (refusal) => told.push(refusal?.message) })
      await write(running)
      await newer(url, `writable_from = ${schemaVersion + 1}`)
      const refusal = {
        code: 'unavailable',
        message: expect.stringContaining('Replace this server with the newer hashrange') as string,
      }
      // It notices by itself.
      await expect.poll(() => write(running).catch((error: unknown) => error)).toMatchObject(refusal)
      expect(await read(running)).toEqual(key)
      await expect(running.probe()).rejects.toMatchObject(refusal)
      expect(told).toEqual([refusal.message])
      await expect(openPostgresStore({ url })).rejects.toMatchObject({ code: 'incompatible' })

      await newer(url, 'writable_from = 1')
      await running.probe()
      expect(await write(running)).toBe('written')
      expect(told).toEqual([refusal.message, undefined])
      await running.close()
    })

    test('that older servers cannot read is refused altogether', async () => {
      const url = await server.newDatabase()
      const running = await openPostgresStore({ url })
      await write(running)
      await newer(url, `readable_from = ${schemaVersion + 1}, writable_from = ${schemaVersion + 1}`)
      await expect
        .poll(() => write(running).catch((error: unknown) => error))
        .toMatchObject({ code: 'unavailable' })
      await expect(read(running)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(async () => running.openSnapshot()).rejects.toMatchObject({ code: 'unavailable' })
      await running.close()
      await expect(openPostgresStore({ url })).rejects.toMatchObject({
        code: 'incompatible',
        message: expect.stringContaining('Replace this server') as string,
      })
    })

    test('is noticed with the next connection, even before it is looked for', async () => {
      const url = await server.newDatabase()
      const running = await openPostgresStore({ url })
      await newer(url, `writable_from = ${schemaVersion + 1}`)
      await expect(write(running)).rejects.toMatchObject({ code: 'unavailable' })
      await running.close()
    })
  })

  test('that is missing is refused where nothing may be created', async () => {
    const url = await server.newDatabase()
    await expect(openPostgresStore({ url, migrate: false })).rejects.toMatchObject({
      problem: { kind: 'schema-not-current', version: undefined },
    })
    expect(await server.query("SELECT 1 FROM pg_namespace WHERE nspname = 'hashrange'", url)).toEqual([])
  })

  test('is not set up on Citus where there is none', async () => {
    const url = await server.newDatabase()
    await expect(openPostgresStore({ url, distribution: 'citus' })).rejects.toThrow(
      'does not have the extension citus',
    )
    await (await openPostgresStore({ url })).close()
    await expect(openPostgresStore({ url, distribution: 'citus' })).rejects.toThrow('cannot be changed afterwards')
  })

  describe('of version 1', () => {
    const item = Buffer.from('100000000140aa', 'hex')
    const backedUp = Buffer.from('220000000240aa', 'hex')

    /** As that version set it up, with an item in the table and one in a backup. */
    const firstVersion = async (): Promise<string> => {
      const url = await server.newDatabase()
      const parts = Array.from({ length: 8 }, (_, part) => `a${part} float8 NOT NULL DEFAULT 0`).join(', ')
      await server.query(
        `CREATE SCHEMA hashrange;
         CREATE TABLE hashrange.about (only_row bool PRIMARY KEY DEFAULT true CHECK (only_row), version int4 NOT NULL, shards int4 NOT NULL, distribution text NOT NULL);
         CREATE TABLE hashrange.entries (shard int4 NOT NULL, key bytea NOT NULL, version int8 NOT NULL, value bytea NOT NULL, PRIMARY KEY (shard, key));
         CREATE TABLE hashrange.counters (shard int4 NOT NULL, key bytea NOT NULL, slot int4 NOT NULL, width int4 NOT NULL, ${parts}, PRIMARY KEY (shard, key, slot));
         CREATE TABLE hashrange.logs (shard int4 NOT NULL, log bytea NOT NULL, last int8 NOT NULL, PRIMARY KEY (shard, log));
         INSERT INTO hashrange.about (version, shards, distribution) VALUES (1, 64, 'none');
         INSERT INTO hashrange.entries VALUES (16, '\\x${item.toString('hex')}', 1, 'item'), (16, '\\x${backedUp.toString('hex')}', 1, 'backed up')`,
        url,
      )
      return url
    }

    const expectCurrent = async (url: string): Promise<void> => {
      const store = await openPostgresStore({ url, migrate: false })
      expect(store.about.version).toBe(schemaVersion)
      const values = await store.view((snapshot) => snapshot.getMany([backedUp, item]))
      expect(values.map(String)).toEqual(['backed up', 'item'])
      const keys: string[] = []
      await store.view((snapshot) =>
        snapshot.range({ from: Buffer.of(0x01), to: Buffer.of(0xff) }, (found) => {
          return keys.push(Buffer.from(found).toString('hex')) > 0
        }),
      )
      expect(keys).toEqual([item, backedUp].map((found) => found.toString('hex')))
      await store.close()
      expect(await server.query('SELECT value FROM hashrange.kept', url)).toEqual([
        { value: Buffer.from('backed up') },
      ])
      expect(await server.query('SELECT value FROM hashrange.data', url)).toEqual([{ value: Buffer.from('item') }])
    }

    test('is brought to the current one by whichever server is first', async () => {
      const url = await firstVersion()
      const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url, poolSize: 2 })))
      await Promise.all(stores.map((store) => store.close()))
      await expectCurrent(url)
    })

    test('is brought to the current one by what is printed', async () => {
      const url = await firstVersion()
      await expect(openPostgresStore({ url, migrate: false })).rejects.toMatchObject({
        problem: { kind: 'schema-not-current', version: 1 },
      })
      await server.query(schemaText({ fromVersion: 1 }), url)
      await expectCurrent(url)
    })

    test('lets others pass while it waits for a long transaction', async () => {
      const url = await firstVersion()
      const other = new Client({ connectionString: url })
      await other.connect()
      await other.query('BEGIN; SELECT * FROM hashrange.entries')
      const opened = openPostgresStore({ url })
      // Without an end to its patience, these would wait behind it, and so for ever.
      for (let count = 0; count < 8; count++) {
        await server.query('SELECT * FROM hashrange.entries', url)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      await other.query('COMMIT')
      await other.end()
      await (await opened).close()
      await expectCurrent(url)
    })

    test('is not to be found any more by a server of that version', async () => {
      const url = await firstVersion()
      await (await openPostgresStore({ url })).close()
      await expect(server.query('SELECT version, value FROM hashrange.entries', url)).rejects.toThrow(
        'does not exist',
      )
    })
  })

  test('is applied by whoever may, as often as one likes, for a role that may create nothing', async () => {
    const url = await server.newDatabase()
    await server.query("CREATE ROLE servant LOGIN PASSWORD 'secret'", url)
    for (let round = 0; round < 2; round++) {
      expect(await applySchema({ url: `${url}?schema=applied` }, 'servant')).toMatchObject(currentVersion())
    }
    const limited = new URL(`${url}?schema=applied`)
    limited.username = 'servant'
    limited.password = 'secret'
    const store = await openPostgresStore({ url: limited.href })
    await store.transact([key], () => ({ writes: [{ kind: 'put', key, value: key }], answer: undefined }))
    await store.close()
    await expect(applySchema({ url }, 'no such role')).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringContaining('no such role') as string,
    })
    await expect(applySchema({ url: 'postgres://127.0.0.1:1/db' }, undefined)).rejects.toThrow('ECONNREFUSED')
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
        { kind: 'insert', key: Buffer.of(0x22, 0, 0, 0, 1, 0, 0), value: key },
      ],
      answer: undefined,
    }))
    await store.transact([key], () => ({ writes: [{ kind: 'delete', key }], answer: undefined }))
    await store.close()
    await server.query('DROP SCHEMA hashrange CASCADE', url)
    await expect(openPostgresStore({ url: limited.href })).rejects.toMatchObject({ code: 'not-writable' })
  })
})
