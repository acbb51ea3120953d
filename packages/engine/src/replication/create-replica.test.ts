import { expect, test } from 'vitest'
import { catalogKey } from '../layout/key-space.ts'
import { openSharedTestStore } from '../testing/open-test-store.ts'
import { withReplica } from './members.ts'
import { InterruptedStore } from './testing/interrupted-store.ts'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'
const oregon = 'us-west-2'
const tokyo = 'ap-northeast-1'

const createIndex = {
  TableName: 'music',
  AttributeDefinitions: [{ AttributeName: 'mood', AttributeType: 'S' }],
  GlobalSecondaryIndexUpdates: [
    {
      Create: {
        IndexName: 'moods',
        KeySchema: [{ AttributeName: 'mood', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    },
  ],
}

async function statusIn(regions: TestRegions, region: string): Promise<unknown> {
  const { Table } = await regions.run(region, 'DescribeTable', { TableName: 'music' })
  return (Table as { TableStatus: string }).TableStatus
}

test('an index that another server creates just before a replica is made is in the replica, too', async () => {
  const openStore = await openSharedTestStore()
  const other = await TestRegions.open({ store: await openStore() })
  await other.createGlobalTable('music', [dublin])
  const store = new InterruptedStore(await openStore())
  const regions = await TestRegions.open({ store })
  store.interrupt(catalogKey('123456789012', ohio, 'music'), () => other.run(dublin, 'UpdateTable', createIndex))
  await regions.addReplica(dublin, 'music', ohio)
  await regions.put(dublin, 'music', { pk: { S: 'a' }, mood: { S: 'blue' } })
  await regions.replicate()
  expect(Object.keys(await regions.items(ohio, 'music', 'moods'))).toEqual(['a'])
  await other.close()
  await regions.close()
})

test('an index that is complete does not end the status of a table whose replicas are not', async () => {
  const regions = await TestRegions.open()
  await regions.createGlobalTable('music', [dublin, ohio])
  const { catalog, background } = regions.owned.engine
  const tableIn = (region: string) => catalog.find({ accountId: '123456789012', region }, 'music')
  const [first, second] = [tableIn(dublin), tableIn(ohio)]
  if (first === undefined || second === undefined) throw new Error('there are two replicas')
  // One is filled by a server that takes its time, and the other waits for a third one.
  await catalog.change(second, (definition) => ({ ...definition, status: 'CREATING' }))
  await catalog.change(first, (definition) =>
    withReplica(definition, { region: oregon, status: 'CREATING', filledFrom: ohio }),
  )
  await regions.run(dublin, 'UpdateTable', createIndex)
  await background.idle()
  expect(await statusIn(regions, dublin)).toBe('UPDATING')
  expect(await statusIn(regions, ohio)).toBe('CREATING')
  await regions.close()
})

test('replicas that are made at the same time, from different ones, know each other', async () => {
  const openStore = await openSharedTestStore()
  const [one, other] = [new InterruptedStore(await openStore()), new InterruptedStore(await openStore())]
  const regions = await TestRegions.open({ store: one })
  await regions.createGlobalTable('music', [dublin, ohio])
  const elsewhere = await TestRegions.open({ store: other })
  const keyIn = (region: string) => catalogKey('123456789012', region, 'music')
  const create = (RegionName: string): object => ({
    TableName: 'music',
    ReplicaUpdates: [{ Create: { RegionName } }],
  })
  // The second is made before the first has been introduced to those that it copies its list from.
  one.interrupt(keyIn(ohio), async () => {
    other.interrupt(keyIn(dublin), () => new Promise((resolve) => setTimeout(resolve, 200)))
    await elsewhere.run(ohio, 'UpdateTable', create(tokyo))
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  await regions.run(dublin, 'UpdateTable', create(oregon))
  const all = [tokyo, dublin, ohio, oregon]
  for (const region of all) await expect.poll(() => statusIn(regions, region).catch(() => '')).toBe('ACTIVE')
  for (const region of all) await regions.put(region, 'music', { pk: { S: region } })
  await expect
    .poll(async () => {
      await regions.replicate()
      const found = await Promise.all(all.map((region) => regions.items(region, 'music')))
      return found.map((items) => Object.keys(items).length)
    })
    .toEqual([4, 4, 4, 4])
  await elsewhere.close()
  await regions.close()
})
