import { keyPlacement, type StoreFault } from '@hashrange/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresStore, type PostgresStore } from '../postgres-store.ts'
import { startPostgres } from '../testing/start-postgres.ts'

const server = await startPostgres()
let url: string
let store: PostgresStore

beforeAll(async () => {
  url = await server.newDatabase()
  store = await openPostgresStore({ url, placement: keyPlacement })
  const log = Buffer.of(0x20, 0, 0, 0, 1, 0, 0, 0, 0)
  for (let n = 0; n < 50; n++) {
    const key = Buffer.concat([Buffer.of(0x10, 0, 0, 0, 1), Buffer.alloc(16, n * 5)])
    await store.transact([], () => ({
      writes: [
        { kind: 'put', key, value: Buffer.from('x') },
        { kind: 'add', key: Buffer.of(0x13, 0, 0, 0, 1), amounts: [1, 1] },
        { kind: 'append', log, atMs: 1_000, value: Buffer.from('x') },
      ],
      answer: undefined,
    }))
  }
})

afterAll(async () => {
  await store.close()
  await server.remove()
})

async function faults(): Promise<readonly StoreFault[]> {
  const found: StoreFault[] = []
  await store.verify?.({
    stopping: { aborted: false },
    longestSnapshotMs: 10_000,
    onFault: (fault) => found.push(fault),
    onUnchecked: () => undefined,
    onProgress: () => undefined,
  })
  return found
}

/** Does harm in SQL, and takes it back. */
async function harmed(harm: string, undo: string): Promise<readonly string[]> {
  await server.query(harm, url)
  try {
    return (await faults()).map(({ place, problem }) => `${place}: ${problem}`)
  } finally {
    await server.query(undo, url)
  }
}

test('rows that are where they belong', async () => {
  expect(await faults()).toEqual([])
})

test.each([
  [
    'an entry in another shard',
    'UPDATE hashrange.data SET shard = 63 - shard WHERE key = (SELECT min(key) FROM hashrange.data)',
    'UPDATE hashrange.data SET shard = 63 - shard WHERE key = (SELECT min(key) FROM hashrange.data)',
    /data.*is in shard 63, where it would not be found/,
  ],
  [
    'a counter among the entries',
    String.raw`INSERT INTO hashrange.data VALUES (0, '\x1300000009', 1, '\x00')`,
    String.raw`DELETE FROM hashrange.data WHERE key = '\x1300000009'`,
    /data.*A counter lies among the other entries/,
  ],
  [
    'a counter that is none',
    'UPDATE hashrange.counters SET width = 9',
    'UPDATE hashrange.counters SET width = 2',
    /counters.*is not a vector of counters/,
  ],
  [
    'a counter that is not a number',
    "UPDATE hashrange.counters SET a7 = 'NaN'",
    'UPDATE hashrange.counters SET a7 = 0',
    /counters.*is not a vector of counters/,
  ],
  [
    'a log whose number is too low',
    'UPDATE hashrange.logs SET last = last - 1',
    'UPDATE hashrange.logs SET last = last + 1',
    /logs.*above the last sequence number that it gave out/,
  ],
])('%s is told of', async (_name, harm, undo, problem) => {
  const found = await harmed(harm, undo)
  expect(found.join('\n')).toMatch(problem)
  expect(await faults()).toEqual([])
})
