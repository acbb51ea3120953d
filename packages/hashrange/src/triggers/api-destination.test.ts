import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type OpenedEngine } from '../open-engine.ts'

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const scope = { accountId: '123456789012', region: 'us-east-1' }
const RoleArn = 'arn:aws:iam::123456789012:role/pipes'
const received: Received[] = []
/** What is answered next, and then 200. */
const statuses: number[] = []
let tokens = 0
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, url, headers } = request
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') })
    response.writeHead(statuses.shift() ?? 200)
    response.end(url === '/token' ? JSON.stringify({ access_token: `token-${++tokens}`, expires_in: 3600 }) : '')
  })
})
const behindMs = 3_600_000
let opened: OpenedEngine
let endpoint: string
let streamArn: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  opened = await openEngine(
    { kind: 'memory' },
    // The store's time is not that of this machine.
    {
      webhookSecret: 'secret',
      logger: { error: () => undefined },
      clock: { now: () => Date.now() - behindMs },
    },
  )
  const created = await dynamodb<{ TableDescription: { LatestStreamArn: string } }>('CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  })
  streamArn = created.TableDescription.LatestStreamArn
})

afterAll(async () => {
  await opened.engine.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function call<T>(target: string, operation: string, input: object): Promise<T> {
  return (await opened.engine.execute(scope, target, operation, input)) as T
}

const dynamodb = <T>(operation: string, input: object): Promise<T> => call<T>('DynamoDB_20120810', operation, input)
const events = (operation: string, input: object): Promise<Readonly<Record<string, unknown>>> =>
  call('AWSEvents', operation, input)
const put = (id: string): Promise<unknown> =>
  dynamodb('PutItem', { TableName: 'orders', Item: { id: { S: id }, total: { N: '5' } } })

test('a pipe calls an API destination, with the credentials of its connection, until it succeeds', async () => {
  const { ConnectionArn } = await events('CreateConnection', {
    Name: 'shop',
    AuthorizationType: 'API_KEY',
    AuthParameters: {
      ApiKeyAuthParameters: { ApiKeyName: 'X-Api-Key', ApiKeyValue: 'hidden' },
      InvocationHttpParameters: {
        HeaderParameters: [{ Key: 'X-Shop', Value: 'also hidden', IsValueSecret: true }],
        QueryStringParameters: [{ Key: 'v', Value: '2' }],
        BodyParameters: [{ Key: 'from', Value: 'pipe' }],
      },
    },
  })
  const described = await events('DescribeConnection', { Name: 'shop' })
  expect(described).toMatchObject({
    ConnectionState: 'AUTHORIZED',
    AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'X-Api-Key' } },
  })
  expect(JSON.stringify(described)).not.toContain('hidden')
  const { ApiDestinationArn } = await events('CreateApiDestination', {
    Name: 'orders',
    ConnectionArn,
    InvocationEndpoint: `${endpoint}/orders/*/changes`,
    HttpMethod: 'PUT',
  })
  statuses.push(500, 429)
  await call('Pipes', 'CreatePipe', {
    Name: 'to-http',
    Source: streamArn,
    SourceParameters: { DynamoDBStreamParameters: { StartingPosition: 'TRIM_HORIZON' } },
    Target: ApiDestinationArn,
    TargetParameters: {
      InputTemplate: '{"order": <$.dynamodb.Keys.id.S>}',
      HttpParameters: {
        PathParameterValues: ['$.dynamodb.Keys.id.S'],
        HeaderParameters: { 'x-kind': '$.eventName', 'X-Api-Key': 'forged', Host: 'elsewhere' },
        QueryStringParameters: { total: '$.dynamodb.NewImage.total.N' },
      },
    },
    RoleArn,
  })
  await put('a/../b')
  await expect.poll(() => received.length).toBe(3)
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(received[2]).toMatchObject({
    method: 'PUT',
    url: '/orders/a%2F..%2Fb/changes?total=5&v=2',
    headers: {
      'x-api-key': 'hidden',
      'x-shop': 'also hidden',
      'x-kind': 'INSERT',
      host: endpoint.slice('http://'.length),
      'x-hashrange-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/) as string,
    },
    body: '{"order":"a/../b","from":"pipe"}',
  })
  const signedAt = Number(/^t=(\d+)/.exec(String(received[2]?.headers['x-hashrange-signature']))?.[1]) * 1000
  expect(signedAt).toBeLessThanOrEqual(Date.now() - behindMs)
  await call('Pipes', 'DeletePipe', { Name: 'to-http' })

  // One that gives up goes on with the next.
  statuses.push(500, 500)
  const SourceParameters = {
    DynamoDBStreamParameters: { StartingPosition: 'TRIM_HORIZON', MaximumRetryAttempts: 1 },
  }
  const Name = 'gives-up'
  await call('Pipes', 'CreatePipe', {
    Name,
    Source: streamArn,
    SourceParameters,
    Target: ApiDestinationArn,
    RoleArn,
  })
  await expect.poll(() => received.length).toBe(5)
  await put('c')
  await expect.poll(() => received.length).toBe(6)
  expect(received[5]?.body).toContain('"c"')
  await call('Pipes', 'DeletePipe', { Name })
})

