import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSerializable } from './history/check-serializable.ts'
import { History } from './history/history.ts'
import { createListTable, ListClient, type Failure } from './list-client.ts'
import { ServerProcess } from './server-process.ts'

/** How long the clients go on; `HASHRANGE_HISTORY_SECONDS=300` is for a night. */
const seconds = Number(process.env['HASHRANGE_HISTORY_SECONDS'] ?? 9)
const seed = Number(process.env['HASHRANGE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const clientsPerServer = 5

let postgres: PostgresServer
let flags: readonly string[]
let servers: ServerProcess[]

beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'on' } })
  flags = ['--no-workbench', '--shared', '--store', await postgres.newDatabase()]
  servers = await Promise.all([1, 2, 3].map(() => ServerProcess.start(flags)))
}, 60_000)

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()))
  await postgres.remove()
})

test(
  'three servers on one PostgreSQL are serializable, with one of them killed and the database restarted in the middle',
  { timeout: 60_000 + seconds * 2_000 },
  async () => {
    console.log(`HASHRANGE_SEED=${seed}`)
    const random = randomness(seed)
    const [first] = servers
    if (first === undefined) throw new Error('there are three servers')
    await createListTable(first)
    await createCounters(first)

    const history = new History()
    const failures: { readonly atMs: number; readonly server: number; readonly failure: Failure }[] = []
    const counted = { acknowledged: 0, exactlyOnce: 0, unknown: 0 }
    let isOver = false
    const working = servers.flatMap((_, server) => {
      const current = (): ServerProcess => servers[server] ?? first
      const noteFailure = (failure: Failure): void => void failures.push({ atMs: Date.now(), server, failure })
      return [
        ...Array.from({ length: clientsPerServer }, (_unused, client) =>
          mixedWork(new ListClient(`s${server}c${client}`, current, history, noteFailure), random, () => isOver),
        ),
        count(current, counted, () => isOver),
        countExactlyOnce(current, server, counted, () => isOver),
      ]
    })
    const pause = (share: number): Promise<void> =>
      new Promise((resolve) => setTimeout(resolve, seconds * 1_000 * share))

    await pause(0.25)
    await servers[1]?.kill()
    const killedAtMs = Date.now()
    await pause(0.2)
    servers[1] = await ServerProcess.start(flags)
    const backAtMs = Date.now()
    await pause(0.2)
    const awayAtMs = Date.now()
    await postgres.stop()
    await postgres.start()
    const answeringAtMs = await whenReady(servers)
    await pause(0.35)
    isOver = true
    await Promise.all(working)

    // The last word on every list, from every server, after all that was asked for has ended.
    for (const [server, running] of servers.entries()) {
      await new ListClient(`last${server}`, () => running, history).readIndex(keys)
      await new ListClient(`end${server}`, () => running, history).readTogether(keys)
    }
    console.log(`${history.operations.length} operations, ${failures.length} refusals and failures`)
    expect(checkSerializable(history.operations)).toBeUndefined()
    const appended = history.operations.filter(
      ({ appends, completedAtMs }) => appends.size > 0 && completedAtMs < Infinity,
    )
    expect(appended.length).toBeGreaterThan(seconds * 5)

    // What is contended is refused in the service's words, never with a 500; that a server or the database is away, is 503 or no answer.
    const expected = new Set([
      'ConditionalCheckFailedException',
      'TransactionCanceledException',
      'TransactionConflictException',
      'TransactionInProgressException',
    ])
    const unexpected = failures.filter(({ atMs, server, failure }) => {
      if (expected.has(failure.name)) return false
      const isKilled = server === 1 && atMs >= killedAtMs - 50 && atMs <= backAtMs + 500
      const isAway = atMs >= awayAtMs - 50 && atMs <= answeringAtMs + 500
      return !isKilled && !(isAway && failure.name === 'ServiceUnavailable')
    })
    expect(unexpected.map(({ failure }) => failure)).toEqual([])

    const counters = await readCounters(servers)
    expect(counters.map(({ exactly }) => exactly)).toEqual(servers.map(() => counted.exactlyOnce))
    for (const { atLeast } of counters) {
      expect(atLeast).toBeGreaterThanOrEqual(counted.acknowledged)
      expect(atLeast).toBeLessThanOrEqual(counted.acknowledged + counted.unknown)
    }
    expect(counted.exactlyOnce).toBeGreaterThan(seconds)
  },
)

const keys = Array.from({ length: 8 }, (_, n) => `list${n}`)

async function mixedWork(client: ListClient, random: () => number, isOver: () => boolean): Promise<void> {
  const one = (): string => keys[Math.floor(random() * keys.length)] ?? ''
  const some = (): readonly string[] => [...new Set([one(), one(), one()])]
  for (let length = 0; !isOver(); length++) {
    const outcome = await (async () => {
      switch (Math.floor(random() * 7)) {
        case 0:
          return client.append(one())
        case 1:
          return client.appendIf(one(), length)
        case 2:
          return client.appendTogether(some())
        case 3: {
          const [key = '', guard] = some()
          return guard === undefined ? client.append(key) : client.appendGuarded(key, guard, 1)
        }
        case 4:
          return client.read(one())
        case 5:
          return client.readTogether(some())
        default:
          return client.readIndex(keys)
      }
    })()
    // Nobody is there just now.
    if (outcome === 'unknown') await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function createCounters(server: ServerProcess): Promise<void> {
  await server.call('CreateTable', {
    TableName: 'counters',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  })
}

const increment = (pk: string): object => ({
  TableName: 'counters',
  Key: { pk: { S: pk } },
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
})

interface Counted {
  acknowledged: number
  exactlyOnce: number
  unknown: number
}

async function count(server: () => ServerProcess, counted: Counted, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await server().call('UpdateItem', increment('at least'))
      counted.acknowledged++
    } catch (error) {
      if (isRefusal(error)) continue
      counted.unknown++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** With a token, a request can be sent until it is answered, and happens once. */
async function countExactlyOnce(
  server: () => ServerProcess,
  writer: number,
  counted: Counted,
  isOver: () => boolean,
): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const request = { ClientRequestToken: `${writer}-${n}`, TransactItems: [{ Update: increment('exactly') }] }
    for (;;) {
      try {
        await server().call('TransactWriteItems', request)
        counted.exactlyOnce++
        break
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
}

async function readCounters(
  from: readonly ServerProcess[],
): Promise<readonly { readonly atLeast: number; readonly exactly: number }[]> {
  return Promise.all(
    from.map(async (server) => {
      const value = async (pk: string): Promise<number> => {
        const { Item } = await server.call<{ Item?: { n: { N: string } } }>('GetItem', {
          TableName: 'counters',
          Key: { pk: { S: pk } },
          ConsistentRead: true,
        })
        return Number(Item?.n.N)
      }
      return { atLeast: await value('at least'), exactly: await value('exactly') }
    }),
  )
}

function isRefusal(error: unknown): boolean {
  const { status } = error as Failure
  return status !== undefined && status < 500
}

async function whenReady(all: readonly ServerProcess[]): Promise<number> {
  for (const { endpoint } of all) {
    await expect.poll(async () => (await fetch(`${endpoint}/ready`)).status, { timeout: 20_000 }).toBe(200)
  }
  return Date.now()
}

/** Small, seeded and good enough to choose what to do next (mulberry32). */
function randomness(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
