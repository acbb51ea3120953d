import { Engine, openLmdbStore } from '@hashrange/engine'
import { lambdaService, lambdaTarget, type Lambda } from '@hashrange/lambda'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiCall, JsonObject, WorkbenchContext } from '../api-handler.ts'
import { unlimitedVisitor } from '../visitors/visitor.ts'
import { createTable } from '../testing/use-served-workbench.ts'
import { events } from './events.ts'

const scope = { accountId: '123456789012', region: 'us-east-1' }
const query = new URLSearchParams({ account: scope.accountId, region: scope.region })
let engine: Engine
let lambda: Lambda | undefined

beforeAll(async () => {
  const service = lambdaService({
    kinesis: () => {
      throw new Error('there is no Kinesis here')
    },
    onOpen: (opened) => (lambda = opened),
  })
  engine = await Engine.open({ store: await openLmdbStore({ memory: true }), services: [service] })
  await engine.execute(scope, dynamoDb, 'CreateTable', {
    ...createTable,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  })
})

afterAll(() => engine.close())

const dynamoDb = 'DynamoDB_20120810'

function ask(path: readonly string[], body: JsonObject, readOnly = false): Promise<unknown> {
  if (lambda === undefined) throw new Error('there is no service')
  const consumers = { lambda, webhookReports: () => Promise.resolve([]) }
  return events(
    { engine, readOnly, consumers } as unknown as WorkbenchContext,
    { path, query, body, visitor: unlimitedVisitor(engine) } as unknown as ApiCall,
  )
}

test('a record is sent to the function again as a trigger would, whatever its progress', async () => {
  const seen: unknown[] = []
  lambda?.declareFunction({
    name: 'seer',
    code: { kind: 'handler', handler: (event: unknown) => ({ count: seen.push(event) }) },
  })
  const { tables } = (await ask([], { table: 'shop' })) as {
    readonly tables: readonly [{ stream: { arn: string } }]
  }
  const streamArn = tables[0].stream.arn
  await engine.execute(scope, dynamoDb, 'PutItem', { TableName: 'shop', Item: { id: { S: '%41' } } })
  const [shard] = lambda?.host.streams.shards(scope, streamArn) ?? []
  const shards = lambda?.host.streams.shards(scope, streamArn) ?? []
  const pages = await Promise.all(
    shards.map(async ({ id }) => ({ id, page: await lambda?.host.streams.read(scope, streamArn, id, 0n, 10) })),
  )
  const found = pages.find(({ page }) => (page?.records.length ?? 0) > 0)
  const record = found?.page?.records[0]?.record
  const replayed = {
    functionName: 'seer',
    streamArn,
    shardId: found?.id ?? '',
    sequenceNumber: record?.dynamodb.SequenceNumber ?? '',
  }
  expect(await ask(['replay'], replayed)).toMatchObject({ isFailed: false, payload: '{"count":1}' })
  expect(seen).toMatchObject([{ Records: [{ eventName: 'INSERT', dynamodb: { Keys: { id: { S: '%41' } } } }] }])

  await expect(ask(['replay'], replayed, true)).rejects.toThrow(/read-only/)
  for (const [change, refusal] of [
    [{ sequenceNumber: '1'.padEnd(21, '0') }, /no record with this sequence number/],
    [{ sequenceNumber: '9'.repeat(40) }, /no record with this sequence number/],
    [{ sequenceNumber: '%41' }, /Invalid SequenceNumber/],
    [{ sequenceNumber: 7 }, /needs sequenceNumber/],
    [{ functionName: '__proto__' }, /Function not found/],
    [{ streamArn: 'arn:x' }, /./],
    [{ shardId: `${shard?.id ?? ''}x` }, /./],
  ] as const)
    await expect(ask(['replay'], { ...replayed, ...change })).rejects.toThrow(refusal)
  expect(seen).toHaveLength(1)
})

test('what waits for a trigger is counted from where it is, and its failures are kept', async () => {
  lambda?.declareFunction({
    name: 'never',
    code: { kind: 'handler', handler: () => Promise.reject(new Error('no')) },
  })
  const { tables: before } = (await ask([], {})) as { readonly tables: readonly [{ stream: { arn: string } }] }
  const made = (await engine.execute(scope, lambdaTarget, 'CreateEventSourceMapping', {
    FunctionName: 'never',
    EventSourceArn: before[0].stream.arn,
    StartingPosition: 'TRIM_HORIZON',
  })) as { readonly UUID: string }
  await lambda?.settled().catch(() => undefined)
  const { tables } = (await ask([], { table: 'shop' })) as { readonly tables: readonly unknown[] }
  expect(tables).toMatchObject([
    {
      consumers: [
        {
          id: made.UUID,
          isEnabled: true,
          waiting: { records: 1, isMore: false },
          figures: { failures: 1, retries: 0, records: 0, lastFailure: { message: 'no' }, batches: [{ done: 0 }] },
        },
      ],
    },
  ])
  expect(await ask(['log'], { functionName: 'never', after: 0 })).toMatchObject({
    lines: [{ number: 1, kind: 'failed', text: 'Error: no' }],
  })
})
