import { expect, test } from 'vitest'
import { linkedReplicas, type LinkedStores } from './testing/linked-stores.ts'

const dublin = 'eu-west-1'
const virginia = 'us-east-1'

interface Described {
  readonly TableClassSummary?: { readonly TableClass: string }
  readonly OnDemandThroughput?: object
  readonly WarmThroughput?: object
  readonly GlobalSecondaryIndexes?: readonly Described[]
}

async function described(stores: LinkedStores, region: string): Promise<Described> {
  const { Table } = await stores.in(region).run(region, 'DescribeTable', { TableName: 'music' })
  return Table as Described
}

async function capacityIn(stores: LinkedStores, region: string): Promise<object> {
  const { OnDemandThroughput, WarmThroughput, GlobalSecondaryIndexes = [] } = await described(stores, region)
  const indexes = GlobalSecondaryIndexes.map((index) => [index.OnDemandThroughput, index.WarmThroughput])
  return { OnDemandThroughput, WarmThroughput, indexes }
}

async function update(stores: LinkedStores, region: string, change: object): Promise<void> {
  stores.advance(10)
  await stores.in(region).run(region, 'UpdateTable', { TableName: 'music', ...change })
  await stores.exchangeAll()
}

const ofIndex = (change: object): object => ({
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'teams', ...change } }],
})

test('limits on demand are followed, and their removal, of the table and of its indexes', async () => {
  const stores = await linkedReplicas()
  const OnDemandThroughput = { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 200 }
  const unlimited = { OnDemandThroughput: { MaxReadRequestUnits: -1, MaxWriteRequestUnits: -1 } }
  const before = await capacityIn(stores, dublin)
  await update(stores, virginia, { OnDemandThroughput })
  await update(stores, virginia, ofIndex({ OnDemandThroughput }))
  expect(await capacityIn(stores, dublin)).toMatchObject({
    OnDemandThroughput,
    indexes: [[OnDemandThroughput, {}]],
  })
  await update(stores, virginia, unlimited)
  await update(stores, virginia, ofIndex(unlimited))
  expect(await capacityIn(stores, dublin)).toEqual(before)
  expect(stores.told).toEqual([])
  await stores.close()
})

test('warm throughput is followed where it is higher, for reads and for writes', async () => {
  const stores = await linkedReplicas()
  const warm = (ReadUnitsPerSecond: number, WriteUnitsPerSecond: number): object => ({
    WarmThroughput: { ReadUnitsPerSecond, WriteUnitsPerSecond },
  })
  // Both change it before they hear of each other.
  for (const [region, change] of [
    [dublin, warm(12_000, 6_000)],
    [virginia, warm(15_000, 4_000)],
  ] as const) {
    stores.advance(10)
    await stores.in(region).run(region, 'UpdateTable', { TableName: 'music', ...change })
  }
  await stores.exchangeAll()
  for (const region of [dublin, virginia]) {
    expect(await capacityIn(stores, region)).toMatchObject(warm(15_000, 6_000))
  }
  await update(stores, virginia, ofIndex(warm(13_000, 5_000)))
  expect(await capacityIn(stores, dublin)).toMatchObject({ indexes: [[undefined, warmOf(warm(13_000, 5_000))]] })
  expect(stores.told).toEqual([])
  await stores.close()
})

function warmOf(change: object): object {
  return (change as { WarmThroughput: object }).WarmThroughput
}

test('what is overridden in one replica stays there, whatever is changed in it later', async () => {
  const stores = await linkedReplicas()
  const before = await described(stores, dublin)
  const MaxReadRequestUnits = 50
  await update(stores, dublin, {
    ReplicaUpdates: [
      {
        Update: {
          RegionName: virginia,
          TableClassOverride: 'STANDARD_INFREQUENT_ACCESS',
          OnDemandThroughputOverride: { MaxReadRequestUnits },
          GlobalSecondaryIndexes: [{ IndexName: 'teams', OnDemandThroughputOverride: { MaxReadRequestUnits } }],
        },
      },
    ],
  })
  await update(stores, virginia, { OnDemandThroughput: { MaxWriteRequestUnits: 200 } })
  expect(await described(stores, virginia)).toMatchObject({
    TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
    OnDemandThroughput: { MaxReadRequestUnits, MaxWriteRequestUnits: 200 },
    GlobalSecondaryIndexes: [{ OnDemandThroughput: { MaxReadRequestUnits } }],
  })
  const after = await described(stores, dublin)
  expect(after.TableClassSummary).toEqual(before.TableClassSummary)
  expect(after.OnDemandThroughput).toMatchObject({ MaxWriteRequestUnits: 200 })
  expect(after.OnDemandThroughput).not.toMatchObject({ MaxReadRequestUnits })
  expect(after.GlobalSecondaryIndexes?.[0]?.OnDemandThroughput).toBeUndefined()
  expect(stores.told).toEqual([])
  await stores.close()
})

