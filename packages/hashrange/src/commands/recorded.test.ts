import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../database.ts'
import { open } from '../open.ts'
import { runModelCommand } from './run-model-command.ts'
import { runTop } from './run-top.ts'

const tableInput = {
  TableName: 'orders',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
}
let nowMs = Date.UTC(2026, 10, 15, 12)
let db: Database
let endpoint: string

beforeAll(async () => {
  db = await open({ clock: { now: () => nowMs } })
  endpoint = (await db.listen()).endpoint
  await db.execute('CreateTable', tableInput)
  // Two minutes with sixty writes each: one WCU a second.
  for (let minute = 0; minute < 2; minute++) {
    for (let i = 0; i < 60; i++) {
      await db.execute('PutItem', { TableName: 'orders', Item: { pk: { S: `${i}` } } })
      nowMs += 1000
    }
  }
})
afterAll(() => db.close())
afterEach(() => vi.restoreAllMocks())

/** What a command prints, and its exit code. */
async function printed(run: () => Promise<number>): Promise<{ code: number; out: string; err: string }> {
  const out = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const err = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const code = await run()
  return { code, out: out.mock.calls.flat().join('\n'), err: err.mock.calls.flat().join('\n') }
}
const cost = (...words: string[]): ReturnType<typeof printed> => printed(() => runModelCommand('cost', words))
const top = (...words: string[]): ReturnType<typeof printed> => printed(() => runTop(words))

describe('hashrange cost --recorded', () => {
  test('prices what a server was asked for', async () => {
    const { code, out } = await cost('--recorded', '--endpoint', endpoint, '--json', '--prices', '2018-11-28')
    expect(code).toBe(0)
    const priced = JSON.parse(out) as { minutes: number; total: { onDemand: { writes: number } } }
    expect(priced.minutes).toBe(2)
    // 1 WCU × 2,628,000 seconds at $1.25 a million.
    expect(priced.total.onDemand.writes).toBeCloseTo(3.285, 9)
  })

  test('for people, with advice, and with the prices of a day', async () => {
    const { out } = await cost('--recorded', '--endpoint', endpoint, '--prices', '2018-11-28')
    expect(out).toMatch(/^orders +0 +1 \/ 1 +\d+ B +\$3\.29 +\$0\.57 +\$1\.04 +\$1\.04/m)
    expect(out).toContain('These prices ended on 2024-11-01.')
    const newer = await cost('--recorded', '--endpoint', endpoint, '--prices', '2024-11-01', '--table', 'orders')
    expect(newer.out).toMatch(/^orders.* \$1\.64 /m)
  })

  test.each([
    [['--recorded', 'x.model.ts'], 2, '--recorded reads the traffic of a server and takes no model file.'],
    [['--recorded', '--hours', '25'], 2, '--hours must be a whole number from 1 to 24, not "25".'],
    [
      ['--recorded', '--endpoint', 'here'],
      2,
      '--endpoint must be an address such as http://127.0.0.1:8000, not "here".',
    ],
    [
      ['--recorded', '--endpoint', 'http://127.0.0.1:47', '--path', 'x'],
      2,
      '--endpoint and --path both name a place. Use only one of them.',
    ],
    [
      ['--recorded', '--endpoint', 'http://127.0.0.1:47'],
      1,
      'Nothing answers at http://127.0.0.1:47 (ECONNREFUSED). Is hashrange running there?',
    ],
    [[], 2, 'Name one model file, or use --recorded for the traffic of a server. See: hashrange cost --help'],
  ] as const)('cost %j: exit code %i, and why', async (words, code, message) => {
    const answer = await cost(...words)
    expect(answer).toMatchObject({ code, err: `hashrange: ${message}` })
  })

  test('reads a folder of data that no server uses', async () => {
    const path = await mkdtemp(join(tmpdir(), 'hashrange-recorded-'))
    let thenMs = Date.now() - 10 * 60_000
    const kept = await open({ path, clock: { now: () => thenMs } })
    await kept.execute('CreateTable', tableInput)
    for (let i = 0; i < 30; i++) await kept.execute('PutItem', { TableName: 'orders', Item: { pk: { S: `${i}` } } })
    thenMs += 60_000
    await kept.close()
    const { code, out } = await cost('--recorded', '--path', path, '--json')
    await rm(path, { recursive: true })
    expect(code).toBe(0)
    const priced = JSON.parse(out) as { tables: { places: { writes: { peak: number } }[] }[] }
    expect(priced.tables[0]?.places[0]?.writes.peak).toBe(0.5)
  })

  test('a table that is not there is named', async () => {
    const { code, err } = await cost('--recorded', '--endpoint', endpoint, '--table', 'order')
    expect({ code, err }).toEqual({ code: 2, err: 'hashrange: There is no table "order". The tables are: orders.' })
  })
})

describe('hashrange top --once', () => {
  test('prints one frame', async () => {
    const { code, out } = await top('--once', '--endpoint', endpoint)
    expect(code).toBe(0)
    expect(out).toMatch(/^> orders +60 /m)
    expect(out).toContain('PutItem')
    // eslint-disable-next-line no-control-regex -- there are to be none
    expect(out).not.toMatch(/\x1b/)
  })

  test('--json prints the report', async () => {
    const { out } = await top('--once', '--json', '--endpoint', endpoint, '--table', 'orders')
    expect(JSON.parse(out)).toMatchObject({ tables: [{ tableName: 'orders' }] })
  })

  test.each([
    [['--interval', '0'], 2, '--interval must be from 0.2 to 3600 seconds, not "0".'],
    [['--sort', 'size'], 2, '--sort must be one of units, reads, writes, throttles, items, name, not "size".'],
    [['--account', '1'], 2, 'Use --account and --region together, or neither to see all tables.'],
    [['--wat'], 2, 'There is no flag --wat. See: hashrange top --help'],
    [
      ['--once', '--endpoint', 'http://127.0.0.1:47'],
      1,
      'Nothing answers at http://127.0.0.1:47 (ECONNREFUSED). Is hashrange running there?',
    ],
  ] as const)('top %j: exit code %i, and why', async (words, code, message) => {
    expect(await top(...words)).toMatchObject({ code, err: `hashrange: ${message}` })
  })
})
