import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Store } from '@hashrange/engine'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openPostgresStore, type PostgresStore } from './postgres-store.ts'
import { startPostgres } from './testing/start-postgres.ts'
import { wordPlacement as placement } from './testing/word-placement.ts'

const server = await startPostgres()
afterAll(() => server.remove())

const opened: PostgresStore[] = []
const open = async (url: string, timeoutMs?: number): Promise<PostgresStore> => {
  const store = await openPostgresStore({ url, placement, ...(timeoutMs !== undefined && { timeoutMs }) })
  opened.push(store)
  return store
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
})

const key = Buffer.from('key')
const put = (store: Store, value: string): Promise<void> =>
  store.transact([key], () => ({ writes: [{ kind: 'put', key, value: Buffer.from(value) }], answer: undefined }))
const read = async (store: Store): Promise<string | undefined> =>
  (await store.view((snapshot) => snapshot.get(key)))?.toString()

test('a clock on the wall that jumps by hours, forth and back, disturbs no request', async () => {
  const store = await open(await server.newDatabase(), 3_000)
  const real = Date.now
  let looks = 0
  // Another time whenever it is looked at.
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + ((looks++ % 3) - 1) * 3_600_000)
  try {
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 5 }, async () => [await put(store, 'x'), await read(store)]))
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    await server.stop()
    await expect(put(store, 'lost')).rejects.toMatchObject({ code: 'unavailable' })
    await server.start()
    await expect.poll(() => read(store).catch(() => undefined)).toBe('x')
  } finally {
    clock.mockRestore()
  }
})

test('an item is read before long reads that came first and wait for a connection', async () => {
  const store = await openPostgresStore({ url: await server.newDatabase(), placement, poolSize: 4 })
  opened.push(store)
  await put(store, 'x'.repeat(100_000))
  let done = 0
  const long = Array.from({ length: 60 }, async () => {
    await store.view(async (snapshot) => {
      await snapshot.range({ from: Buffer.of(0x01), to: Buffer.of(0xff) }, () => true)
    })
    done++
  })
  expect(await read(store)).toHaveLength(100_000)
  expect(done).toBeLessThan(30)
  await Promise.all(long)
})

describe('when the database goes away', () => {
  test('requests fail at once, and succeed again when it is back', async () => {
    const store = await open(await server.newDatabase())
    await put(store, 'before')
    await server.stop()
    for (let round = 0; round < 5; round++) {
      await expect(put(store, 'lost')).rejects.toMatchObject({ name: 'StorageError', code: 'unavailable' })
      await expect(read(store)).rejects.toMatchObject({ name: 'StorageError', code: 'unavailable' })
    }
    await expect(store.probe()).rejects.toMatchObject({ code: 'unavailable' })
    await server.start()
    await expect.poll(() => read(store).catch(() => undefined)).toBe('before')
    await put(store, 'after')
    expect(await read(store)).toBe('after')
    await expect(store.probe()).resolves.toBeUndefined()
  })

  test('a store cannot be opened, and says why', async () => {
    const url = new URL(await server.newDatabase())
    url.port = '1'
    await expect(openPostgresStore({ url: url.href })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    })
    url.port = String(server.port)
    url.password = 'wrong'
    await expect(openPostgresStore({ url: url.href })).rejects.toThrow('password authentication failed')
  })

  test('under load, all that was acknowledged is there, whole, and nothing twice', async () => {
    const url = await server.newDatabase()
    const stores = [await open(url), await open(url)]
    const total = Buffer.from('total')
    const work = { goesOn: true }
    const acknowledged: string[] = []
    let refused = 0
    // Each transaction leaves an entry of its own, and counts itself in an entry that all share.
    const write = (store: Store, name: string): Promise<void> =>
      store.transact([total, Buffer.from(name)], ([count]) => ({
        writes: [
          { kind: 'put', key: Buffer.from(name), value: Buffer.from('x') },
          { kind: 'put', key: total, value: Buffer.from(String(Number(count ?? 0) + 1)) },
        ],
        answer: undefined,
      }))
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const store = stores[writer % 2]
      if (store === undefined) return
      for (let round = 0; work.goesOn; round++) {
        const name = `entry ${writer}.${round}`
        await write(store, name).then(
          () => acknowledged.push(name),
          async () => {
            refused++
            await new Promise((resolve) => setTimeout(resolve, 20))
          },
        )
      }
    })
    for (let restart = 0; restart < 2; restart++) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 100)
      await server.stop()
      await server.start()
    }
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 100)
    work.goesOn = false
    await Promise.all(writers)

    const found = new Set<string>()
    const [store] = stores
    await store?.view((snapshot) =>
      snapshot.range(
        { from: Buffer.from('entry'), to: Buffer.from('f') },
        (name) => found.add(name.toString()).size > 0,
      ),
    )
    expect(refused).toBeGreaterThan(0)
    expect(acknowledged.filter((name) => !found.has(name))).toEqual([])
    expect(Number(await store?.view((snapshot) => snapshot.get(total)))).toBe(found.size)
  })
})

