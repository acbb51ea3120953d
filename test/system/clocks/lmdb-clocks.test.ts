import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  addOnce,
  createTable,
  hourMs,
  itemsOf,
  minuteMs,
  restoredItems,
  streamedKeys,
  type ScannedItem,
} from './requests.ts'
import { ShiftedServer } from './shifted-server.ts'

/** One server on a folder, whose clock somebody sets while it runs, and while it does not. */
let folder: string
let server: ShiftedServer

const dayMs = 24 * hourMs

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-'))
  server = start(0)
  await server.process.ready()
})

afterEach(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const start = (shiftMs: number): ShiftedServer => new ShiftedServer(['--path', folder, '--ttl-sweep', '1'], shiftMs)

/** Sets the clock, and waits until the server has noticed. */
async function setClock(shiftMs: number, says: string): Promise<void> {
  const before = server.printed.length
  server.setClock(shiftMs)
  await expect.poll(() => server.printed.slice(before)).toContain(says)
}

async function restartAt(shiftMs: number): Promise<void> {
  await server.stop()
  server = start(shiftMs)
  await server.process.ready()
}

test('a restore is of the moment that the clock showed, however it was set', { timeout: 240_000 }, async () => {
  await createTable(server, 'source')
  await server.call('UpdateContinuousBackups', {
    TableName: 'source',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  const history: (readonly [atMs: number, items: readonly ScannedItem[]])[] = []
  let count = 0
  const write = async (): Promise<void> => {
    for (let n = 0; n < 4; n++) {
      count++
      const Item = { pk: { S: `item ${count % 6}` }, n: { N: String(count) } }
      await server.call('PutItem', { TableName: 'source', Item })
      await pause(150)
      history.push([server.nowMs, await itemsOf(server, 'source')])
      await pause(150)
    }
  }
  await write()
  await setClock(-hourMs, 'was set back by')
  await write()
  await setClock(2 * hourMs, 'was set forward by')
  await write()
  await setClock(-10 * minuteMs, 'was set back by')
  await write()
  await restartAt(365 * dayMs)
  await write()
  // It was a year ahead, and nobody knew.
  await restartAt(0)
  expect(server.printed).toContain('behind the newest change in the data')
  await write()

  const reachable = history.filter(([atMs]) => atMs <= server.nowMs)
  expect(reachable.length).toBeGreaterThanOrEqual(12)
  for (const [n, [atMs]] of reachable.entries()) {
    const expected = history.findLast(([shownMs]) => shownMs <= atMs)?.[1]
    expect(await restoredItems(server, 'source', `at-${n}`, atMs), `the moment ${atMs}`).toEqual(expected)
  }
})

test('tokens, items and streams outlive a clock that jumps', { timeout: 240_000 }, async () => {
  await createTable(server, 'counts')
  await createTable(server, 'carts')
  const { TableDescription } = (await createTable(server, 'orders', {
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  })) as { TableDescription: { LatestStreamArn: string } }
  await server.call('UpdateTimeToLive', {
    TableName: 'carts',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' },
  })
  const put = (TableName: string, pk: string, untilMs?: number): Promise<unknown> => {
    const until = untilMs === undefined ? {} : { until: { N: String(Math.floor(untilMs / 1000)) } }
    return server.call('PutItem', { TableName, Item: { pk: { S: pk }, ...until } })
  }
  const carts = async (): Promise<readonly string[]> => (await itemsOf(server, 'carts')).map(({ pk }) => pk.S)
  await put('carts', 'in half an hour', server.nowMs + 30 * minuteMs)
  await put('orders', 'a')
  await addOnce(server, 'counts', 'a')

  // Ahead by more than a day: by that clock all of it would be over.
  await setClock(25 * hourMs, 'was set forward by')
  await pause(4_000)
  await addOnce(server, 'counts', 'a')
  await addOnce(server, 'counts', 'b')
  await put('orders', 'b')
  expect(await carts()).toEqual(['in half an hour'])
  expect(await streamedKeys(server, TableDescription.LatestStreamArn)).toEqual(['a', 'b'])

  await setClock(-hourMs, 'was set back by')
  await addOnce(server, 'counts', 'a')
  await addOnce(server, 'counts', 'b')
  await put('orders', 'c')
  await put('carts', 'due', server.nowMs - minuteMs)
  await put('carts', 'soon', server.nowMs + 3_000)
  await expect.poll(carts, { timeout: 60_000 }).toEqual(['in half an hour'])

  for (let jump = 0; jump < 12; jump++) {
    server.setClock((jump % 3) * hourMs)
    await addOnce(server, 'counts', 'a')
    await addOnce(server, 'counts', 'b')
    await pause(500)
  }
  expect(await streamedKeys(server, TableDescription.LatestStreamArn)).toEqual(['a', 'b', 'c'])
  expect((await itemsOf(server, 'counts')).map(({ n }) => n?.N)).toEqual(['1', '1'])
  expect(await carts()).toEqual(['in half an hour'])
})
