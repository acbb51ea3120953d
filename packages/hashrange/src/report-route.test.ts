import type { HeatReport, TrafficReport } from '@hashrange/engine'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, ListeningServer } from './database.ts'
import { open } from './open.ts'

let nowMs = Date.UTC(2026, 10, 15, 12, 0, 5)
let db: Database
let server: ListeningServer

beforeAll(async () => {
  db = await open({ clock: { now: () => nowMs } })
  server = await db.listen()
  await db.execute('CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'owner', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byOwner',
        KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
        ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
      },
    ],
    ProvisionedThroughput: { ReadCapacityUnits: 50, WriteCapacityUnits: 60 },
  })
  for (let i = 0; i < 30; i++) {
    await db.execute('PutItem', { TableName: 'orders', Item: { pk: { S: `o${i % 10}` }, owner: { S: 'ana' } } })
    await db.execute('GetItem', { TableName: 'orders', Key: { pk: { S: 'o1' } }, ConsistentRead: true })
  }
})
afterAll(() => db.close())

const ask = async <Report>(path: string): Promise<Report> =>
  (await (await fetch(`${server.endpoint}/_hashrange/${path}`)).json()) as Report

describe('GET /_hashrange/heat', () => {
  test('tells of tables, indexes, operations and keys', async () => {
    const report = await ask<HeatReport>('heat')
    expect(report).toMatchObject({ atMs: nowMs, leftOut: 0 })
    const [table] = report.tables
    expect(table).toMatchObject({ tableName: 'orders', billingMode: 'PROVISIONED', status: 'ACTIVE' })
    expect(table?.places).toMatchObject([
      { items: 10, provisioned: { readUnits: 50, writeUnits: 60 } },
      { indexName: 'byOwner', items: 10, provisioned: { readUnits: 3, writeUnits: 4 } },
    ])
    expect(table?.places[0]?.hottestReads[0]).toMatchObject({ text: 'o1', amount: 30 })
    expect(table?.places[0]?.partitions.length).toBeGreaterThan(0)
    expect(table?.operations.map(({ operation }) => operation).toSorted()).toEqual(['GetItem', 'PutItem'])
    expect(table?.operations[0]?.p99Ms).toBeGreaterThan(0)
  })

  test('of one table, or of one account and region', async () => {
    expect((await ask<HeatReport>('heat?table=none')).tables).toEqual([])
    expect((await ask<HeatReport>('heat?account=999999999999&region=us-east-1')).tables).toEqual([])
    expect((await ask<HeatReport>('heat?account=123456789012&region=us-east-1')).tables).toHaveLength(1)
  })
})

test('GET /_hashrange/traffic tells the units of each whole minute', async () => {
  nowMs += 2 * 60_000
  const report = await ask<TrafficReport>('traffic?minutes=60')
  expect(report).toMatchObject({ fromMs: Date.UTC(2026, 10, 15, 12), minutes: 2 })
  expect(report.tables[0]).toMatchObject({ tableName: 'orders', billingMode: 'PROVISIONED' })
  expect(report.tables[0]?.places).toMatchObject([
    { items: 10, readUnits: [30, 0], writeUnits: [30, 0] },
    { indexName: 'byOwner', items: 10, readUnits: [], writeUnits: [10, 0] },
  ])
})

describe('what is not meant for everybody', () => {
  const status = (name: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> =>
    statusOf(`/_hashrange/${name}`, headers, method)
  /** The path is sent as it is. */
  const statusOf = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> =>
    new Promise((resolve, reject) => {
      request(server.endpoint, { path, headers, method }, (response) => {
        response.resume()
        expect(response.headers['access-control-allow-origin']).toBeUndefined()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })

  test.each([
    '//',
    '//[',
    'http://[',
    '/_hashrange/traffic/../heat',
    '//x/_hashrange/branches',
    '/_hashrange/heat/../branches',
    '/_hashrange/./regions',
  ])('is only told under its own path: %s is none of the server', async (path) => {
    expect(await statusOf(path)).toBe(404)
  })

  test('is not told to pages of other origins, nor under other names', async () => {
    expect(await status('heat', { Host: 'evil.example:8000' })).toBe(403)
    expect(await status('heat', { Origin: 'http://evil.example' })).toBe(403)
    expect(await status('heat', { Host: 'localhost:1' })).toBe(200)
  })

  test('is asked for with GET, and by name', async () => {
    expect(await status('heat', {}, 'DELETE')).toBe(405)
    expect(await status('secrets')).toBe(404)
    expect(await status('traffic?minutes=0')).toBe(400)
    expect(await status('traffic?minutes=1e9')).toBe(400)
    expect(await status('heat?account=1')).toBe(400)
  })
})