describe('through a connection that fails', () => {
  test('a commit whose answer is lost is an error, and is not done again', async () => {
    const proxy = await startProxy(server.port)
    const store = await open(proxied(await server.newDatabase(), proxy.port))
    await put(store, '0')
    let asked = 0
    proxy.cutAfter('hashrange_replace')
    const increment = store.transact([key], ([value]) => {
      asked++
      return { writes: [{ kind: 'put', key, value: Buffer.from(String(Number(value) + 1)) }], answer: undefined }
    })
    await expect(increment).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not known') as string,
    })
    expect(asked).toBe(1)
    proxy.cutAfter(undefined)
    // The server had the whole message, and committed it.
    await expect.poll(() => read(store).catch(() => undefined)).toBe('1')
    proxy.close()
  })

  test('an answer that does not come is given up, and then nobody waits for one until the database answers again', async () => {
    const proxy = await startProxy(server.port)
    const store = await open(proxied(await server.newDatabase(), proxy.port), 1_000)
    await put(store, '0')
    proxy.freeze(true)
    const first = [read(store), read(store), put(store, '1')]
    await Promise.all(first.map((request) => expect(request).rejects.toMatchObject({ code: 'unavailable' })))
    // A hundred requests, one after the other: had each to find out for itself, this would take minutes.
    for (let round = 0; round < 50; round++) {
      await expect(read(store)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(put(store, '2')).rejects.toMatchObject({ code: 'unavailable' })
    }
    await expect(store.probe()).rejects.toThrow('did not answer in time')
    expect(figure(store, 'up')).toBe(0)
    proxy.freeze(false)
    await expect.poll(() => read(store).catch(() => undefined)).toMatch(/^[01]$/)
    await put(store, '3')
    expect(await read(store)).toBe('3')
    expect(figure(store, 'up')).toBe(1)
    expect(figure(store, 'outages')).toBeGreaterThanOrEqual(1)
    expect(figure(store, 'grouped_transactions')).toBeGreaterThanOrEqual(2)
    proxy.close()
  })

  test('a process that stood still itself does not blame the database', async () => {
    const store = await open(await server.newDatabase(), 300)
    await put(store, '0')
    for (let round = 0; round < 3; round++) {
      const written = put(store, String(round))
      // Once it is on its way.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      const untilMs = performance.now() + 900
      while (performance.now() < untilMs);
      await written
      expect(await read(store)).toBe(String(round))
    }
    expect(figure(store, 'outages')).toBe(0)
  })

  test('a connection that cannot be completed is given up as well', async () => {
    const proxy = await startProxy(server.port)
    proxy.freeze(true)
    const url = proxied(await server.newDatabase(), proxy.port)
    await expect(openPostgresStore({ url, placement, timeoutMs: 300 })).rejects.toMatchObject({
      code: 'unavailable',
    })
    proxy.close()
  })

  test('one statement that is not answered disturbs nobody while others are answered', async () => {
    const proxy = await startProxy(server.port)
    const store = await open(proxied(await server.newDatabase(), proxy.port), 1_000)
    await put(store, '0')
    proxy.freezeAfter('hashrange_replace')
    const work = { goesOn: true }
    let reads = 0
    const reading = (async () => {
      for (; work.goesOn; reads++) {
        expect(await read(store)).toBeDefined()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    await expect(put(store, '1')).rejects.toMatchObject({ code: 'unavailable' })
    proxy.freezeAfter(undefined)
    await put(store, '2')
    work.goesOn = false
    await reading
    expect(reads).toBeGreaterThan(10)
    expect(figure(store, 'outages')).toBe(0)
    proxy.close()
  })

  test('a connection that falls silent as soon as it is there is given up as well', async () => {
    const proxy = await startProxy(server.port)
    const url = `${proxied(await server.newDatabase(), proxy.port)}?target_session_attrs=primary`
    const store = await open(url, 300)
    await put(store, '0')
    proxy.freezeAfter('pg_is_in_recovery')
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    await expect.poll(() => read(store).catch(String)).toContain('did not answer in time')
    proxy.freezeAfter(undefined)
    await expect.poll(() => read(store).catch(String)).toBe('0')
    proxy.close()
  })

  test('how long an answer may take stands in the URL', async () => {
    const url = new URL(await server.newDatabase())
    url.searchParams.set('timeout_ms', '5000')
    await put(await open(url.href), '0')
    for (const wrong of ['', 'x', '1', '1e9', '2.5']) {
      url.searchParams.set('timeout_ms', wrong)
      await expect(openPostgresStore({ url: url.href })).rejects.toThrow('timeout_ms')
    }
  })
})

function figure(store: Store, name: string): number | undefined {
  return store.figures?.().find((one) => one.name === name)?.samples[0]?.value
}

interface Proxy {
  readonly port: number
  /** Once a client has sent these words, nothing comes back to it, and the connection ends. */
  cutAfter(words: string | undefined): void
  /** Whether what the server sends is held back. */
  freeze(frozen: boolean): void
  /** Once a client has sent these words, nothing comes back to it. */
  freezeAfter(words: string | undefined): void
  close(): void
}

async function startProxy(target: number): Promise<Proxy> {
  let cutAfter: string | undefined
  let frozen = false
  let freezeAfter: string | undefined
  const sockets = new Set<Socket>()
  const listener: Server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.end()
      })
    }
    let isCut = false
    let isFrozen = false
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk)
      isFrozen ||= freezeAfter !== undefined && chunk.includes(freezeAfter)
      if (cutAfter === undefined || !chunk.includes(cutAfter)) return
      isCut = true
      // The server reads what was sent before it learns that nobody waits for its answer.
      client.destroy()
    })
    upstream.on('data', (chunk: Buffer) => {
      if (!isCut && !frozen && !isFrozen) client.write(chunk)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    cutAfter: (words) => (cutAfter = words),
    freeze: (value) => (frozen = value),
    freezeAfter: (words) => (freezeAfter = words),
    close: () => {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function proxied(url: string, port: number): string {
  const through = new URL(url)
  through.port = String(port)
  return through.href
}
