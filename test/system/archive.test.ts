import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { ServerProcess } from './server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const TableName = 'orders'
const run = promisify(execFile)

test('a machine that is lost comes back from its archive, at its end or at a moment before', async () => {
  const archive = join(folder, 'archive')
  const server = await ServerProcess.start(['--path', join(folder, 'lost'), '--archive', archive])
  await createTable(server)
  await put(server, 0, 50)
  await expect.poll(() => archived(archive, 'snapshot-')).toBeGreaterThan(0)
  await put(server, 50, 100)
  const between = new Date()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await put(server, 100, 150)
  const logs = archived(archive, 'log-')
  await expect.poll(() => archived(archive, 'log-')).toBeGreaterThan(logs)
  await server.kill()

  const again = await ServerProcess.start(['--path', join(folder, 'again'), '--from', archive])
  expect(await keysOf(again)).toHaveLength(150)
  expect(await again.stop()).toBe(0)

  const moment = ['--from', archive, '--at', between.toISOString()]
  const before = await ServerProcess.start(['--path', join(folder, 'before'), ...moment])
  expect(await keysOf(before)).toHaveLength(100)
  expect(await before.stop()).toBe(0)
}, 120_000)

test('a snapshot of a server that is written to can be started from', async () => {
  const server = await ServerProcess.start(['--path', join(folder, 'busy')])
  await createTable(server)
  await put(server, 0, 200)
  const to = join(folder, 'snapshots')
  const work = { isDone: false, written: 200 }
  const writing = (async () => {
    while (!work.isDone) await put(server, work.written, (work.written += 10))
  })()
  const { stdout } = await run(process.execPath, [
    hashrangeMain,
    'snapshot',
    '--to',
    to,
    '--endpoint',
    server.endpoint,
  ])
  work.isDone = true
  await writing
  expect(stdout).toContain('Copied')
  expect(await server.stop()).toBe(0)

  const again = await ServerProcess.start(['--path', join(folder, 'from-snapshot'), '--from', to])
  expect((await keysOf(again)).length).toBeGreaterThanOrEqual(200)
  await put(again, 100_000, 100_010)
  expect(await again.stop()).toBe(0)
  await expect(
    run(process.execPath, [
      hashrangeMain,
      'start',
      '--path',
      join(folder, 'from-snapshot'),
      '--from',
      to,
      '--port',
      '0',
    ]),
  ).rejects.toMatchObject({ stderr: expect.stringContaining('already holds data') as string })
}, 120_000)

function archived(place: string, kind: string): number {
  const names = readdirSync(place, { recursive: true }).map(String)
  // What is being written has another ending.
  return names.filter((name) => name.includes(kind) && /\.(gz|json)$/.test(name)).length
}

async function createTable(server: ServerProcess): Promise<void> {
  await server.call('CreateTable', {
    TableName,
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'state', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byState',
        KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
}

async function put(server: ServerProcess, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index)
  await Promise.all(
    numbers.map((number) =>
      server.call('PutItem', { TableName, Item: { pk: { S: String(number) }, state: { S: 'open' } } }),
    ),
  )
}

/** By the index, which must have come along. */
async function keysOf(server: ServerProcess): Promise<readonly unknown[]> {
  const { Items } = await server.call<{ Items: unknown[] }>('Query', {
    TableName,
    IndexName: 'byState',
    KeyConditionExpression: '#state = :open',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':open': { S: 'open' } },
  })
  const { Count } = await server.call<{ Count: number }>('Scan', { TableName, Select: 'COUNT' })
  expect(Items).toHaveLength(Count)
  return Items
}
