import { expect, test } from 'vitest'
import { LinkedStores } from './testing/linked-stores.ts'

const dublin = 'eu-west-1'
const virginia = 'us-east-1'
const tokyo = 'ap-northeast-1'

const update = (change: object): object => ({ TableName: 'music', ...change })
const item = (pk: string, more: object = {}): object => ({ pk: { S: pk }, ...more })

async function statusIn(stores: LinkedStores, region: string): Promise<unknown> {
  const { Table } = await stores.in(region).run(region, 'DescribeTable', { TableName: 'music' })
  const { TableStatus, Replicas } = Table as Record<string, unknown>
  const replicas = (Replicas ?? []) as { RegionName: string; ReplicaStatus: string }[]
  return [TableStatus, ...replicas.map((one) => `${one.RegionName} ${one.ReplicaStatus}`).toSorted()]
}

async function withReplica(names = [dublin, virginia]): Promise<LinkedStores> {
  const stores = await LinkedStores.open(names)
  await stores.in(dublin).createGlobalTable('music', [dublin])
  await stores.in(dublin).put(dublin, 'music', item('before', { team: { S: 'red' } }))
  for (const RegionName of names.slice(1)) {
    await stores.in(dublin).run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName } }] }))
    await stores.exchangeAll()
  }
  return stores
}

test('a replica in another store is created, filled and kept up to date, in both directions', async () => {
  const stores = await withReplica()
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE', 'us-east-1 ACTIVE'])
  expect(await statusIn(stores, virginia)).toEqual(['ACTIVE', 'eu-west-1 ACTIVE'])
  stores.advance(10)
  await stores.in(dublin).put(dublin, 'music', item('dublin'))
  await stores.in(virginia).put(virginia, 'music', item('virginia', { team: { S: 'blue' } }))
  await stores.in(virginia).run(virginia, 'DeleteItem', update({ Key: item('before') }))
  await stores.exchangeAll(1)
  const items = { dublin: item('dublin'), virginia: item('virginia', { team: { S: 'blue' } }) }
  for (const region of [dublin, virginia]) {
    expect(await stores.in(region).items(region, 'music')).toEqual(items)
    expect(Object.keys(await stores.in(region).items(region, 'music', 'teams'))).toEqual(['virginia'])
  }
  await stores.close()
})

test('a third store gets what all others have and write', async () => {
  const stores = await withReplica([dublin, virginia, tokyo])
  stores.advance(10)
  await stores.in(tokyo).put(tokyo, 'music', item('tokyo'))
  await stores.in(virginia).put(virginia, 'music', item('virginia'))
  await stores.exchangeAll(1)
  for (const region of [dublin, virginia, tokyo]) {
    expect(await statusIn(stores, region)).toContain('ACTIVE')
    expect(Object.keys(await stores.in(region).items(region, 'music')).toSorted()).toEqual([
      'before',
      'tokyo',
      'virginia',
    ])
  }
  await stores.close()
})
