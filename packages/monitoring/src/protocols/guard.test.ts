import { Engine, openLmdbStore } from '@hashrange/engine'
import { metricsRoute, readyRoute, serve, type Server, type ServeOptions } from '@hashrange/server'
import { RawClient, type RawResponse } from '@hashrange/server/raw-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { monitoringService } from '../monitoring-service.ts'
import { encodeCbor } from '@hashrange/server'
import { monitoringWire } from './wire-services.ts'

let engine: Engine
const servers: Server[] = []
const logged: string[] = []

beforeAll(async () => {
  engine = await Engine.open({ store: await openLmdbStore({ memory: true }), services: [monitoringService()] })
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  logged.length = 0
})
afterAll(() => engine.close())

type Fields = Readonly<Record<string, string>>

const signed = (service: string): Fields => ({
  Authorization: `AWS4-HMAC-SHA256 Credential=key/20261115/eu-west-1/${service}/aws4_request, SignedHeaders=host, Signature=abc`,
  'X-Amz-Date': '20261115T000000Z',
})

const listTables = post('/', '{}', {
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': 'DynamoDB_20120810.ListTables',
  ...signed('dynamodb'),
})
const putAlarmForm = post('/', 'Action=PutMetricAlarm&Version=2010-08-01&AlarmName=a', {
  'Content-Type': 'application/x-www-form-urlencoded',
  ...signed('monitoring'),
})
const describeAlarms = post('/service/GraniteServiceVersion20100801/operation/DescribeAlarms', encodeCbor({}), {
  'Content-Type': 'application/cbor',
  'Smithy-Protocol': 'rpc-v2-cbor',
  ...signed('monitoring'),
})
const describeTargets = post('/', '{"ServiceNamespace":"dynamodb"}', {
  'Content-Type': 'application/x-amz-json-1.1',
  'X-Amz-Target': 'AnyScaleFrontendService.DescribeScalableTargets',
  ...signed('application-autoscaling'),
})

const requests = {
  'GET /': get('/'),
  'GET /health': get('/health'),
  'GET /metrics': get('/metrics'),
  'GET /ready': get('/ready'),
  'GET /nothing': get('/nothing'),
  'OPTIONS /': { ...get('/'), method: 'OPTIONS' },
  'HEAD /metrics': { ...get('/metrics'), method: 'HEAD' },
  'AWS JSON 1.0': listTables,
  'AWS JSON 1.1': describeTargets,
  'a form of the Query protocol': putAlarmForm,
  CBOR: describeAlarms,
  'an absolute target': { ...listTables, target: 'http://localhost/' },
}

describe.each(Object.entries(requests))('%s', (_, request) => {
  test('is refused under a name that is not ours', async () => {
    const { status, headers, body } = await ask(await start(), request, { Host: 'evil.example:8000' })
    expect(status).toBe(403)
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(body).not.toContain('hashrange_')
    expect(logged).toEqual([expect.stringContaining('Allow the host evil.example.')])
  })

  test.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'file://', 'http://[::2]:80', ''])(
    'is refused to a page of %j',
    async (origin) => {
      const { status, headers } = await ask(await start(), request, { Origin: origin })
      expect(status).toBe(403)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    },
  )

  test('is refused to the page of a name that only programs may use', async () => {
    const server = await start()
    expect((await ask(server, request, { Host: 'hashrange:8000', Origin: 'http://hashrange:8000' })).status).toBe(
      403,
    )
    expect((await ask(server, request, { Host: 'hashrange:8000' })).status).not.toBe(403)
  })

  test('is looked at where operators allow it', async () => {
    const server = await start({ allowedHosts: ['.example.com'], cors: ['https://App.example.org/'] })
    for (const fields of [
      { Host: 'db.example.com' },
      { Origin: 'https://app.example.org' },
      { Host: 'db.example.com', Origin: 'https://db.example.com' },
    ]) {
      expect((await ask(server, request, fields)).status).not.toBe(403)
    }
    expect((await ask(server, request, { Origin: 'https://other.example.org' })).status).toBe(403)
    const open = await start({ cors: ['*'], allowedHosts: ['*'] })
    expect((await ask(open, request, { Host: 'evil.example', Origin: 'null' })).status).not.toBe(403)
  })
})