test('an index of one name whose key has another type is built anew', async () => {
  const stores = await linkedReplicas()
  // Both create it before they hear of each other.
  for (const [region, AttributeType] of [
    [dublin, 'N'],
    [virginia, 'S'],
  ] as const) {
    stores.advance(10)
    await stores.in(region).run(region, 'UpdateTable', {
      TableName: 'music',
      AttributeDefinitions: [{ AttributeName: 'rank', AttributeType }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'ranks',
            KeySchema: [{ AttributeName: 'rank', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    })
    await stores.in(region).owned.engine.background.idle()
  }
  await stores.in(virginia).put(virginia, 'music', { pk: { S: 'a' }, rank: { S: 'first' } })
  await stores.exchangeAll(6)
  for (const region of [dublin, virginia]) {
    expect(Object.keys(await stores.in(region).items(region, 'music', 'ranks'))).toEqual(['a'])
  }
  await stores.close()
})

test('encryption that is turned off in one replica is turned off in the others, and what came after is followed', async () => {
  const stores = await linkedReplicas()
  await update(stores, dublin, { SSESpecification: { Enabled: true } })
  expect(await described(stores, virginia)).toHaveProperty('SSEDescription')
  await update(stores, dublin, { SSESpecification: { Enabled: false } })
  expect(await described(stores, virginia)).not.toHaveProperty('SSEDescription')
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ends' }
  stores.advance(10)
  await stores.in(dublin).run(dublin, 'UpdateTimeToLive', { TableName: 'music', TimeToLiveSpecification })
  await stores.exchangeAll()
  expect(await stores.in(virginia).run(virginia, 'DescribeTimeToLive', { TableName: 'music' })).toMatchObject({
    TimeToLiveDescription: { AttributeName: 'ends' },
  })
  await stores.close()
})

test('vector indexes are followed, with the attributes by which they are narrowed', async () => {
  const stores = await linkedReplicas()
  const VectorIndex = {
    IndexName: 'alike',
    VectorAttribute: { AttributeName: 'sound' },
    Dimensions: 3,
    DistanceFunction: 'COSINE',
    Projection: { ProjectionType: 'ALL' },
    SearchSchema: [{ AttributeName: 'genre', SearchSchemaElementType: 'HASH' }],
  }
  const AttributeDefinitions = [{ AttributeName: 'genre', AttributeType: 'S' }]
  await update(stores, virginia, { AttributeDefinitions, VectorIndexUpdates: [{ Create: VectorIndex }] })
  expect(stores.told).toEqual([])
  expect(await described(stores, dublin)).toMatchObject({ VectorIndexes: [VectorIndex] })
  await update(stores, dublin, { VectorIndexUpdates: [{ Delete: { IndexName: 'alike' } }] })
  expect(await described(stores, virginia)).not.toHaveProperty('VectorIndexes')
  await stores.close()
})

test('a table class that nobody has chosen is described in none of the replicas', async () => {
  const stores = await linkedReplicas()
  expect(await described(stores, virginia)).not.toHaveProperty('TableClassSummary')
  await update(stores, virginia, { TableClass: 'STANDARD_INFREQUENT_ACCESS' })
  expect(await described(stores, dublin)).toMatchObject({
    TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
  })
  await update(stores, dublin, { TableClass: 'STANDARD' })
  expect(await described(stores, virginia)).toMatchObject({ TableClassSummary: { TableClass: 'STANDARD' } })
  expect(stores.told).toEqual([])
  await stores.close()
})
