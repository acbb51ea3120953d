import { crc32 } from '@hashrange/engine'
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { validationException } from '@hashrange/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Executor } from './executor.ts'
import { serve } from './serve.ts'
import type { Server } from './serve.ts'
import { RawClient } from './testing/raw-client.ts'
import type { RawResponse } from './testing/raw-client.ts'

const authorization =
  'AWS4-HMAC-SHA256 Credential=111122223333/20261115/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=abc'

/** An engine with three operations: one that answers what it was asked, and two that fail. */
const executor: Executor = {
  knows: (_, operation) => ['Echo', 'Refuse', 'Break'].includes(operation),
  execute: async (scope, target, operation, body) => {
    await Promise.resolve()
    if (operation === 'Refuse') throw validationException('words')
    if (operation === 'Break') throw new Error('inside story')
    return { scope, target, body }
  },
}

let server: Server
const logged: unknown[] = []

beforeAll(async () => {
  server = await serve(executor, {
    host: '127.0.0.1',
    port: 0,
    allowedHosts: ['.amazonaws.com'],
    maxBodyBytes: 100_000,
    logger: { error: (_, error) => logged.push(error) },
  })
})

afterAll(() => server.close())

describe('an operation', () => {
  test('gets its body and scope, and its answer has the headers of the service', async () => {
    const response = await call({ body: '{"a":"é"}' })
    expect(response.status).toBe(200)
    expect(JSON.parse(response.body)).toEqual({
      scope: { accountId: '111122223333', region: 'eu-west-1' },
      target: 'DynamoDB_20120810',
      body: { a: 'é' },
    })
    expect(response.headers.get('content-type')).toBe('application/x-amz-json-1.0')
    expect(response.headers.get('x-amz-crc32')).toBe(String(crc32(Buffer.from(response.body))))
    expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9A-Z]{52}$/)
    expect(Date.parse(response.headers.get('date') ?? '')).toBeGreaterThan(0)
  })

  test('of the streams service is found under its own target', async () => {
    const response = await call({ target: 'DynamoDBStreams_20120810.Echo' })
    expect(JSON.parse(response.body)).toMatchObject({ target: 'DynamoDBStreams_20120810' })
  })

  test("answers in the request's content type", async () => {
    const response = await call({ contentType: 'application/json; charset=utf-8' })
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  test('answers compressed where asked and worth it, with the checksum of what is sent', async () => {
    const answer = await send(JSON.stringify({ long: 'x'.repeat(50_000) }))
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(await answer.json()).toMatchObject({ body: { long: 'x'.repeat(50_000) } })
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(1000)
  })

  test('has a checksum of the compressed bytes', async () => {
    const client = await RawClient.open(server.port)
    client.send(
      requestText({
        body: JSON.stringify({ long: 'x'.repeat(5000) }),
        fields: 'Accept-Encoding: gzip\r\nConnection: close\r\n',
      }),
    )
    const [head = '', ...rest] = (await client.rest()).split('\r\n\r\n')
    const bytes = Buffer.from(rest.join('\r\n\r\n'), 'latin1')
    expect(head).toContain(`x-amz-crc32: ${crc32(bytes)}\r\n`)
    expect(gunzipSync(bytes).toString()).toContain('xxxxx')
  })

  test('heeds the first Accept-Encoding only', async () => {
    const body = JSON.stringify({ long: 'x'.repeat(5000) })
    const fields = ['identity', 'gzip'].map((coding) => `Accept-Encoding: ${coding}\r\n`)
    const plain = await exchange(requestText({ body, fields: fields.join('') }))
    expect(plain.headers.has('content-encoding')).toBe(false)
    const compressed = await exchange(requestText({ body, fields: fields.toReversed().join('') }))
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('gets a body that came in %s', async (coding, encode) => {
    const answer = await send(encode('{"a":1}'), coding)
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ body: { a: 1 } })])
  })

  test('whose body cannot be decoded is refused, and nothing is logged', async () => {
    const answer = await send(Buffer.from('{"a":1}'), 'gzip')
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('#SerializationException')])
    expect(String(logged.at(-1))).not.toContain('decoded')
  })

  test('whose body would grow beyond the limit is refused by name', async () => {
    const answer = await send(gzipSync(' '.repeat(100_001)), 'gzip')
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain('#RequestEntityTooLargeException')
  })

  test('that is refused answers its error', async () => {
    const response = await call({ target: 'DynamoDB_20120810.Refuse' })
    expect([response.status, response.body]).toEqual([
      400,
      '{"__type":"com.amazon.coral.validate#ValidationException","message":"words"}',
    ])
  })

  test('that breaks answers 500, tells nothing, and is logged', async () => {
    const response = await call({ target: 'DynamoDB_20120810.Break' })
    expect(response.status).toBe(500)
    expect(response.body).not.toContain('inside')
    expect(String(logged.at(-1))).toContain('inside story')
  })
})