describe('a refusal', () => {
  const foreign = { Origin: 'https://evil.example' }

  test('is told in the protocol of the client', async () => {
    const server = await start()
    const json = JSON.parse((await ask(server, listTables, { Host: 'db.example.com:8000' })).body) as unknown
    expect(json).toEqual({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: 'This server does not answer under the name db.example.com. Allow the host db.example.com.',
    })
    expect((await ask(server, putAlarmForm, foreign)).body).toContain('<Code>AccessDenied')
    const cbor = await ask(server, describeAlarms, foreign)
    expect(cbor.headers.get('content-type')).toBe('application/cbor')
    expect(cbor.body).toContain('AccessDeniedException')
    expect(await ask(server, get('/metrics'), foreign)).toMatchObject({
      body: 'Web pages from https://evil.example are not allowed to use this server. Allow the origin https://evil.example.\n',
    })
  })

  test('changes nothing', async () => {
    const server = await start()
    const form =
      'Action=PutMetricAlarm&Version=2010-08-01&AlarmName=evil&MetricName=m&Namespace=AWS/DynamoDB&Period=60&EvaluationPeriods=1&Threshold=1&ComparisonOperator=GreaterThanThreshold&Statistic=Sum'
    const put = { ...putAlarmForm, body: Buffer.from(form) }
    expect((await ask(server, put, foreign)).status).toBe(403)
    expect((await ask(server, put, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await ask(server, describeAlarms, {})).body).not.toContain('evil')
    expect((await ask(server, put, {})).status).toBe(200)
    expect((await ask(server, describeAlarms, {})).body).toContain('evil')
  })

  test('is logged, but not without end', async () => {
    const server = await start()
    for (let i = 0; i < 30; i++) await ask(server, get('/'), { Host: `evil${i}.example` })
    expect(logged).toHaveLength(20)
    expect(logged.at(-1)).toContain('suppressed')
  })
})

describe('a page of this machine', () => {
  test.each([
    'http://localhost:3000',
    'https://localhost',
    'http://127.0.0.1:5173',
    'http://[::1]:1',
    'http://a.localhost:9',
  ])('may use the service: %s', async (origin) => {
    const server = await start()
    const preflight = await ask(
      server,
      { ...get('/'), method: 'OPTIONS' },
      {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,x-amz-target',
      },
    )
    expect(preflight.status).toBe(200)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    expect(preflight.headers.get('vary')).toBe('Origin')
    const answer = await ask(server, listTables, { Origin: origin })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  })

  test('cannot read what is told to programs alone', async () => {
    const { headers } = await ask(await start(), get('/metrics'), { Origin: 'http://localhost:3000' })
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })
})

test('a client without a Host, which HTTP/1.0 allows, is no browser', async () => {
  const client = await RawClient.open((await start()).port)
  client.send('GET /health HTTP/1.0\r\n\r\n')
  expect((await client.response()).status).toBe(200)
  client.close()
})

interface SentRequest {
  readonly method: string
  readonly target: string
  readonly fields: Fields
  readonly body: Buffer
}

function get(target: string): SentRequest {
  return { method: 'GET', target, fields: {}, body: Buffer.alloc(0) }
}

function post(target: string, body: string | Buffer, fields: Fields): SentRequest {
  return { method: 'POST', target, fields, body: Buffer.from(body) }
}

async function start(options: Partial<ServeOptions> = {}): Promise<Server> {
  const server = await serve(engine, {
    host: '127.0.0.1',
    port: 0,
    services: monitoringWire,
    accessAdvice: {
      ofHost: (name) => `Allow the host ${name}.`,
      ofOrigin: (origin) => `Allow the origin ${origin}.`,
    },
    logger: { error: (message) => logged.push(message) },
    routes: [readyRoute(() => engine.readiness()), metricsRoute(engine)],
    ...options,
  })
  servers.push(server)
  return server
}

async function ask({ port }: Server, request: SentRequest, fields: Fields): Promise<RawResponse> {
  const { method, target, body } = request
  const head = Object.entries({
    Host: `127.0.0.1:${port}`,
    ...request.fields,
    ...fields,
    'Content-Length': body.length,
  })
  const client = await RawClient.open(port)
  client.send(
    `${method} ${target} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  client.send(body)
  const response = await client.response({ bodiless: method === 'HEAD' })
  client.close()
  return response
}
