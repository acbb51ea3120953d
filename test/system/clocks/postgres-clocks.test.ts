import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addOnce, createTable, hourMs, itemsOf, minuteMs, restoredItems, streamedKeys } from './requests.ts'
import { ShiftedServer } from './shifted-server.ts'

/** Servers whose clocks differ, and one whose clock jumps, on one PostgreSQL. Its time is this machine's. */
let postgres: PostgresServer
let storeUrl: string
let servers: ShiftedServer[]
let jumping: NodeJS.Timeout
let right: ShiftedServer

const shifts = [-hourMs, 0, hourMs, 25 * hourMs]
const jumps = [0, hourMs, -hourMs, 25 * hourMs, -48 * hourMs]

beforeAll(async () => {
  postgres = await startPostgres()
  storeUrl = await postgres.newDatabase()
  const flags = ['--store', storeUrl, '--ttl-sweep', '1']
  // The schema is set up by the first.
  right = new ShiftedServer(flags, 0)
  await right.process.ready()
  const wrong = [...shifts, 0].map(
    (shiftMs) => new ShiftedServer([...flags, '--max-clock-offset', '259200'], shiftMs),
  )
  const jumper = wrong.at(-1)
  let turn = 0
  jumping = setInterval(() => jumper?.setClock(jumps[turn++ % jumps.length] ?? 0), 700)
  servers = [right, ...wrong]
  await Promise.all(servers.map(({ process }) => process.ready()))
}, 180_000)

afterAll(async () => {
  clearInterval(jumping)
  await Promise.all(servers.map((server) => server.stop()))
  await postgres.remove()
})

test('a server whose clock is off says so, by its name and by how much', async () => {
  const says = [/1 hour behind the database's/, undefined, /1 hour ahead of/, /1 day 1 hour ahead of/]
  for (const [index, words] of says.entries()) {
    const { printed, process } = servers[index + 1] ?? right
    if (words === undefined) {
      expect(printed).not.toContain('The clock of')
      continue
    }
    expect(printed).toMatch(new RegExp(`The clock of this server \\(.+, process ${process.pid}\\) is `))
    expect(printed).toMatch(words)
  }
  await expect.poll(() => servers.at(-1)?.printed, { timeout: 60_000 }).toContain('The clock of this server')
  expect(right.printed).not.toContain('The clock of')
})

test(
  'one that is off by more than five minutes does not start, and says what to do',
  { timeout: 60_000 },
  async () => {
    for (const shiftMs of [hourMs, -6 * minuteMs]) {
      const server = new ShiftedServer(['--store', storeUrl], shiftMs)
      expect((await server.process.ended).code).toBe(1)
      expect(server.printed).toMatch(
        /^hashrange: The clock of this server \(.+, process \d+\) is .+ At most 5 minutes is allowed\. Correct .+ --max-clock-offset \d+/,
      )
      await server.stop()
    }
  },
)

test('a token is applied once, whichever servers it is sent through', { timeout: 120_000 }, async () => {
  await createTable(right, 'counts')
  const tokens = Array.from({ length: 12 }, (_, n) => `token ${n}`)
  for (const [n, token] of tokens.entries()) {
    // Each begins with another server, and all of them get it, twice.
    for (let turn = 0; turn < 2 * servers.length; turn++) {
      await addOnce(servers[(n + turn) % servers.length] ?? right, 'counts', token)
    }
  }
  // What removes old tokens must not take these for old.
  await pause(2_000)
  for (const [n, token] of tokens.entries()) await addOnce(servers[n % servers.length] ?? right, 'counts', token)
  expect((await itemsOf(right, 'counts')).map(({ n }) => n?.N)).toEqual(tokens.map(() => '1'))
})

test('no item expires before its time, and those whose time has come go', { timeout: 120_000 }, async () => {
  await createTable(right, 'carts')
  await right.call('UpdateTimeToLive', {
    TableName: 'carts',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' },
  })
  const put = (server: ShiftedServer, pk: string, inMs: number): Promise<unknown> =>
    server.call('PutItem', {
      TableName: 'carts',
      Item: { pk: { S: pk }, until: { N: String(Math.floor((Date.now() + inMs) / 1000)) } },
    })
  for (const [n, server] of servers.entries()) {
    await put(server, `due ${n}`, -minuteMs)
    await put(server, `in half an hour ${n}`, 30 * minuteMs)
    await put(server, `in a day ${n}`, 24 * hourMs)
  }
  const left = async (): Promise<readonly string[]> => (await itemsOf(right, 'carts')).map(({ pk }) => pk.S)
  await expect
    .poll(async () => (await left()).filter((pk) => pk.startsWith('due')), { timeout: 60_000 })
    .toEqual([])
  // Whoever sweeps next may be any of them.
  await pause(8_000)
  expect(await left()).toHaveLength(2 * servers.length)
})

test('every server shows the whole stream', { timeout: 120_000 }, async () => {
  const { TableDescription } = (await createTable(right, 'orders', {
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  })) as { TableDescription: { LatestStreamArn: string } }
  const wanted: string[] = []
  for (let round = 0; round < 5; round++) {
    for (const [n, server] of servers.entries()) {
      await server.call('PutItem', { TableName: 'orders', Item: { pk: { S: `${round}.${n}` } } })
      wanted.push(`${round}.${n}`)
    }
  }
  for (const server of servers) {
    expect(await streamedKeys(server, TableDescription.LatestStreamArn)).toEqual(wanted.toSorted())
  }
})

test('a restore to a moment is of the database’s time, through any server', { timeout: 180_000 }, async () => {
  await createTable(right, 'accounts')
  await servers[3]?.call('UpdateContinuousBackups', {
    TableName: 'accounts',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  const moments: { readonly atMs: number; readonly count: number }[] = []
  for (const [n, server] of servers.entries()) {
    await server.call('PutItem', { TableName: 'accounts', Item: { pk: { S: String(n) } } })
    await pause(300)
    moments.push({ atMs: Date.now(), count: n + 1 })
    await pause(300)
  }
  for (const [n, { atMs, count }] of moments.entries()) {
    const server = servers.at(-1 - n) ?? right
    expect(await restoredItems(server, 'accounts', `restored-${n}`, atMs)).toHaveLength(count)
  }
})

test('how far a clock is off is among the metrics', async () => {
  const port = await servers[3]?.process.ready()
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const offset = Number(/^hashrange_clock_offset_seconds (\S+)$/m.exec(page)?.[1])
  expect(Math.abs(offset - 3_600)).toBeLessThan(1)
  expect(Number(/^hashrange_clock_error_seconds (\S+)$/m.exec(page)?.[1])).toBeLessThan(5)
})
