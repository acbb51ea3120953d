import {
  DynamoDB,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  type CreateTableInput,
} from '@aws-sdk/client-dynamodb'
import { open, type Database } from 'hashrange'
import { testDatabase, type TestDatabase } from 'hashrange/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** Throttling as clients see it: the AWS SDK, over HTTP. */

const posts: CreateTableInput = {
  TableName: 'Posts',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
}

async function clientOf(database: Database, maxAttempts: number): Promise<DynamoDB> {
  const { endpoint } = await database.listen(0)
  return new DynamoDB({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    maxAttempts,
  })
}

interface Outcome {
  readonly written: number
  readonly refusals: readonly unknown[]
}

const inFlight = 20

/** Writes one item of so many write units for each partition key, some at a time. */
async function write(client: DynamoDB, keys: readonly string[], units = 1): Promise<Outcome> {
  const filler = 'x'.repeat((units - 1) * 1024)
  const refusals: unknown[] = []
  let written = 0
  let next = 0
  const writer = async (): Promise<void> => {
    while (next < keys.length) {
      const sk = String(next)
      const pk = keys[next++] ?? ''
      try {
        await client.putItem({ TableName: 'Posts', Item: { pk: { S: pk }, sk: { S: sk }, filler: { S: filler } } })
        written++
      } catch (error) {
        refusals.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: inFlight }, writer))
  return { written, refusals }
}

describe('a celebrity', () => {
  let opened: TestDatabase
  let client: DynamoDB

  beforeEach(async () => {
    opened = await testDatabase(undefined, { throttling: 'enforce' })
    client = await clientOf(opened.database, 1)
    await client.createTable(posts)
  })

  afterEach(async () => {
    client.destroy()
    await opened.close()
  })

  test('is throttled at 1,000 write units a second, by its key range, while others go on', async () => {
    const { written, refusals } = await write(client, Array<string>(120 + inFlight).fill('CELEBRITY'), 10)
    // What is under way was let in already.
    expect(written).toBeGreaterThanOrEqual(100)
    expect(written).toBeLessThanOrEqual(100 + inFlight)
    expect(refusals[0]).toBeInstanceOf(ThrottlingException)
    expect(refusals[0]).toMatchObject({
      name: 'ThrottlingException',
      message: expect.stringContaining('Throughput exceeds the current capacity of your table or index.') as string,
      throttlingReasons: [
        {
          reason: 'TableWriteKeyRangeThroughputExceeded',
          resource: expect.stringMatching(/:table\/Posts$/) as string,
        },
      ],
    })
    const others = Array.from({ length: 200 }, (_, person) => `PERSON#${person}`)
    const elsewhere = await write(client, others)
    // A quarter of all keys shares the celebrity's range.
    expect(elsewhere.written).toBeGreaterThan(120)
    await opened.advance(1_000)
    expect((await write(client, ['CELEBRITY'])).written).toBe(1)
  })

  test('is not throttled when it is spread over ten suffixes', async () => {
    const keys = Array.from({ length: 150 }, (_, post) => `CELEBRITY#${post % 10}`)
    expect(await write(client, keys, 10)).toEqual({ written: 150, refusals: [] })
  })
})

describe('a provisioned table', () => {
  let database: Database

  beforeEach(async () => {
    database = await open({ throttling: 'enforce' })
  })

  afterEach(() => database.close())

  test('refuses what is too much, with the reason; clients that try again get through', async () => {
    const hasty = await clientOf(database, 1)
    await hasty.createTable({
      ...posts,
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 10 },
    })
    const keys = Array.from({ length: 100 }, (_, person) => `PERSON#${person}`)
    const { refusals } = await write(hasty, keys)
    expect(refusals.length).toBeGreaterThan(0)
    expect(refusals[0]).toBeInstanceOf(ProvisionedThroughputExceededException)
    expect(refusals[0]).toMatchObject({
      ThrottlingReasons: [{ reason: 'TableWriteProvisionedThroughputExceeded' }],
    })
    const patient = await clientOf(database, 12)
    expect(await write(patient, keys.slice(0, 20))).toEqual({ written: 20, refusals: [] })
    hasty.destroy()
    patient.destroy()
  })
})
