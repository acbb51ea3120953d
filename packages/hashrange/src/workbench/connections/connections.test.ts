import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sharedAccountId } from '@hashrange/server'
import { describe, expect, test } from 'vitest'
import { createTable, scope, useServedWorkbench } from '../testing/use-served-workbench.ts'
import { connectionAt, readConnection } from './connection.ts'
import { WritingGrants } from './writing-grants.ts'

const start = useServedWorkbench()
const key = { id: { S: 'a' }, ['__proto__']: { S: 'own' } }

async function two(writing?: 'on-request' | 'never') {
  const other = await start()
  const endpoint = `http://127.0.0.1:${other.port}`
  const here = await start({ connections: { staging: { endpoint, writing } } })
  await other.api(`dynamodb/CreateTable?${ownScope}`, createTable)
  return { here, other, endpoint }
}

/** Whose tables the key `local` has on a shared server. */
const ownScope = `account=${sharedAccountId}&region=us-east-1`
const staging = 'connection=staging&region=us-east-1'

describe('through a connection', () => {
  test('operations of DynamoDB and its streams reach the other server and nothing else does', async () => {
    const { here } = await two()
    const item = { TableName: 'shop', Item: JSON.parse('{"id":{"S":"a"},"__proto__":{"N":"1.10"}}') as object }
    expect(await here.api(`dynamodb/PutItem?${staging}`, item)).toMatchObject({ status: 200 })
    const found = await here.api(`dynamodb/GetItem?${staging}`, { TableName: 'shop', Key: { id: { S: 'a' } } })
    expect(found.body.toString()).toContain('"__proto__":{"N":"1.1"}')
    expect((await here.api(`dynamodb/ListStreams?${staging}`)).status).toBe(200)
    expect((await here.api(`tables?${staging}`)).json).toMatchObject({ tables: [{ table: { TableName: 'shop' } }] })
    // The other server's words.
    const refused = await here.api(`dynamodb/GetItem?${staging}`, { TableName: 'none', Key: key })
    expect(refused).toMatchObject({ status: 400, json: { message: 'Requested resource not found' } })
    for (const operation of ['GraniteServiceVersion20100801.PutMetricData', 'Nothing', '../GetItem', 'GetItem.x']) {
      expect((await here.api(`dynamodb/${encodeURIComponent(operation)}?${staging}`)).status).toBe(400)
    }
    // Its own tables are not the other's.
    expect((await here.api(`dynamodb/ListTables?${scope}`)).json).toEqual({ TableNames: [] })
    expect(await here.api('dynamodb/ListTables?connection=__proto__&region=x')).toMatchObject({
      status: 404,
      json: { __type: 'NoConnection' },
    })
  })

  test('a read-only connection takes no write, unless it is switched on, for one tab', async () => {
    const { here } = await two('on-request')
    const put = (more = '') => here.api(`dynamodb/PutItem?${staging}${more}`, { TableName: 'shop', Item: key })
    expect(await put()).toMatchObject({ status: 403, json: { __type: 'ReadOnly' } })
    const statements = ["DELETE FROM shop WHERE id='a'", ' select * from shop; ']
    const statuses = await Promise.all(
      statements.map(
        async (Statement) => (await here.api(`dynamodb/ExecuteStatement?${staging}`, { Statement })).status,
      ),
    )
    expect(statuses[0]).toBe(403)
    expect(statuses[1]).not.toBe(403)
    const { writing } = (await here.api('connections/begin-writing', { name: 'staging' })).json as {
      writing: string
    }
    expect((await put(`&writing=${writing}`)).status).toBe(200)
    expect((await put('&writing=other')).status).toBe(403)
    expect((await put()).status).toBe(403)
    await here.api('connections/end-writing', { writing })
    expect((await put(`&writing=${writing}`)).status).toBe(403)
  })

  test('what stays read-only cannot be switched on, nor can anything in a read-only workbench', async () => {
    const { here, endpoint } = await two('never')
    expect((await here.api('connections/begin-writing', { name: 'staging' })).status).toBe(403)
    const reading = await start({ readOnly: true, connections: { staging: { endpoint } } })
    expect((await reading.api(`dynamodb/DeleteTable?${staging}`, { TableName: 'shop' })).status).toBe(403)
    expect((await reading.api(`dynamodb/DescribeTable?${staging}`, { TableName: 'shop' })).status).toBe(200)
    const from = `connection=staging&region=us-east-1`
    const begun = await reading.api('copies/begin', { from, to: scope, tables: ['shop'] })
    expect(await ended(reading, begun.json)).toMatchObject({
      outcome: 'failed',
      problem: expect.stringContaining('read-only'),
    })
  })

  test('what is not DynamoDB is not passed on, nor followed', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      if (asked.length === 1) response.writeHead(307, { location: '/elsewhere' }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end('a secret of the network')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const here = await start({ connections: { odd: { endpoint, writing: 'allowed' } } })
      const table = { TableName: 'shop' }
      const first = await here.api('dynamodb/DeleteTable?connection=odd&region=us-east-1', table)
      expect([first.status, asked]).toEqual([502, ['/']])
      const second = await here.api('dynamodb/DescribeTable?connection=odd&region=us-east-1', table)
      expect(second).toMatchObject({ status: 400, json: { __type: 'ConnectionFailed' } })
      expect(second.body.toString()).not.toContain('secret')
    } finally {
      server.close()
    }
    const gone = await start({ connections: { odd: { endpoint } } })
    expect(await gone.api('dynamodb/ListTables?connection=odd&region=us-east-1')).toMatchObject({
      status: 502,
      json: { message: `odd does not answer at ${endpoint} (ECONNREFUSED). Is the server running?` },
    })
  })
})

