import type { Store } from '@hashrange/engine'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStore, type PostgresStore } from './postgres-store.ts'
import { startPostgres, type PostgresServer } from './testing/start-postgres.ts'
import { wordPlacement as placement } from './testing/word-placement.ts'

let primary: PostgresServer
let replica: PostgresServer
beforeAll(async () => {
  primary = await startPostgres()
  replica = await primary.startStandby()
}, 60_000)
afterAll(() => Promise.all([primary.remove(), replica.remove()]))

const stores: PostgresStore[] = []
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()))
  await replica.query('SELECT pg_wal_replay_resume()').catch(() => undefined)
})

const open = async (maxLagMs: number, more = ''): Promise<PostgresStore> => {
  const url = `${primary.url}?read_replicas=127.0.0.1:${replica.port}${more}&max_replica_lag_ms=${maxLagMs}`
  const store = await openPostgresStore({ url, placement })
  stores.push(store)
  return store
}

const key = Buffer.from('key')
const put = (store: Store, value: string): Promise<unknown> =>
  store.transact([key], () => ({ writes: [{ kind: 'put', key, value: Buffer.from(value) }], answer: undefined }))
const strong = async (store: Store): Promise<string | undefined> =>
  (await store.view((snapshot) => snapshot.get(key)))?.toString()
const eventual = async (store: Store): Promise<string | undefined> =>
  (await store.viewEventually?.((snapshot) => snapshot.get(key)))?.toString()
const eventualRange = async (store: Store): Promise<readonly string[]> => {
  const values: string[] = []
  await store.viewEventually?.((snapshot) =>
    snapshot.range({ from: key, to: Buffer.from('kez') }, (_key, value) => values.push(value.toString()) > 0),
  )
  return values
}
const figure = (store: Store, name: string): number =>
  store.figures?.().find((found) => found.name === name)?.samples[0]?.value ?? Number.NaN
const usable = (store: Store): Promise<void> => expect.poll(() => figure(store, 'replica_usable')).toBe(1)

describe('a replica', () => {
  test('serves reads that may be behind, and only those', async () => {
    const store = await open(60_000)
    await put(store, 'one')
    await usable(store)
    await expect.poll(() => eventual(store)).toBe('one')
    await replica.query('SELECT pg_wal_replay_pause()')
    await put(store, 'two')
    expect(await strong(store)).toBe('two')
    expect(await eventual(store)).toBe('one')
    expect(await eventualRange(store)).toEqual(['one'])
    await replica.query('SELECT pg_wal_replay_resume()')
    await expect.poll(() => eventual(store)).toBe('two')
    expect(figure(store, 'replica_reads')).toBeGreaterThan(3)
    expect(figure(store, 'replica_failures')).toBe(0)
  })

  test('that is further behind than it may be is passed over until it has caught up', async () => {
    const store = await open(1_500)
    await put(store, 'one')
    await usable(store)
    await replica.query('SELECT pg_wal_replay_pause()')
    await put(store, 'two')
    await expect.poll(() => figure(store, 'replica_usable')).toBe(0)
    expect(figure(store, 'replica_lag_seconds')).toBeGreaterThan(1.5)
    expect(await eventual(store)).toBe('two')
    expect(figure(store, 'replica_passed_over')).toBeGreaterThan(0)
    await replica.query('SELECT pg_wal_replay_resume()')
    await usable(store)
    expect(await eventual(store)).toBe('two')
  })

  test('that is not there, or is no replica, is passed over, and the primary is read', async () => {
    const nobody = await openPostgresStore({ url: `${primary.url}?read_replicas=127.0.0.1:1`, placement })
    const itself = await openPostgresStore({
      url: `${primary.url}?read_replicas=127.0.0.1:${primary.port}`,
      placement,
    })
    stores.push(nobody, itself)
    await put(nobody, 'there')
    for (let round = 0; round < 5; round++) {
      expect(await eventual(nobody)).toBe('there')
      expect(await eventual(itself)).toBe('there')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(figure(nobody, 'replica_usable')).toBe(0)
    expect(figure(itself, 'replica_usable')).toBe(0)
  })

  test('that goes away under load costs nobody an error, and is used again when it is back', async () => {
    const store = await open(2_000)
    await put(store, 'there')
    await usable(store)
    await expect.poll(() => eventual(store)).toBe('there')
    const state = { isOver: false, reads: 0 }
    const reading = Array.from({ length: 8 }, async (_, reader) => {
      while (!state.isOver) {
        if (reader % 2 === 0) expect(await eventual(store)).toBe('there')
        else expect(await eventualRange(store)).toEqual(['there'])
        state.reads++
      }
    })
    await expect.poll(() => state.reads).toBeGreaterThan(50)
    await replica.stop()
    const before = state.reads
    await expect.poll(() => state.reads).toBeGreaterThan(before + 200)
    await replica.start()
    await usable(store)
    state.isOver = true
    await Promise.all(reading)
    expect(figure(store, 'replica_failures')).toBeGreaterThan(0)
  })

  test('reads on one server never go back in time while it is used', async () => {
    const store = await open(60_000)
    await put(store, '0')
    await usable(store)
    await expect.poll(() => eventual(store)).toBe('0')
    let written = 0
    const writing = (async () => {
      while (written < 200) await put(store, String(++written))
    })()
    let last = 0
    while (last < 200) {
      const found = Number(await eventual(store))
      expect(found).toBeGreaterThanOrEqual(last)
      expect(found).toBeLessThanOrEqual(written + 1)
      last = found
    }
    await writing
  })

  test('must be named with a bound that can be one', async () => {
    await expect(open(1)).rejects.toThrow('max_replica_lag_ms=1')
    await expect(open(1_000, ',a:b')).rejects.toThrow('percent-encode')
  })
})
