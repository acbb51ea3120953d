import type { OpenService } from '@hashrange/engine'
import { kinesisService, type ShardReader } from '@hashrange/kinesis'
import { createTableInput, openTestEngine, testScope } from '@hashrange/engine/test-engine'
import { expect, test } from 'vitest'
import { pipesTarget } from './api/operations.ts'
import { pipesService } from './pipes-service.ts'
import { fillTemplate } from './transform/input-template.ts'

const RoleArn = 'arn:aws:iam::123456789012:role/pipes'

function services(problems: unknown[]): OpenService[] {
  let shards: ShardReader | undefined
  const kinesis = (): ShardReader => {
    if (shards === undefined) throw new Error('not open yet')
    return shards
  }
  return [
    kinesisService({ onOpen: (_, reader) => (shards = reader) }),
    pipesService({ kinesis, onError: (error) => problems.push(error) }),
  ]
}

test('a pipe filters the changes of a table, shapes them, and puts them into a stream, and another from there into a table', async () => {
  const problems: unknown[] = []
  const own = await openTestEngine(undefined, { services: services(problems) })
  const { engine, run, close } = own
  const call = async <T>(target: string, operation: string, input: object): Promise<T> =>
    (await engine.execute(testScope, target, operation, input)) as T
  const pipes = <T>(operation: string, input: object): Promise<T> => call<T>(pipesTarget, operation, input)
  await run('CreateTable', {
    ...createTableInput('orders', { hash: 'id:S' }),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  })
  await run('CreateTable', createTableInput('totals', { hash: 'order:S' }))
  await call('Kinesis_20131202', 'CreateStream', { StreamName: 'large', ShardCount: 2 })
  const { Table } = await run<{ Table: { LatestStreamArn: string } }>('DescribeTable', { TableName: 'orders' })
  const stream = 'arn:aws:kinesis:eu-west-1:123456789012:stream/large'
  await run('PutItem', { TableName: 'orders', Item: { id: { S: 'early' }, total: { N: '500' } } })
  await pipes('CreatePipe', {
    Name: 'large-orders',
    Source: Table.LatestStreamArn,
    SourceParameters: {
      DynamoDBStreamParameters: { StartingPosition: 'TRIM_HORIZON', BatchSize: 3 },
      FilterCriteria: { Filters: [{ Pattern: '{"dynamodb":{"NewImage":{"kind":{"S":[{"prefix":"b"}]}}}}' }] },
    },
    Target: stream,
    TargetParameters: {
      InputTemplate: '{"order": <$.dynamodb.Keys.id.S>, "note": "total <$.dynamodb.NewImage.total.N>"}',
      KinesisStreamParameters: { PartitionKey: '$.dynamodb.Keys.id.S' },
    },
    RoleArn,
  })
  await pipes('CreatePipe', {
    Name: 'into-table',
    Source: stream,
    SourceParameters: { KinesisStreamParameters: { StartingPosition: 'TRIM_HORIZON' } },
    Target: 'arn:aws:dynamodb:eu-west-1:123456789012:table/totals',
    TargetParameters: { InputTemplate: '{"order": <$.partitionKey>, "data": <$.data>}' },
    RoleArn,
  })
  for (let count = 0; count < 12; count++) {
    const Item = {
      id: { S: `o${count}` },
      kind: { S: count % 2 === 0 ? 'big' : 'small' },
      total: { N: String(count) },
    }
    await run('PutItem', { TableName: 'orders', Item })
  }
  const found = async (): Promise<readonly string[]> => {
    const { Items = [] } = await run('Scan', { TableName: 'totals' })
    return Items.map(({ order }) => String(order?.['S'])).toSorted()
  }
  await expect.poll(found).toEqual(['o0', 'o10', 'o2', 'o4', 'o6', 'o8'])
  const { Item } = await run('GetItem', { TableName: 'totals', Key: { order: { S: 'o4' } } })
  expect(JSON.parse(Buffer.from(String(Item?.['data']?.['S']), 'base64').toString())).toEqual({
    order: 'o4',
    note: 'total 4',
  })
  expect(problems).toEqual([])

  expect(await pipes('StopPipe', { Name: 'large-orders' })).toMatchObject({ CurrentState: 'STOPPING' })
  expect(await pipes('DescribePipe', { Name: 'large-orders' })).toMatchObject({ CurrentState: 'STOPPED' })
  await run('PutItem', { TableName: 'orders', Item: { id: { S: 'later' }, kind: { S: 'big' }, total: { N: '1' } } })
  await pipes('StartPipe', { Name: 'large-orders' })
  await expect.poll(found).toContain('later')
  expect(await pipes('ListPipes', { NamePrefix: 'large' })).toMatchObject({ Pipes: [{ Name: 'large-orders' }] })
  await expect(
    pipes('CreatePipe', {
      Name: 'bad',
      Source: stream,
      Target: 'arn:aws:sqs:eu-west-1:123456789012:queue',
      RoleArn,
    }),
  ).rejects.toMatchObject({ code: 'ValidationException' })
  await expect(pipes('DescribePipe', { Name: '__proto__' })).rejects.toMatchObject({ code: 'NotFoundException' })
  await pipes('DeletePipe', { Name: 'large-orders' })
  await pipes('DeletePipe', { Name: 'into-table' })
  await close()
})

