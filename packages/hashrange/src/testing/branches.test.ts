import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from './test-database.ts'

const table = {
  TableName: 'orders',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'status', AttributeType: 'S' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byStatus',
      KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
} as const

interface Read {
  readonly Items?: readonly Record<string, { readonly S?: string }>[]
  readonly Item?: Record<string, { readonly S?: string }>
}

const put = ({ database }: TestDatabase, id: string, status: string, more: object = {}): Promise<unknown> =>
  database.execute('PutItem', {
    TableName: 'orders',
    Item: { id: { S: id }, status: { S: status }, ...more },
  })

const remove = ({ database }: TestDatabase, id: string): Promise<unknown> =>
  database.execute('DeleteItem', { TableName: 'orders', Key: { id: { S: id } } })

const all = async ({ database }: TestDatabase): Promise<string[]> => {
  const { Items = [] } = (await database.execute('Scan', { TableName: 'orders' })) as Read
  return Items.map(({ id, status }) => `${id?.S} ${status?.S}`).toSorted()
}

const withStatus = async ({ database }: TestDatabase, status: string): Promise<string[]> => {
  const { Items = [] } = (await database.execute('Query', {
    TableName: 'orders',
    IndexName: 'byStatus',
    KeyConditionExpression: '#s = :s',
    ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': { S: status } },
  })) as Read
  return Items.map(({ id }) => `${id?.S}`).toSorted()
}

/** What a stream says: which items were changed, oldest first. */
async function changed({ database }: TestDatabase): Promise<string[]> {
  const { Streams } = (await database.execute('ListStreams', { TableName: 'orders' })) as {
    Streams: { StreamArn: string }[]
  }
  const StreamArn = Streams[0]?.StreamArn
  const { StreamDescription } = (await database.execute('DescribeStream', { StreamArn })) as {
    StreamDescription: { Shards: { ShardId: string }[] }
  }
  const keys: { readonly sequence: string; readonly id: string }[] = []
  for (const { ShardId } of StreamDescription.Shards) {
    const { ShardIterator } = await database.execute('GetShardIterator', {
      StreamArn,
      ShardId,
      ShardIteratorType: 'TRIM_HORIZON',
    })
    const { Records } = (await database.execute('GetRecords', { ShardIterator })) as {
      Records: { eventName: string; dynamodb: { SequenceNumber: string; Keys: { id: { S: string } } } }[]
    }
    for (const { dynamodb, eventName } of Records) {
      keys.push({ sequence: dynamodb.SequenceNumber.padStart(40, '0'), id: `${eventName} ${dynamodb.Keys.id.S}` })
    }
  }
  return keys.toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1)).map(({ id }) => id)
}

describe('a branch of a test database', () => {
  let seeded: TestDatabase

  beforeAll(async () => {
    seeded = await testDatabase()
    await seeded.database.execute('CreateTable', table)
    for (const id of ['a', 'b', 'c']) await put(seeded, id, 'open')
  })

  afterAll(() => seeded.close())

  test('begins with everything, and neither side sees what the other does', async () => {
    const branch = await seeded.branch()
    expect(await all(branch)).toEqual(['a open', 'b open', 'c open'])
    await put(branch, 'a', 'paid')
    await remove(branch, 'b')
    await put(seeded, 'c', 'sent')
    await put(seeded, 'd', 'open')
    expect(await all(branch)).toEqual(['a paid', 'c open'])
    expect(await withStatus(branch, 'open')).toEqual(['c'])
    expect(await withStatus(branch, 'paid')).toEqual(['a'])
    expect(await all(seeded)).toEqual(['a open', 'b open', 'c sent', 'd open'])
    expect(await withStatus(seeded, 'open')).toEqual(['a', 'b', 'd'])
    const describe = async ({ database }: TestDatabase): Promise<unknown> =>
      ((await database.execute('DescribeTable', { TableName: 'orders' })) as { Table: { ItemCount: number } }).Table
        .ItemCount
    expect([await describe(branch), await describe(seeded)]).toEqual([2, 4])
    expect(await changed(branch)).toEqual(['INSERT a', 'INSERT b', 'INSERT c', 'MODIFY a', 'REMOVE b'])
    expect(await changed(seeded)).toEqual(['INSERT a', 'INSERT b', 'INSERT c', 'MODIFY c', 'INSERT d'])
    await branch.close()
    await put(seeded, 'c', 'open')
    await remove(seeded, 'd')
    expect(await all(seeded)).toEqual(['a open', 'b open', 'c open'])
  })

  test('has tables, indexes and expiries of its own', async () => {
    const branch = await seeded.branch()
    await branch.database.execute('UpdateTimeToLive', {
      TableName: 'orders',
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    })
    const soon = { expires: { N: String(Math.floor(seeded.clock.now() / 1000) + 60) } }
    await put(branch, 'a', 'short', soon)
    await put(seeded, 'b', 'open', soon)
    await branch.database.execute('CreateTable', { ...table, TableName: 'more' })
    await seeded.database.execute('CreateTable', { ...table, TableName: 'other' })
    await branch.advance(48 * 3_600_000)
    await seeded.database.expireItems()
    expect(await all(branch)).toEqual(['b open', 'c open'])
    expect(await all(seeded)).toEqual(['a open', 'b open', 'c open'])
    expect(await branch.database.execute('ListTables')).toEqual({ TableNames: ['more', 'orders'] })
    expect(await seeded.database.execute('ListTables')).toEqual({ TableNames: ['orders', 'other'] })
    await branch.database.execute('DeleteTable', { TableName: 'orders' })
    expect(await all(seeded)).toHaveLength(3)
    await branch.close()
    await expect(branch.database.execute('ListTables')).rejects.toThrow('closed')
  })

  test('can be had several times at once, by whoever needs one', async () => {
    const branches = await Promise.all(Array.from({ length: 10 }, () => seeded.branch()))
    await Promise.all(branches.map((branch, n) => put(branch, 'a', `status${n}`)))
    for (const [n, branch] of branches.entries()) expect(await withStatus(branch, `status${n}`)).toEqual(['a'])
    expect(await withStatus(seeded, 'open')).toEqual(['a', 'b', 'c'])
    await Promise.all(branches.map((branch) => branch.close()))
    await expect(seeded.database.branch('no name')).rejects.toThrow('cannot be a name')
  })
})

test('a test database goes back to what it was when it was saved, as often as it is asked to', async () => {
  const db = await testDatabase()
  await db.database.execute('CreateTable', table)
  await put(db, 'a', 'open')
  await expect(db.reset()).rejects.toThrow('There is no snapshot to go back to')
  await db.save()
  const branch = await db.branch()
  for (let round = 0; round < 3; round++) {
    await put(db, 'a', 'paid')
    await put(db, 'b', 'open')
    await db.database.execute('CreateTable', { ...table, TableName: `more${round}` })
    await db.database.execute('UpdateTable', {
      TableName: 'orders',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byStatus' } }],
    })
    await db.reset()
    expect(await all(db)).toEqual(['a open'])
    expect(await withStatus(db, 'open')).toEqual(['a'])
    expect(await db.database.execute('ListTables')).toEqual({ TableNames: ['orders'] })
    expect(await changed(db)).toEqual(['INSERT a'])
  }
  await put(branch, 'b', 'open')
  expect(await all(branch)).toEqual(['a open', 'b open'])
  await db.close()
})
