import { expect, test } from 'vitest'
import { openKinesisEngine, type KinesisEngine } from '../testing/kinesis-engine.ts'

const TableName = 'orders'
const StreamName = 'changes'
const StreamArn = `arn:aws:kinesis:eu-west-1:123456789012:stream/${StreamName}`

interface Destinations {
  readonly KinesisDataStreamDestinations: readonly {
    readonly DestinationStatus: string
    readonly DestinationStatusDescription?: string
    readonly ApproximateCreationDateTimePrecision?: string
  }[]
}

interface ChangeEvent {
  readonly eventID: string
  readonly eventName: string
  readonly dynamodb: {
    readonly ApproximateCreationDateTime: number
    readonly Keys: { readonly id: { readonly S: string } }
    readonly NewImage?: { readonly count?: { readonly N: string } }
    readonly OldImage?: unknown
  }
}

async function openWithTable(): Promise<KinesisEngine> {
  const engine = await openKinesisEngine()
  await engine.run('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return engine
}

async function statusIs({ run }: KinesisEngine, status: string): Promise<Destinations> {
  let found: Destinations | undefined
  await expect
    .poll(async () => {
      found = await run<Destinations>('DescribeKinesisStreamingDestination', { TableName })
      return found.KinesisDataStreamDestinations[0]?.DestinationStatus
    })
    .toBe(status)
  return found ?? { KinesisDataStreamDestinations: [] }
}

/** Everything in a stream: of parents before their children. */
async function eventsOf({ kinesis, readShard }: KinesisEngine): Promise<readonly ChangeEvent[]> {
  const { Shards } = await kinesis('ListShards', { StreamName })
  const events: ChangeEvent[] = []
  for (const { ShardId } of Shards) {
    for (const { Data } of await readShard(StreamName, ShardId)) {
      events.push(JSON.parse(Data.toString()) as ChangeEvent)
    }
  }
  return events
}

function put(engine: KinesisEngine, id: string, count: number): Promise<unknown> {
  return engine.run('PutItem', { TableName, Item: { id: { S: id }, count: { N: String(count) } } })
}

test('every change arrives in the order of its item, across reshards on both sides', async () => {
  const engine = await openWithTable()
  await engine.kinesis('CreateStream', { StreamName, ShardCount: 1 })
  await put(engine, 'before', 0)
  expect(await engine.run('EnableKinesisStreamingDestination', { TableName, StreamArn })).toEqual({
    TableName,
    StreamArn,
    DestinationStatus: 'ENABLING',
    EnableKinesisStreamingConfiguration: {},
  })
  for (let count = 0; count < 40; count++) {
    await put(engine, `id${count % 4}`, count)
    if (count === 10) {
      await engine.kinesis('UpdateShardCount', { StreamName, TargetShardCount: 2, ScalingType: 'UNIFORM_SCALING' })
    }
    if (count === 20) {
      // The log of the table goes on in other shards.
      const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }
      await engine.run('UpdateTable', { TableName, StreamSpecification })
    }
  }
  await engine.run('DeleteItem', { TableName, Key: { id: { S: 'id0' } } })
  await expect.poll(async () => (await eventsOf(engine)).length).toBe(41)
  const events = await eventsOf(engine)
  for (let id = 0; id < 4; id++) {
    const own = events.filter(({ dynamodb }) => dynamodb.Keys.id.S === `id${id}`)
    const counts = own.map(({ dynamodb }) => Number(dynamodb.NewImage?.count?.N ?? Number.MAX_SAFE_INTEGER))
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  }
  expect(events.find(({ eventName }) => eventName === 'REMOVE')).toMatchObject({
    awsRegion: 'eu-west-1',
    eventSource: 'aws:dynamodb',
    recordFormat: 'application/json',
    tableName: TableName,
    userIdentity: null,
    dynamodb: { Keys: { id: { S: 'id0' } }, OldImage: { id: { S: 'id0' }, count: { N: '36' } } },
  })
  expect(new Set(events.map(({ eventID }) => eventID)).size).toBe(41)
  await engine.close()
})

test('the states of a destination, and what is refused in each', async () => {
  const engine = await openWithTable()
  const { run, refusal } = engine
  const wrongState = 'Table is not in a valid state to enable Kinesis Streaming Destination: '
  await run('EnableKinesisStreamingDestination', { TableName, StreamArn })
  const failed = await statusIs(engine, 'ENABLE_FAILED')
  expect(failed.KinesisDataStreamDestinations[0]?.DestinationStatusDescription).toBe(
    'User does not have a permission to use kinesis stream',
  )
  expect(
    engine.engine.catalog.find({ accountId: '123456789012', region: 'eu-west-1' }, TableName)?.definition,
  ).not.toHaveProperty('logHolders')
  await engine.kinesis('CreateStream', { StreamName, ShardCount: 1 })
  await run('EnableKinesisStreamingDestination', { TableName, StreamArn })
  expect(await refusal('EnableKinesisStreamingDestination', { TableName, StreamArn })).toMatchObject({
    code: 'ValidationException',
    message: `${wrongState}EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.`,
  })
  await statusIs(engine, 'ACTIVE')
  const update = (precision: string) => ({
    TableName,
    StreamArn,
    UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: precision },
  })
  expect((await refusal('UpdateKinesisStreamingDestination', update('MILLISECOND'))).message).toContain(
    'Precision is already set',
  )
  expect(await run('UpdateKinesisStreamingDestination', update('MICROSECOND'))).toMatchObject({
    DestinationStatus: 'UPDATING',
  })
  await statusIs(engine, 'ACTIVE')
  await put(engine, 'a', 1)
  expect(await run('DisableKinesisStreamingDestination', { TableName, StreamArn })).toEqual({
    TableName,
    StreamArn,
    DestinationStatus: 'DISABLING',
  })
  await statusIs(engine, 'DISABLED')
  await put(engine, 'b', 2)
  const events = await eventsOf(engine)
  expect(events.map(({ dynamodb }) => dynamodb.Keys.id.S)).toEqual(['a'])
  expect(String(events[0]?.dynamodb.ApproximateCreationDateTime)).toHaveLength(16)
  expect(await refusal('DisableKinesisStreamingDestination', { TableName, StreamArn })).toMatchObject({
    message: `${wrongState}KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.`,
  })
  await run('DeleteTable', { TableName })
  await engine.close()
})