test('a pipe that begins with the latest gets what is changed after it was created, and nothing before', async () => {
  const problems: unknown[] = []
  const { engine, run, close } = await openTestEngine(undefined, { services: services(problems) })
  const call = async (target: string, operation: string, input: object): Promise<unknown> =>
    engine.execute(testScope, target, operation, input)
  await run('CreateTable', {
    ...createTableInput('orders', { hash: 'id:S' }),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  })
  await run('CreateTable', createTableInput('seen', { hash: 'id:S' }))
  await call('Kinesis_20131202', 'CreateStream', { StreamName: 'clicks', ShardCount: 2 })
  const { Table } = await run<{ Table: { LatestStreamArn: string } }>('DescribeTable', { TableName: 'orders' })
  const StreamName = 'clicks'
  const put = async (id: string): Promise<void> => {
    await run('PutItem', { TableName: 'orders', Item: { id: { S: id } } })
    const Data = Buffer.from(id).toString('base64')
    await call('Kinesis_20131202', 'PutRecord', { StreamName, PartitionKey: `click ${id}`, Data })
  }
  const create = (Name: string, Source: string, kind: string, InputTemplate: string): Promise<unknown> =>
    call(pipesTarget, 'CreatePipe', {
      Name,
      Source,
      SourceParameters: { [kind]: { StartingPosition: 'LATEST' } },
      Target: 'arn:aws:dynamodb:eu-west-1:123456789012:table/seen',
      TargetParameters: { InputTemplate },
      RoleArn,
    })
  for (const id of ['1', '2', '3']) await put(id)
  await create('orders', Table.LatestStreamArn, 'DynamoDBStreamParameters', '{"id": <$.dynamodb.Keys.id.S>}')
  const stream = 'arn:aws:kinesis:eu-west-1:123456789012:stream/clicks'
  await create('clicks', stream, 'KinesisStreamParameters', '{"id": <$.partitionKey>, "by": <$.invokeIdentityArn>}')
  for (const id of ['4', '5']) await put(id)
  const found = async (): Promise<readonly string[]> => {
    const { Items = [] } = await run('Scan', { TableName: 'seen' })
    return Items.map(({ id }) => String(id?.['S'])).toSorted()
  }
  await expect.poll(found).toEqual(['4', '5', 'click 4', 'click 5'])
  const { Item } = await run('GetItem', { TableName: 'seen', Key: { id: { S: 'click 4' } } })
  expect(Item?.['by']).toEqual({ S: RoleArn })
  expect(problems).toEqual([])
  await close()
})

test('templates put values into JSON and into texts', () => {
  const event = { a: { b: ['x', 2] }, t: 'say "hi"' }
  expect(fillTemplate(undefined, event)).toBe(event)
  expect(
    fillTemplate('{"one": <$.a.b[1]>, "text": "<$.t>!", "whole": "<$.t>", "none": <$.__proto__.c>}', event),
  ).toEqual({
    one: 2,
    text: 'say "hi"!',
    whole: 'say "hi"',
    none: '',
  })
  expect(fillTemplate('plain <$.a.b[1]>', event)).toBe('plain 2')
})
