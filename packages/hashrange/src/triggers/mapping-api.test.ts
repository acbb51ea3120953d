import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import type { DynamoDBStreamRecord } from './trigger-options.ts'

let opened: TestDatabase
let db: Database
let streamArn: string
const seen: DynamoDBStreamRecord[] = []

beforeAll(async () => {
  opened = await testDatabase()
  db = opened.database
  const created = await db.execute('CreateTable', {
    TableName: 'Orders',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  streamArn = (created['TableDescription'] as { LatestStreamArn: string }).LatestStreamArn
  // A function of the name `handler` that mappings can call.
  await db.trigger('Orders', ({ Records }) => void seen.push(...Records), {
    name: 'handler',
    filters: [{ eventName: ['NEVER'] }],
  })
})

afterAll(() => opened.close())

interface Answer {
  readonly status: number
  readonly type: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

async function send(method: string, target: string, body?: unknown, headers: object = {}): Promise<Answer> {
  const [path = '', query = ''] = target.split('?')
  const { response } = await db.requestHandler.handle({
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = Buffer.from(response.body).toString('utf8')
  return {
    status: response.statusCode,
    type: response.headers['x-amzn-errortype'],
    body: text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>),
  }
}

/** What a record of Kinesis contains. */
function dataOf(record: object): { readonly n: number } {
  const { kinesis } = record as { readonly kinesis: { readonly data: string } }
  return JSON.parse(Buffer.from(kinesis.data, 'base64').toString('utf8')) as { readonly n: number }
}

const mappings = '/2015-03-31/event-source-mappings'
const other = { FunctionName: 'other', StartingPosition: 'LATEST' }

describe('a mapping', () => {
  test('is created, described, disabled, enabled, changed and deleted, and delivers while it is enabled', async () => {
    const created = await db.execute('CreateTable', {
      TableName: 'Others',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    const { LatestStreamArn: EventSourceArn } = created['TableDescription'] as { LatestStreamArn: string }
    const keys = async (pk: string): Promise<readonly string[]> => {
      await db.execute('PutItem', { TableName: 'Others', Item: { pk: { S: pk } } })
      await db.settled()
      return seen.map(({ dynamodb }) => dynamodb.Keys['pk']?.S ?? '').toSorted()
    }
    await keys('before')
    const answer = await send('POST', mappings, {
      FunctionName: 'handler',
      EventSourceArn,
      StartingPosition: 'LATEST',
      BatchSize: 5,
    })
    expect([answer.status, answer.body['State']]).toEqual([202, 'Creating'])
    const path = `${mappings}/${String(answer.body['UUID'])}`
    expect(await keys('a')).toEqual(['a'])
    expect((await send('GET', path)).body).toMatchObject({
      State: 'Enabled',
      LastProcessingResult: 'OK',
      BatchSize: 5,
    })
    expect((await send('PUT', path, { Enabled: false })).body['State']).toBe('Disabling')
    expect(await keys('b')).toEqual(['a'])
    expect((await send('GET', path)).body['State']).toBe('Disabled')
    expect((await send('PUT', path, { Enabled: true, BatchSize: 7 })).body['State']).toBe('Enabling')
    expect(await keys('c')).toEqual(['a', 'b', 'c'])
    expect((await send('GET', path)).body['BatchSize']).toBe(7)
    expect((await send('DELETE', path)).body['State']).toBe('Deleting')
    expect(await keys('d')).toEqual(['a', 'b', 'c'])
    expect((await send('GET', path)).status).toBe(404)
  })

  test('of a trigger is shown, and is changed where it is declared', async () => {
    await db.trigger('Orders', ({ Records }) => void seen.push(...Records), {
      name: 'other',
      filters: [{ eventName: ['NEVER'] }],
    })
    const listed = await send('GET', `${mappings}?FunctionName=other`)
    expect(listed.body['EventSourceMappings']).toMatchObject([{ State: 'Enabled', EventSourceArn: streamArn }])
    // The trigger is one already.
    const conflict = await send('POST', mappings, { ...other, EventSourceArn: streamArn })
    expect([conflict.status, conflict.type]).toEqual([409, 'ResourceConflictException'])
    const [declared] = listed.body['EventSourceMappings'] as [{ UUID: string }]
    expect((await send('DELETE', `${mappings}/${declared.UUID}`)).status).toBe(409)
  })

  test('of a Kinesis stream gets what is put there, across a split and a merge', async () => {
    const kinesis = async (operation: string, input: object) =>
      (
        await send('POST', '/', input, {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `Kinesis_20131202.${operation}`,
        })
      ).body
    const StreamName = 'clicks'
    const put = (PartitionKey: string, data: string) =>
      kinesis('PutRecord', { StreamName, PartitionKey, Data: Buffer.from(data).toString('base64') })
    await kinesis('CreateStream', { StreamName, ShardCount: 1 })
    const StreamARN = streamArn.replace(/dynamodb(.*):table.*/, 'kinesis$1:stream/clicks')
    const before = await put('a', '{"kind":"wanted","n":0}')
    const mapping = { FunctionName: 'handler', EventSourceArn: StreamARN, StartingPosition: 'LATEST' }
    const Pattern = JSON.stringify({ partitionKey: ['a', 'b'], data: { kind: ['wanted'] } })
    const { status, body } = await send('POST', mappings, {
      ...mapping,
      FilterCriteria: { Filters: [{ Pattern }] },
    })
    expect([status, body['EventSourceArn']]).toEqual([202, StreamARN])
    seen.length = 0
    const numbers = () => seen.map((one) => dataOf(one).n)
    for (const [key, data] of [
      ['a', '{"kind":"wanted","n":1}'],
      ['b', '{"kind":"other"}'],
      ['c', '{"kind":"wanted"}'],
      ['b', 'text'],
    ] as const)
      await put(key, data)
    await kinesis('SplitShard', {
      StreamName,
      ShardToSplit: 'shardId-000000000000',
      NewStartingHashKey: String(2n ** 127n),
    })
    await put('a', '{"kind":"wanted","n":2}')
    await put('b', '{"kind":"wanted","n":3}')
    await kinesis('MergeShards', {
      StreamName,
      ShardToMerge: 'shardId-000000000001',
      AdjacentShardToMerge: 'shardId-000000000002',
    })
    await put('a', '{"kind":"wanted","n":4}')
    await put('b', '{"kind":"wanted","n":5}')
    await db.settled()
    expect(new Set(numbers())).toEqual(new Set([1, 2, 3, 4, 5]))
    expect(numbers()).toHaveLength(5)
    expect(numbers().slice(-2)).toEqual([4, 5])
    expect(seen[0]).toMatchObject({
      eventSource: 'aws:kinesis',
      eventName: 'aws:kinesis:record',
      eventSourceARN: StreamARN,
      eventID: expect.stringMatching(/^shardId-000000000000:49\d{54}$/) as string,
      kinesis: { kinesisSchemaVersion: '1.0', partitionKey: 'a' },
    })
    await send('DELETE', `${mappings}/${String(body['UUID'])}`)
    const since = { ...mapping, StartingPosition: 'AT_TIMESTAMP' }
    expect((await send('POST', mappings, since)).body['Message']).toMatch(/StartingPositionTimestamp/)
    seen.length = 0
    const again = await send('POST', mappings, { ...since, StartingPositionTimestamp: 0 })
    expect(again.body['StartingPositionTimestamp']).toBe(0)
    await db.settled()
    expect(seen.map(({ eventID }) => eventID?.split(':')[1])).toContain(before['SequenceNumber'])
    expect(seen).toHaveLength(9)
    await send('DELETE', `${mappings}/${String(again.body['UUID'])}`)
    expect(
      (await send('POST', mappings, { ...mapping, EventSourceArn: `${StreamARN}-not` })).body['Message'],
    ).toMatch(/^Stream not found/)
  })

  test.each<[string, object, number, RegExp]>([
    ['no source', { ...other }, 400, /^Unrecognized event source/],
    [
      'another source',
      { ...other, EventSourceArn: 'arn:aws:sqs:us-east-1:123456789012:queue' },
      400,
      /^Unrecognized/,
    ],
    ['no position', { FunctionName: 'other', EventSourceArn: 'stream' }, 400, /startingPosition/],
    [
      'no function',
      { FunctionName: 'none', StartingPosition: 'LATEST', EventSourceArn: 'stream' },
      400,
      /^Function does not exist$/,
    ],
    [
      'a function elsewhere',
      { ...other, FunctionName: 'arn:aws:lambda:us-east-1:999999999999:function:f', EventSourceArn: 'stream' },
      404,
      /^Function not found/,
    ],
    ['a batch that is too large', { ...other, EventSourceArn: 'stream', BatchSize: 10_001 }, 400, /batchSize/],
    [
      'a queue as a destination',
      {
        ...other,
        EventSourceArn: 'stream',
        DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:123456789012:queue' } },
      },
      400,
      /Name the ARN of a function/,
    ],
    [
      'windows in parallel',
      { ...other, EventSourceArn: 'stream', TumblingWindowInSeconds: 5, ParallelizationFactor: 2 },
      400,
      /^Tumbling windows/,
    ],
    [
      'an age that is too short',
      { ...other, EventSourceArn: 'stream', MaximumRecordAgeInSeconds: 5 },
      400,
      /MaximumRecordAgeInSeconds/,
    ],
    [
      'a pattern that is none',
      { ...other, EventSourceArn: 'stream', FilterCriteria: { Filters: [{ Pattern: '{"a":1}' }] } },
      400,
      /^Invalid filter pattern definition/,
    ],
    [
      'a time',
      { ...other, EventSourceArn: 'stream', StartingPosition: 'AT_TIMESTAMP' },
      400,
      /^Unsupported starting position/,
    ],
  ])('of %s is refused', async (_name, input, status, message) => {
    const body = JSON.stringify(input).replace('"stream"', JSON.stringify(streamArn))
    const answer = await send('POST', mappings, body)
    expect([answer.status, answer.body['Message']]).toEqual([status, expect.stringMatching(message)])
  })

  test('of a stream that is not there is refused in Lambda’s words', async () => {
    const gone = streamArn.replace(/[^/]+$/, '2025-01-01T00:00:00.000')
    const { status, body } = await send('POST', mappings, { ...other, EventSourceArn: gone })
    expect([status, body['Type'], body['Message']]).toEqual([400, 'User', `Stream not found: ${gone}`])
  })

  test('that is not there is refused in Lambda’s words', async () => {
    const { status, body } = await send('GET', `${mappings}/00000000-0000-0000-0000-000000000000`)
    expect([status, body['Message']]).toEqual([404, 'The resource you requested does not exist.'])
  })
})

test('a database in a process does not run uploaded code', async () => {
  const { status, body } = await send('POST', '/2015-03-31/functions', {
    FunctionName: 'sent',
    Runtime: 'provided.al2023',
    Role: 'arn:aws:iam::123456789012:role/any',
    Handler: 'bootstrap',
    Code: { ZipFile: 'UEsFBg==' },
  })
  expect([status, body['Message']]).toEqual([403, expect.stringContaining('db.trigger()')])
})

test('whatever is sent, no answer is a failure of the server', async () => {
  const segment = fc.constantFrom(
    '2015-03-31',
    '2017-03-31',
    'functions',
    'event-source-mappings',
    'tags',
    'handler',
    'other',
    '%00',
    '%41',
    '%',
    '__proto__',
    '..',
    '',
    'configuration',
    'code',
    'invocations',
    'policy',
    'arn:aws:lambda:us-east-1:123456789012:function:handler',
    'x'.repeat(300),
  )
  const target = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join('/')}`)
  const known = fc.constantFrom(
    '/2015-03-31/functions',
    mappings,
    `${mappings}/1`,
    '/2015-03-31/functions/handler/configuration',
    '/2015-03-31/functions/other/invocations',
    '/2017-03-31/tags/x',
  )
  const name = fc.constantFrom(
    'FunctionName',
    'EventSourceArn',
    'StartingPosition',
    'BatchSize',
    'FilterCriteria',
    'Filters',
    'Pattern',
    'Code',
    'ZipFile',
    'Environment',
    'Variables',
    'Tags',
    'Enabled',
    'DestinationConfig',
    'OnFailure',
    'Destination',
    '__proto__',
    'Role',
    'Runtime',
    'Handler',
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom(
        'LATEST',
        'handler',
        'nodejs20.x',
        '{"a":[1]}',
        'UEsFBg==',
        'arn:aws:dynamodb:us-east-1:123456789012:table/Orders/stream/x',
      ),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(name, tie('any'), { maxKeys: 6 }),
    ),
  })).any
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE')
  await fc.assert(
    fc.asyncProperty(method, fc.oneof(target, known), value, async (verb, path, body) => {
      const { response } = await db.requestHandler.handle({
        method: verb,
        path,
        headers: { 'content-type': 'application/json' },
        body: verb === 'GET' ? undefined : JSON.stringify(body),
      })
      expect(response.statusCode, `${verb} ${path} ${JSON.stringify(body)}`).toBeLessThan(500)
    }),
    { numRuns: 400 },
  )
})
