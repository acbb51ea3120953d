import { expect, test } from 'vitest'
import { dropLeaving } from './leave-global-table.ts'
import { LinkedStores, linkedReplicas, statusIn } from './testing/linked-stores.ts'

const dublin = 'eu-west-1'
const virginia = 'us-east-1'
const tokyo = 'ap-northeast-1'

const update = (change: object): object => ({ TableName: 'music', ...change })
const item = (pk: string): object => ({ pk: { S: pk } })

const createReplica = (stores: LinkedStores, from: string, RegionName: string): Promise<unknown> =>
  stores.in(from).run(from, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName } }] }))
const removeReplica = (stores: LinkedStores, from: string, RegionName: string): Promise<unknown> =>
  stores.in(from).run(from, 'UpdateTable', update({ ReplicaUpdates: [{ Delete: { RegionName } }] }))
const deleteTable = (stores: LinkedStores, region: string): Promise<unknown> =>
  stores.in(region).run(region, 'DeleteTable', { TableName: 'music' })

async function exchangeBetween(stores: LinkedStores, one: string, other: string): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await stores.exchange(one, other)
    await stores.exchange(other, one)
  }
}

/** Dublin and Virginia have replicas, and Tokyo gets one that Virginia has not heard of. */
async function withReplicaUnknownToVirginia(): Promise<LinkedStores> {
  const stores = await LinkedStores.open([dublin, virginia, tokyo])
  await stores.in(dublin).createGlobalTable('music', [dublin])
  for (const region of [virginia, tokyo]) {
    stores.advance(10)
    if (region === tokyo) await stores.in(virginia).put(virginia, 'music', item('virginia'))
    await createReplica(stores, dublin, region)
    await exchangeBetween(stores, dublin, region)
  }
  return stores
}

test('a replica that leaves does not wait for one that has left before it could hear of that', async () => {
  const stores = await linkedReplicas([dublin, virginia, tokyo])
  await deleteTable(stores, tokyo)
  await stores.exchangeLosingResponse(virginia, tokyo)
  await deleteTable(stores, virginia)
  await stores.exchangeLosingResponse(virginia, tokyo)
  await exchangeBetween(stores, virginia, dublin)
  expect(await stores.in(virginia).refusal(virginia, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  expect(await statusIn(stores, tokyo)).toEqual(['DELETING', `${dublin} ACTIVE`, `${virginia} ACTIVE`])
  await stores.exchangeAll()
  expect(await stores.in(tokyo).refusal(tokyo, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE'])
  await stores.close()
})

test('a replica that leaves is heard of by those that did not know it, and they get its writes', async () => {
  const stores = await withReplicaUnknownToVirginia()
  await stores.in(tokyo).put(tokyo, 'music', item('tokyo'))
  await deleteTable(stores, tokyo)
  await stores.exchangeAll(8)
  expect(await stores.in(tokyo).refusal(tokyo, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  for (const region of [dublin, virginia]) {
    expect(Object.keys(await stores.in(region).items(region, 'music')).toSorted()).toEqual(['tokyo', 'virginia'])
    expect(await statusIn(stores, region)).toEqual(['ACTIVE', `${region === dublin ? virginia : dublin} ACTIVE`])
  }
  await stores.close()
})

test('a replica that leaves waits for one that it hears of only then', async () => {
  const stores = await withReplicaUnknownToVirginia()
  await removeReplica(stores, dublin, virginia)
  await exchangeBetween(stores, dublin, virginia)
  await stores.exchangeAll(8)
  expect(await stores.in(virginia).refusal(virginia, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  for (const region of [dublin, tokyo]) {
    expect(Object.keys(await stores.in(region).items(region, 'music'))).toEqual(['virginia'])
    expect(await statusIn(stores, region)).toEqual(['ACTIVE', `${region === dublin ? tokyo : dublin} ACTIVE`])
  }
  await stores.close()
})

test('a replica that leaves waits until one that it has removed has heard of that', async () => {
  const stores = await linkedReplicas([virginia, dublin, tokyo])
  stores.advance(10)
  await stores.in(dublin).put(dublin, 'music', item('dublin'))
  await removeReplica(stores, dublin, virginia)
  await deleteTable(stores, dublin)
  await exchangeBetween(stores, dublin, tokyo)
  await stores.exchangeAll(8)
  for (const region of [dublin, virginia]) {
    expect(await stores.in(region).refusal(region, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  }
  expect(Object.keys(await stores.in(tokyo).items(tokyo, 'music')).toSorted()).toEqual(['before', 'dublin'])
  expect(await statusIn(stores, tokyo)).toEqual(['ACTIVE'])
  await stores.close()
})

test('a replica that leaves makes room for another one that was asked for in its region', async () => {
  const stores = await withReplicaUnknownToVirginia()
  stores.advance(10)
  await createReplica(stores, virginia, tokyo)
  await stores.in(tokyo).put(tokyo, 'music', item('tokyo'))
  await deleteTable(stores, tokyo)
  await stores.exchangeAll(12)
  for (const region of [dublin, virginia, tokyo]) {
    expect(Object.keys(await stores.in(region).items(region, 'music')).toSorted()).toEqual(['tokyo', 'virginia'])
    const others = [tokyo, dublin, virginia].filter((other) => other !== region)
    expect(await statusIn(stores, region)).toEqual(['ACTIVE', ...others.map((other) => `${other} ACTIVE`)])
  }
  await stores.close()
})

test('what the others have said while a replica leaves is known to every server of its store, and after a restart', async () => {
  const names = [dublin, virginia, tokyo]
  const stores = await linkedReplicas(names)
  await stores.in(tokyo).put(tokyo, 'music', item('last'))
  await deleteTable(stores, tokyo)
  for (let round = 0; round < 6; round++) {
    for (const to of names) {
      for (const from of names.filter((name) => name !== to)) {
        await stores.exchange(from, to)
        stores.restart(tokyo)
      }
    }
  }
  expect(await stores.in(tokyo).refusal(tokyo, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  for (const region of [dublin, virginia]) {
    expect(await stores.in(region).get(region, 'music', 'last')).toBeDefined()
    expect(await statusIn(stores, region)).toEqual(['ACTIVE', `${region === dublin ? virginia : dublin} ACTIVE`])
  }
  await stores.close()
})

test('a replica that leaves is dropped once, though several links see at once that it can be', async () => {
  const stores = await linkedReplicas([dublin, virginia, tokyo])
  await deleteTable(stores, tokyo)
  for (let round = 0; round < 3; round++) {
    for (const region of [dublin, virginia]) await stores.exchange(tokyo, region)
  }
  const { engine } = stores.in(tokyo).owned
  await Promise.all([dropLeaving(engine), dropLeaving(engine)])
  expect(await stores.in(tokyo).refusal(tokyo, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  await stores.close()
})
