import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { conflicts } from '../commands/conflicts.ts'
import { region } from '../commands/region.ts'
import type { ListeningServer } from '../database.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'

const home = 'us-east-1'
const dublin = 'eu-west-1'

let db: TestDatabase
let server: ListeningServer

beforeEach(async () => {
  db = await testDatabase()
  await db.client.createTable({
    TableName: 'Music',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  })
  await db.client.updateTable({
    TableName: 'Music',
    ReplicaUpdates: [{ Create: { RegionName: dublin } }],
  })
  await expect
    .poll(() => db.client.describeTable({ TableName: 'Music' }))
    .toMatchObject({ Table: { Replicas: [{ RegionName: dublin, ReplicaStatus: 'ACTIVE' }] } })
  server = await db.database.listen()
})

afterEach(() => db.close())

const put = (where: string, from: string): Promise<unknown> =>
  db.database.in(where).client.putItem({ TableName: 'Music', Item: { pk: { S: 'a' }, from: { S: from } } })

const get = async (where: string): Promise<unknown> =>
  (await db.database.in(where).client.getItem({ TableName: 'Music', Key: { pk: { S: 'a' } } })).Item

/** What a command prints. */
const printed = async (run: (words: readonly string[]) => Promise<number>, ...words: string[]): Promise<string> => {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(line))
  try {
    await run([...words, '--endpoint', server.endpoint])
  } finally {
    spy.mockRestore()
  }
  return lines.join('\n')
}

describe('a region', () => {
  test('gets by itself what is written in another', async () => {
    await put(home, 'here')
    await expect.poll(() => get(dublin)).toEqual({ pk: { S: 'a' }, from: { S: 'here' } })
    await db.assertNoConflicts()
  })

  test('that is isolated goes on alone; afterwards all agree, and what was lost is told', async () => {
    expect(await printed(region, 'isolate', dublin)).toContain('eu-west-1 is isolated.')
    await put(home, 'here')
    await db.advance(10)
    await put(dublin, 'there')
    await db.database.replicate()
    expect([await get(home), await get(dublin)]).toEqual([
      { pk: { S: 'a' }, from: { S: 'here' } },
      { pk: { S: 'a' }, from: { S: 'there' } },
    ])
    expect(await printed(region)).toContain('Music  us-east-1 → eu-west-1  cut off, 1 to send')
    expect(await printed(region, 'heal')).toContain('All regions are connected.')
    await db.database.replicate()
    expect(await get(home)).toEqual({ pk: { S: 'a' }, from: { S: 'there' } })
    expect(await printed(conflicts)).toBe(
      [
        'Music {"pk":{"S":"a"}}: the write in eu-west-1 at 2026-01-15T09:30:00.010000Z won.',
        '  Lost: the write in us-east-1 at 2026-01-15T09:30:00.000000Z: {"pk":{"S":"a"},"from":{"S":"here"}}',
      ].join('\n'),
    )
    await expect(db.assertNoConflicts()).rejects.toThrow('A write was lost to a write in another region:\nMusic')
  })

  test('that is down answers nothing until it is up', async () => {
    await db.database.regions.down(dublin)
    await expect(db.database.in(dublin).execute('ListTables')).rejects.toMatchObject({ code: 'ServiceUnavailable' })
    expect(await printed(region, 'up', dublin)).toContain('All regions are connected.')
    expect(await db.database.in(dublin).execute('ListTables')).toEqual({ TableNames: ['Music'] })
  })

  test('that has no tables is doubted, because nothing is cut off with it', async () => {
    const doubts: string[] = []
    const spy = vi.spyOn(console, 'error').mockImplementation((line: string) => doubts.push(line))
    try {
      expect(await printed(region, 'isolate', 'EU-WEST-1')).toContain('EU-WEST-1 is isolated.')
      await printed(region, 'down', 'eu-west-11')
      await printed(region, 'heal', 'ap-south-1')
      await printed(region, 'isolate', dublin)
      await printed(region, 'heal')
    } finally {
      spy.mockRestore()
    }
    expect(doubts).toEqual([
      'hashrange: There are no tables in EU-WEST-1. Did you mean eu-west-1?',
      'hashrange: There are no tables in eu-west-11. Did you mean eu-west-1?',
      'hashrange: There are no tables in ap-south-1.',
    ])
  })

  test('is named, and so is how late it is', async () => {
    await expect(region(['isolate', '--endpoint', server.endpoint])).rejects.toThrow('Name a region')
    await expect(region(['lag', dublin, 'soon', '--endpoint', server.endpoint])).rejects.toThrow('such as 500ms')
    await expect(region(['lose', dublin])).rejects.toThrow('"lose" is not an action')
    await expect(region(['lag', dublin, '1441m', '--endpoint', server.endpoint])).rejects.toThrow('at most 1440m')
    expect(await printed(region, 'lag', dublin, '500ms')).toContain('eu-west-1 is delayed by 0.5 s.')
    expect(await printed(region, 'lag', dublin, '0.1ms')).toContain('All regions are connected.')
    const ask = async (path: string, method: string, headers = {}): Promise<number> =>
      (await fetch(`${server.endpoint}/_hashrange/${path}`, { method, headers })).status
    expect([
      await ask('regions/isolate?region=%00', 'POST'),
      await ask('regions/isolate?region=__proto__', 'POST'),
      await ask('regions/lag?region=eu-west-1&ms=-1', 'POST'),
      await ask('regions/isolate?region=eu-west-1', 'GET'),
      await ask('regions/explode', 'POST'),
      await ask('conflicts', 'POST'),
      await ask('conflicts', 'GET', { Origin: 'http://localhost:1' }),
    ]).toEqual([400, 400, 400, 405, 404, 405, 403])
  })
})