describe('adding a connection', () => {
  test('is for a person at this machine; it must answer, and is forgotten when it is removed', async () => {
    const { here, endpoint } = await two()
    const added = await here.api('connections/add', { name: 'other', endpoint, colour: 'pink' })
    expect(added.json).toMatchObject({ name: 'other', kind: 'server', colour: 'pink', writing: 'allowed' })
    expect((await here.api('connections/add', { name: 'other', endpoint })).status).toBe(400)
    expect((await here.api('connections/remove', { name: 'staging' })).status).toBe(400)
    expect((await here.api('connections/remove', { name: 'other' })).status).toBe(200)
    expect((await here.api('dynamodb/ListTables?connection=other&region=us-east-1')).status).toBe(404)
    expect((await here.api('connections/add', { name: 'dead', endpoint: 'http://127.0.0.1:1' })).status).toBe(502)
    const far = { 'X-Forwarded-For': '192.0.2.7' }
    expect((await here.api('connections/add', { name: 'far', endpoint }, far)).status).toBe(403)
    expect((await here.api('connections/profiles', {}, far)).status).toBe(403)
    expect((await here.api('info', {}, far)).json).toMatchObject({
      whyNoConnections: expect.stringContaining('--connect'),
      connections: [{ name: 'staging', isDeclared: true }],
    })
  })

  test.each([
    ['no address', { endpoint: 'shop' }],
    ['another protocol', { endpoint: 'file:///etc/passwd' }],
    ['credentials in the address', { endpoint: 'http://a:b@127.0.0.1' }],
    ['a path', { endpoint: 'http://127.0.0.1/_workbench/api/' }],
    ['metadata of the machine', { endpoint: 'http://169.254.169.254' }],
    ['the same, written differently', { endpoint: 'http://[::ffff:169.254.169.254]' }],
    ['the same as a number', { endpoint: 'http://2852039166' }],
    ['a colour that is none', { endpoint: 'http://127.0.0.1', colour: 'mauve' }],
    ['a region that is none', { endpoint: 'http://127.0.0.1', region: 'us/east' }],
    ['a number for a text', { endpoint: 7 }],
    ['both a profile and a key', { profile: 'x', accessKeyId: 'y' }],
  ])('is refused with %s', (_, declared) => {
    expect(() => readConnection('x', declared)).toThrow(/connection x/)
  })

  test.each(['', 'a b', '../x', 'x'.repeat(41), '@x'])('is refused with the name "%s"', (name) => {
    expect(() => readConnection(name, { endpoint: 'http://127.0.0.1' })).toThrow(/name of a connection/)
  })

  test('AWS is known by its profile and by its address, and is read-only until somebody says otherwise', () => {
    const aws = { kind: 'aws', writing: 'on-request', colour: 'orange' }
    expect(readConnection('prod', connectionAt('aws:prod@eu-west-1'))).toMatchObject({
      ...aws,
      region: 'eu-west-1',
    })
    expect(readConnection('x', { endpoint: 'https://dynamodb.eu-west-1.amazonaws.com' })).toMatchObject(aws)
    expect(readConnection('x', { endpoint: 'https://amazonaws.com.evil.example' })).toMatchObject({
      kind: 'server',
    })
  })
})

test('a switch for writing ends after an hour, and is of one person and one connection', () => {
  let nowMs = 0
  const grants = new WritingGrants(() => nowMs)
  const grant = grants.begin('prod', 'ann')
  expect(grants.holds(grant, 'prod', 'ann')).toBe(true)
  expect([grants.holds(grant, 'prod', 'bob'), grants.holds(grant, 'staging', 'ann')]).toEqual([false, false])
  nowMs = 3_600_000
  expect(grants.holds(grant, 'prod', 'ann')).toBe(false)
  const another = grants.begin('prod', 'ann')
  grants.endAll('prod')
  expect(grants.holds(another, 'prod', 'ann')).toBe(false)
})

describe('a copy', () => {
  test('brings tables and items from one database to the other, and says how far it is', async () => {
    const { here, other } = await two()
    for (const id of ['a', 'b', 'c']) {
      await other.api(`dynamodb/PutItem?${ownScope}`, { TableName: 'shop', Item: { id: { S: id } } })
    }
    const table = await here.api('copies/begin', { from: staging, to: scope, tables: ['shop'] })
    expect(await ended(here, table.json)).toMatchObject({
      outcome: 'done',
      done: 3,
      from: 'staging',
      to: 'this server',
    })
    const keys = [{ id: { S: 'a' } }, { id: { S: 'gone' } }]
    const items = await here.api('copies/begin', {
      from: scope,
      to: staging,
      items: { tableName: 'shop', toTableName: 'copied', keys },
    })
    expect(await ended(here, items.json)).toMatchObject({ outcome: 'done', done: 2, total: 2 })
    const scan = await other.api(`dynamodb/Scan?${ownScope}`, { TableName: 'copied' })
    expect(scan.json).toMatchObject({ Items: [{ id: { S: 'a' } }] })
    const refused = await here.api('copies/begin', { from: staging, to: scope, tables: ['none'] })
    expect(await ended(here, refused.json)).toMatchObject({ outcome: 'failed' })
    for (const body of [{}, { from: staging, to: scope }, { from: staging, to: scope, tables: [] }]) {
      expect((await here.api('copies/begin', body)).status).toBe(400)
    }
    expect((await here.api('copies/state', { id: 'none' })).status).toBe(404)
  })
})

type Requester = Awaited<ReturnType<typeof start>>

async function ended(here: Requester, begun: unknown): Promise<unknown> {
  const { id } = begun as { id: string }
  const state = async () => (await here.api('copies/state', { id })).json as { outcome: string }
  await expect.poll(async () => (await state()).outcome, { interval: 20 }).not.toBe('running')
  return state()
}