test('a connection with OAuth gets a token, and another one when that is rejected', async () => {
  received.length = 0
  const { ConnectionArn } = await events('CreateConnection', {
    Name: 'oauth',
    AuthorizationType: 'OAUTH_CLIENT_CREDENTIALS',
    AuthParameters: {
      OAuthParameters: {
        AuthorizationEndpoint: `${endpoint}/token`,
        HttpMethod: 'POST',
        ClientParameters: { ClientID: 'id', ClientSecret: 'hidden' },
        OAuthHttpParameters: { BodyParameters: [{ Key: 'scope', Value: 'orders', IsValueSecret: false }] },
      },
    },
  })
  const described = JSON.stringify(await events('DescribeConnection', { Name: 'oauth' }))
  expect(described).toContain('"ClientID":"id"')
  expect(described).not.toContain('hidden')
  const { ApiDestinationArn } = await events('CreateApiDestination', {
    Name: 'with-token',
    ConnectionArn,
    InvocationEndpoint: `${endpoint}/orders`,
    HttpMethod: 'POST',
    InvocationRateLimitPerSecond: 2,
  })
  // The token, then a call that is rejected.
  statuses.push(200, 401)
  await call('Pipes', 'CreatePipe', {
    Name: 'oauth',
    Source: streamArn,
    SourceParameters: { DynamoDBStreamParameters: { StartingPosition: 'LATEST' } },
    Target: ApiDestinationArn,
    TargetParameters: { InputTemplate: '<$.dynamodb.Keys.id.S>' },
    RoleArn,
  })
  await put('d')
  await expect.poll(() => received.map(({ url }) => url)).toEqual(['/token', '/orders', '/token', '/orders'])
  expect(received[0]).toMatchObject({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=id&client_secret=hidden&scope=orders',
  })
  expect(received.filter(({ url }) => url === '/orders').map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-2',
  ])
  await call('Pipes', 'DeletePipe', { Name: 'oauth' })
  await events('DeleteApiDestination', { Name: 'with-token' })
  await events('DeleteConnection', { Name: 'oauth' })
})

test('connections and API destinations are listed, changed and deleted, and are refused with a reason', async () => {
  const basic = {
    Name: 'basic',
    AuthorizationType: 'BASIC',
    AuthParameters: { BasicAuthParameters: { Username: 'u', Password: 'p' } },
  }
  const { ConnectionArn } = await events('CreateConnection', basic)
  await expect(events('CreateConnection', basic)).rejects.toMatchObject({ code: 'ResourceAlreadyExistsException' })
  await expect(events('CreateConnection', { ...basic, Name: 'x', AuthParameters: {} })).rejects.toThrow(/BASIC/)
  await expect(
    events('CreateConnection', { ...basic, Name: 'x', AuthorizationType: 'OAUTH_CLIENT_CREDENTIALS' }),
  ).rejects.toThrow(/OAUTH_CLIENT_CREDENTIALS/)
  const oauth = {
    AuthorizationEndpoint: 'https://example.com/token',
    HttpMethod: 'POST',
    ClientParameters: { ClientID: 'id', ClientSecret: 'hidden' },
  }
  const AuthorizationType = 'OAUTH_CLIENT_CREDENTIALS'
  await expect(
    events('CreateConnection', { Name: 'x', AuthorizationType, AuthParameters: { OAuthParameters: oauth } }),
  ).rejects.toThrow(/AuthorizationEndpoint is not valid/)
  await expect(
    events('CreateConnection', {
      Name: 'x',
      AuthorizationType,
      AuthParameters: { OAuthParameters: { ...oauth, AuthorizationEndpoint: undefined } },
    }),
  ).rejects.toThrow(/needs AuthorizationEndpoint/)
  const destination = { Name: 'one', ConnectionArn, InvocationEndpoint: endpoint, HttpMethod: 'POST' }
  await events('CreateApiDestination', destination)
  for (const InvocationEndpoint of ['https://example.com/', 'ftp://127.0.0.1/', 'nowhere', 'http://*/'])
    await expect(
      events('CreateApiDestination', { ...destination, Name: 'two', InvocationEndpoint }),
    ).rejects.toThrow(/InvocationEndpoint is not valid/)
  await events('UpdateApiDestination', { Name: 'one', HttpMethod: 'PATCH' })
  expect(await events('DescribeApiDestination', { Name: 'one' })).toMatchObject({ HttpMethod: 'PATCH' })
  expect(await events('ListApiDestinations', { NamePrefix: 'o', Limit: 1 })).toMatchObject({
    ApiDestinations: [{ Name: 'one' }],
    NextToken: expect.any(String) as string,
  })
  await events('UpdateConnection', { Name: 'basic', Description: 'changed' })
  expect(await events('ListConnections', {})).toMatchObject({ Connections: [{ Name: 'basic' }, { Name: 'shop' }] })
  await events('DeleteApiDestination', { Name: 'one' })
  await events('DeleteConnection', { Name: 'basic' })
  await expect(events('DescribeConnection', { Name: 'basic' })).rejects.toMatchObject({
    code: 'ResourceNotFoundException',
  })
  await expect(events('DescribeConnection', { Name: '__proto__' })).rejects.toMatchObject({
    code: 'ResourceNotFoundException',
  })
})