describe('the checks come in the order of the service', () => {
  test('JSON before the operation', async () => {
    const response = await call({ body: '{', target: 'DynamoDB_20120810.Nothing', authorization: '' })
    expect([response.status, response.body]).toEqual([400, coral('SerializationException')])
  })

  test.each([
    'DynamoDB_20120810.Nothing',
    'DynamoDB_20111205.Echo',
    'Echo',
    'DynamoDB_20120810.Echo.Echo',
    '__proto__.constructor',
    '',
  ])('the operation before the credentials: %j', async (target) => {
    const response = await call({ target, authorization: '' })
    expect(response.status).toBe(400)
    expect(JSON.parse(response.body)).toEqual({
      __type: 'com.amazon.coral.service#UnknownOperationException',
      message:
        target === ''
          ? 'The request does not name an operation. Put it in the X-Amz-Target header, such as DynamoDB_20120810.GetItem.'
          : `hashrange has no operation "${target}". Its operations are listed in docs/compatibility.md.`,
    })
  })

  test('the credentials before an empty body', async () => {
    const anonymous = await call({ body: '', authorization: '' })
    expect(anonymous.body).toContain('MissingAuthenticationTokenException')
    expect((await call({ body: '' })).body).toBe(coral('SerializationException'))
  })
})

describe('what is no operation', () => {
  test.each(['/', '/health', '/healthz', '/?x=y'])(
    'GET %s says that the server is well, by the name it was called',
    async (path) => {
      const response = await exchange(`GET ${path} HTTP/1.1\r\nHost: dynamodb.us-east-1.amazonaws.com\r\n\r\n`)
      expect([response.status, response.body]).toEqual([200, 'healthy: dynamodb.us-east-1.amazonaws.com '])
      expect(response.headers.get('x-amz-crc32')).toBe('3128867991')
    },
  )

  test.each([
    'GET /other HTTP/1.1\r\nHost: x\r\n\r\n',
    'PUT / HTTP/1.1\r\nHost: x\r\n\r\n',
    'OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /other HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}',
  ])('%j is not found', async (text) => {
    const response = await exchange(text)
    expect([response.status, response.body]).toEqual([404, '<UnknownOperationException/>\n'])
  })

  test.each(['', 'application/json'])(
    'a request to another service learns that it is not served: %j',
    async (type) => {
      const credential = 'Credential=key/20261115/us-east-1/s3/aws4_request'
      const response = await exchange(
        `GET /?x HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nAuthorization: AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0\r\n\r\n`,
      )
      expect(response.status).toBe(404)
      expect(response.headers.get('x-amzn-errortype')).toBe('UnknownOperationException')
      expect(response.body).toContain('It does not serve s3: give the client of that service another endpoint.')
    },
  )

  test('a preflight allows what it asks', async () => {
    const response = await exchange(
      'OPTIONS / HTTP/1.1\r\nHost: x\r\nOrigin: http://localhost:3000\r\nAccess-Control-Request-Method: POST\r\n' +
        'Access-Control-Request-Headers: authorization,x-amz-target\r\n\r\n',
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    expect(response.headers.get('access-control-allow-methods')).toBe('POST')
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,x-amz-target')
    expect(response.headers.get('access-control-max-age')).toBe('172800')
  })

  test('an answer to a page is for the page', async () => {
    const response = await exchange(requestText({ fields: 'Origin: http://localhost:3000\r\n' }))
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    expect(response.headers.get('access-control-expose-headers')).toContain('x-amzn-RequestId')
  })

  test('a body beyond the limit is refused by name', async () => {
    const response = await exchange('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100001\r\n\r\n')
    expect(response.status).toBe(413)
    expect(response.body).toContain('#RequestEntityTooLargeException')
  })
})

test('a fixed scope holds for every key', async () => {
  const scope = { accountId: '000000000000', region: 'us-east-1' }
  const fixed = await serve(executor, { host: '127.0.0.1', port: 0, scope })
  const response = await exchange(requestText({}), fixed.port)
  expect(JSON.parse(response.body)).toMatchObject({ scope })
  await fixed.close()
})

interface Call {
  readonly body?: string
  readonly target?: string
  readonly contentType?: string
  readonly authorization?: string
  readonly fields?: string
}

function requestText(call: Call): string {
  const { body = '{}', target = 'DynamoDB_20120810.Echo', contentType = 'application/x-amz-json-1.0' } = call
  const fields = [
    `Content-Type: ${contentType}`,
    `X-Amz-Target: ${target}`,
    'X-Amz-Date: 20261115T000000Z',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(call.authorization === '' ? [] : [`Authorization: ${call.authorization ?? authorization}`]),
  ]
  return `POST / HTTP/1.1\r\nHost: x\r\n${fields.join('\r\n')}\r\n${call.fields ?? ''}\r\n${body}`
}

function send(body: string | Uint8Array<ArrayBuffer>, coding = 'identity'): Promise<Response> {
  const headers = {
    authorization,
    'x-amz-date': 'x',
    'x-amz-target': 'DynamoDB_20120810.Echo',
    'content-type': 'application/json',
    'content-encoding': coding,
  }
  return fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', headers, body })
}

function call(parts: Call): Promise<RawResponse> {
  return exchange(requestText(parts))
}

async function exchange(text: string, port = server.port): Promise<RawResponse> {
  const client = await RawClient.open(port)
  client.send(text)
  const response = await client.response()
  client.close()
  return response
}

function coral(name: string): string {
  return `{"__type":"com.amazon.coral.service#${name}"}`
}
