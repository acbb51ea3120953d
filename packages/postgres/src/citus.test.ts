import { randomUUID } from 'node:crypto'
import type { Range } from '@hashrange/engine'
import { describeStore } from '@hashrange/engine/describe-store'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openPostgresStore } from './postgres-store.ts'
import { describeRanges } from './testing/describe-ranges.ts'
import { describeServers } from './testing/describe-servers.ts'
import { proxyPort, proxyWorker } from './testing/worker-proxy.ts'
import { wordPlacement as placement } from './testing/word-placement.ts'

/** A coordinator with the extension `citus`, and at least one worker. */
const url = process.env['HASHRANGE_CITUS_URL']

if (url === undefined) {
  test('the contract on Citus', ({ skip }) => skip('HASHRANGE_CITUS_URL does not name a Citus coordinator'))
} else {
  runOnCitus(url)
}

function runOnCitus(url: string): void {
  const schemas: string[] = []
  const newUrl = (): string => {
    const schema = `test_${randomUUID().replaceAll('-', '')}`
    schemas.push(schema)
    const withSchema = new URL(url)
    withSchema.searchParams.set('schema', schema)
    return withSchema.href
  }

  afterAll(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await client.end()
  })

  describeStore('Citus', () => openPostgresStore({ url: newUrl(), placement, shards: 16, timeoutMs: 20_000 }))
  describeRanges('Citus', async () => [await openPostgresStore({ url: newUrl(), shards: 16, timeoutMs: 20_000 })])
  describeServers('Citus', async () => {
    const shared = newUrl()
    return Promise.all([
      openPostgresStore({ url: shared, placement, shards: 16 }),
      openPostgresStore({ url: shared, placement, shards: 16 }),
    ])
  })

  test('a write on two nodes is done when reads see it, though a node hears of the commit late', async () => {
    const store = await openPostgresStore({ url: newUrl(), placement, shards: 16, timeoutMs: 20_000 })
    const proxy = await proxyWorker(url)
    try {
      for (let round = 0; round < 5; round++) {
        proxy.cutAt('COMMIT PREPARED')
        setTimeout(() => proxy.heal(), 500)
        const value = Buffer.from(`round ${round}`)
        const keys = 'abdefghijklm'.split('').map((letter) => Buffer.from(letter))
        await store.transact(keys, () => ({
          writes: keys.map((key) => ({ kind: 'put' as const, key, value })),
          answer: undefined,
        }))
        for (const key of keys) expect(await store.view((snapshot) => snapshot.get(key))).toEqual(value)
      }
    } finally {
      await store.close()
      await proxy.close()
    }
  })

  test('a write on two nodes is whole, though one is cut off when it should commit', async () => {
    const store = await openPostgresStore({ url: newUrl(), placement, shards: 16, timeoutMs: 20_000 })
    const proxy = await proxyWorker(url)
    const letters = (some: string): readonly Buffer[] => some.split('').map((letter) => Buffer.from(letter))
    // What is locked first is elsewhere than what is written: then Citus itself would commit on each node alone.
    const [locked, written] = [letters('abdefg'), letters('hijklmopq')]
    const put = (keys: readonly Buffer[], value: Buffer) => ({
      writes: keys.map((key) => ({ kind: 'put' as const, key, value })),
      answer: undefined,
    })
    try {
      await store.transact([], () => put(locked, Buffer.from('there')))
      for (let round = 0; round < 5; round++) {
        proxy.cutAt('COMMIT\0')
        setTimeout(() => proxy.heal(), 500)
        const value = Buffer.from(`round ${round}`)
        await store
          .transact(locked, () => put(written, value))
          .catch((error: unknown) => expect(error).toMatchObject({ code: 'unavailable' }))
        proxy.heal()
        // Reads them as of one moment: it waits for those that are still being committed.
        const values = await store.transact(written, (found) => ({ writes: [], answer: found }))
        expect(new Set(values.map(String)).size).toBe(1)
      }
    } finally {
      await store.close()
      await proxy.close()
    }
  })

  test('a node that is silent is waited for once; then what it has is refused at once', async () => {
    const timeoutMs = 1_500
    const proxy = await proxyWorker(url)
    const store = await openPostgresStore({ url: newUrl(), placement, shards: 16, timeoutMs })
    const keys = 'abdefghijklmopq'.split('').map((letter) => Buffer.from(letter))
    const put = (key: Buffer): Promise<void> =>
      store.transact([key], () => ({ writes: [{ kind: 'put', key, value: key }], answer: undefined }))
    const read = async (key: Buffer): Promise<unknown> => store.view((snapshot) => snapshot.get(key))
    try {
      for (const key of keys) await put(key)
      proxy.silence()
      const outcomes = await Promise.allSettled(keys.map(read))
      const lost = keys.filter((_, position) => outcomes[position]?.status === 'rejected')
      expect(lost.length).toBeGreaterThan(0)
      expect(lost.length).toBeLessThan(keys.length)
      const since = performance.now()
      for (let round = 0; round < 5; round++) {
        for (const key of lost) {
          await expect(read(key)).rejects.toMatchObject({ code: 'unavailable' })
          await expect(put(key)).rejects.toMatchObject({ code: 'unavailable' })
        }
      }
      // Through the coordinator, each would wait for it.
      expect(performance.now() - since).toBeLessThan(lost.length * timeoutMs)
      // What also writes elsewhere goes through the coordinator.
      const [gone] = lost
      const there = keys.find((key) => !lost.includes(key))
      if (gone === undefined || there === undefined) throw new Error('no node has anything')
      const [first, second] = [gone, there].map((key) => ({ kind: 'put' as const, key, value: key }))
      if (first === undefined || second === undefined) throw new Error('unreachable')
      const startedMs = performance.now()
      for (let round = 0; round < 5; round++) {
        const blind = store.transact([there], () => ({ writes: [first, second], answer: undefined }))
        const alone = store.transact([there, Buffer.from('version')], () => ({ writes: [second], answer: 'done' }))
        await expect(blind).rejects.toMatchObject({ code: 'unavailable' })
        expect(await alone).toBe('done')
      }
      expect(performance.now() - startedMs).toBeLessThan(timeoutMs)
      proxy.heal()
      for (const key of keys) await expect.poll(() => read(key).catch(() => undefined)).toEqual(key)
    } finally {
      await store.close()
      await proxy.close()
    }
  })

  test.each(['direct', 'coordinator'])(
    'a node that is silent degrades the store (%s), and is named',
    async (workers) => {
      const proxy = await proxyWorker(url)
      const own = new URL(newUrl())
      own.searchParams.set('citus_workers', workers)
      const store = await openPostgresStore({ url: own.href, placement, shards: 16 })
      try {
        expect(await store.whatIsMissing?.()).toBeUndefined()
        proxy.silence()
        const untilMs = performance.now() + 8_000
        while (performance.now() < untilMs) {
          const since = performance.now()
          await store.probe()
          expect(await store.whatIsMissing?.()).toMatch(/nodes? .*of the database/)
          // Whoever asks whether a server is ready waits for two seconds.
          expect(performance.now() - since).toBeLessThan(1_800)
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
        proxy.heal()
        await expect.poll(() => store.whatIsMissing?.(), { timeout: 30_000 }).toBeUndefined()
      } finally {
        await store.close()
        await proxy.close()
      }
    },
  )

  test('while a node is away, others read and write, and what it has is refused at once', async () => {
    const proxy = await proxyWorker(url)
    const store = await openPostgresStore({ url: newUrl(), placement, shards: 16 })
    const write = (key: Buffer): Promise<void> =>
      store.transact([key, Buffer.from('version')], () => ({
        writes: [
          { kind: 'put', key, value: key },
          { kind: 'add', key: Buffer.from('n'), amounts: [1] },
        ],
        answer: undefined,
      }))
    const keys = 'abdefghijklmopq'.split('').map((letter) => Buffer.from(letter))
    try {
      for (const key of keys) await write(key)
      proxy.cut()
      const read = await Promise.allSettled(keys.map(async (key) => store.view((snapshot) => snapshot.get(key))))
      const written = await Promise.allSettled(keys.map(write))
      for (const outcomes of [read, written]) {
        const refused = outcomes.filter(({ status }) => status === 'rejected')
        expect(refused.length).toBeGreaterThan(0)
        expect(refused.length).toBeLessThan(keys.length)
        for (const { reason } of refused as PromiseRejectedResult[])
          expect(reason).toMatchObject({ code: 'unavailable' })
      }
      expect(written.map(({ status }) => status)).toEqual(read.map(({ status }) => status))
      proxy.heal()
      for (const key of keys) await write(key)
    } finally {
      await store.close()
      await proxy.close()
    }
  })

  test('a range on all nodes is read from the nodes themselves, and refused while one of them is away', async () => {
    const worker = await proxyWorker(url)
    const coordinator = await proxyPort(Number(new URL(url).port || 5432))
    const through = new URL(newUrl())
    through.port = String(coordinator.port)
    const store = await openPostgresStore({ url: through.href, shards: 64, timeoutMs: 5_000 })
    // Of a table, spread evenly; one partition has more than others.
    const hashes = Array.from({ length: 400 }, (_, n) => (n < 300 ? n * 213 : 40_000))
    const keys = hashes.map((hash, n) => Buffer.from([0x10, 0, 0, 0, 9, hash >> 8, hash & 255, n >> 8, n & 255]))
    const inOrder = keys.map((key) => key.toString('hex')).toSorted()
    const read = async (others: Partial<Range> = {}): Promise<readonly string[]> => {
      const found: string[] = []
      const bounds = {
        from: Buffer.of(0x10, 0, 0, 0, 9),
        to: Buffer.of(0x10, 0, 0, 0, 10),
        isAlone: true,
        ...others,
      }
      await store.view((snapshot) =>
        snapshot.range(bounds, (key) => found.push(Buffer.from(key).toString('hex')) < (others.limit ?? 1_000)),
      )
      return found
    }
    try {
      // A busy machine must have committed each within the deadline.
      for (let from = 0; from < keys.length; from += 50) {
        const writes = keys.slice(from, from + 50).map((key) => ({ kind: 'put' as const, key, value: key }))
        await store.transact([], () => ({ writes, answer: undefined }))
      }
      coordinator.cut()
      expect(await read()).toEqual(inOrder)
      expect(await read({ reverse: true })).toEqual(inOrder.toReversed())
      expect(await read({ limit: 250 })).toEqual(inOrder.slice(0, 250))
      coordinator.heal()
      worker.cut()
      await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
      worker.heal()
      await expect.poll(() => read().catch(() => undefined)).toEqual(inOrder)
      worker.silence()
      await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
      worker.heal()
      await expect.poll(() => read().catch(() => undefined)).toEqual(inOrder)
    } finally {
      await store.close()
      await coordinator.close()
      await worker.close()
    }
  })

  test('while parts of the tables move between nodes, nothing is lost, and reads are up to date', async () => {
    const own = newUrl()
    const store = await openPostgresStore({ url: own, placement, shards: 16 })
    const client = new Client({ connectionString: url })
    await client.connect()
    const keys = 'abdefghijklmopq'.split('').map((letter) => Buffer.from(letter))
    const counts = keys.map(() => 0)
    const moving = new AbortController()
    const increment = async (key: Buffer, position: number): Promise<void> => {
      while (!moving.signal.aborted) {
        await store.transact([key, Buffer.from('version')], ([value]) => ({
          writes: [{ kind: 'put', key, value: Buffer.from(String(Number(value ?? 0) + 1)) }],
          answer: undefined,
        }))
        counts[position] = (counts[position] ?? 0) + 1
        const seen = await store.view((snapshot) => snapshot.get(key))
        expect(Number(seen)).toBe(counts[position])
      }
    }
    try {
      const writing = Promise.all(keys.map(increment))
      const { rows: parts } = await client.query<{ shardid: string; nodeport: number }>(
        'SELECT shardid, nodeport FROM citus_shards WHERE table_name = $1::regclass ORDER BY shardid LIMIT 4',
        [`${schemas.at(-1)}.data`],
      )
      const { rows: nodes } = await client.query<{ nodename: string; nodeport: number }>(
        'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid <> 0',
      )
      for (const { shardid, nodeport } of parts) {
        const from = nodes.find((node) => node.nodeport === nodeport)
        const to = nodes.find((node) => node.nodeport !== nodeport)
        await Promise.race([
          client.query("SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')", [
            shardid,
            from?.nodename,
            nodeport,
            to?.nodename,
            to?.nodeport,
          ]),
          writing,
        ])
      }
      moving.abort()
      await writing
      for (const [position, key] of keys.entries())
        expect(Number(await store.view((snapshot) => snapshot.get(key)))).toBe(counts[position])
    } finally {
      moving.abort()
      await store.close()
      await client.end()
    }
  })

  test('the tables are spread over the nodes', async () => {
    const store = await openPostgresStore({ url: newUrl(), placement })
    await store.close()
    expect(store.about).toMatchObject({ distribution: 'citus', shards: 256 })
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      'SELECT count(DISTINCT nodeport)::int AS nodes FROM citus_shards WHERE table_name = $1::regclass',
      [`${schemas.at(-1)}.data`],
    )
    await client.end()
    expect(rows).toEqual([{ nodes: 2 }])
  })
}
