import { expect, test } from 'vitest'
import { trimChangeLogs } from '../background/trim-change-log.ts'
import { forgetTombstones } from '../replication/tombstones.ts'
import { linkedReplicas, LinkedStores, statusIn } from './testing/linked-stores.ts'

const dublin = 'eu-west-1'
const virginia = 'us-east-1'
const tokyo = 'ap-northeast-1'

function update(stores: LinkedStores, region: string, change: object): Promise<unknown> {
  return stores.in(region).run(region, 'UpdateTable', { TableName: 'music', ...change })
}

test('a replica that was protected before it heard of its removal stays, and is not removed later either', async () => {
  const stores = await linkedReplicas([dublin, virginia, tokyo])
  await update(stores, virginia, { DeletionProtectionEnabled: true })
  await update(stores, dublin, { ReplicaUpdates: [{ Delete: { RegionName: virginia } }] })
  await stores.exchangeAll(2)
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE', `${tokyo} ACTIVE`, `${virginia} ACTIVE`])
  expect(stores.told).toContain(
    'The replica of music in us-east-1 was not removed, because it has deletion protection enabled.',
  )
  await update(stores, virginia, { DeletionProtectionEnabled: false })
  await stores.exchangeAll(4)
  expect(await statusIn(stores, virginia)).toEqual(['ACTIVE', `${tokyo} ACTIVE`, `${dublin} ACTIVE`])

  // Now nothing is in the way.
  await update(stores, dublin, { ReplicaUpdates: [{ Delete: { RegionName: virginia } }] })
  await stores.exchangeAll(8)
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE', `${tokyo} ACTIVE`])
  await stores.close()
})

for (const [first, second, laterMs] of [
  [dublin, virginia, 10],
  [virginia, dublin, 10],
  [virginia, dublin, 3 * 86_400_000],
] as const) {
  test(`a new replica that ${first} and, ${laterMs} ms later, ${second} ask for is one, and both know it`, async () => {
    const stores = await LinkedStores.open([dublin, virginia, tokyo])
    await stores.in(dublin).createGlobalTable('music', [dublin])
    await update(stores, dublin, { ReplicaUpdates: [{ Create: { RegionName: virginia } }] })
    await stores.exchangeAll()
    for (const region of [first, second]) {
      await update(stores, region, { ReplicaUpdates: [{ Create: { RegionName: tokyo } }] })
      stores.advance(laterMs)
      await stores.in(region).put(region, 'music', { pk: { S: region } })
    }
    await stores.exchange(virginia, tokyo)
    await stores.exchangeAll()
    stores.advance(10)
    await stores.in(tokyo).put(tokyo, 'music', { pk: { S: tokyo } })
    await stores.exchangeAll()
    for (const region of [dublin, virginia, tokyo]) {
      const others = [tokyo, dublin, virginia].filter((other) => other !== region)
      expect(await statusIn(stores, region)).toEqual(['ACTIVE', ...others.map((other) => `${other} ACTIVE`)])
      expect(Object.keys(await stores.in(region).items(region, 'music')).toSorted()).toEqual([
        tokyo,
        dublin,
        virginia,
      ])
    }
    await stores.close()
  })
}

test('a new replica that could not be created is forgotten by those that have only heard of it, too', async () => {
  const stores = await LinkedStores.open([dublin, virginia, tokyo])
  await stores.in(dublin).createGlobalTable('music', [dublin])
  await update(stores, dublin, { ReplicaUpdates: [{ Create: { RegionName: virginia } }] })
  await stores.exchangeAll()
  await stores.in(tokyo).createGlobalTable('music', [tokyo])
  stores.advance(10)
  await update(stores, dublin, { ReplicaUpdates: [{ Create: { RegionName: tokyo } }] })
  await stores.exchange(dublin, virginia)
  expect(await statusIn(stores, virginia)).toEqual(['UPDATING', `${tokyo} CREATING`, `${dublin} ACTIVE`])
  // Tokyo says so to Dublin only.
  for (let round = 0; round < 2; round++) await stores.exchange(dublin, tokyo)
  stores.restart(tokyo)
  await stores.exchangeAll()
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE', `${virginia} ACTIVE`])
  expect(await statusIn(stores, virginia)).toEqual(['ACTIVE', `${dublin} ACTIVE`])
  await stores.close()
})

test('what is written before a new replica can be reached is kept for it, if only others tell of it', async () => {
  const stores = await LinkedStores.open([dublin, virginia, tokyo])
  await stores.in(dublin).createGlobalTable('music', [dublin])
  await update(stores, dublin, { ReplicaUpdates: [{ Create: { RegionName: virginia } }] })
  await stores.in(dublin).put(dublin, 'music', { pk: { S: 'deleted' } })
  await stores.exchangeAll()
  stores.advance(10)
  await update(stores, dublin, { ReplicaUpdates: [{ Create: { RegionName: tokyo } }] })
  // It is complete before Virginia hears of it.
  for (let round = 0; round < 3; round++) await exchangeBetween(stores, dublin, tokyo)
  await stores.in(virginia).put(virginia, 'music', { pk: { S: 'written' } })
  await stores.in(virginia).run(virginia, 'DeleteItem', { TableName: 'music', Key: { pk: { S: 'deleted' } } })
  for (let hour = 0; hour < 30; hour++) {
    stores.advance(3_600_000)
    await exchangeBetween(stores, dublin, virginia)
    await exchangeBetween(stores, dublin, tokyo)
    const { engine } = stores.in(virginia).owned
    await trimChangeLogs(engine, { aborted: false })
    await forgetTombstones(engine, { aborted: false })
  }
  await stores.exchangeAll(2)
  for (const region of [dublin, virginia, tokyo]) {
    expect(Object.keys(await stores.in(region).items(region, 'music'))).toEqual(['written'])
  }
  await stores.close()
})

test('a replica of which only an old message tells is not there', async () => {
  const stores = await linkedReplicas([dublin, virginia, tokyo])
  const { store } = stores.in(dublin)
  const lease = { aborted: false, transact: store.transact.bind(store) }
  const old = await stores.links(dublin).receiver(virginia, lease).request(0, [])
  await update(stores, dublin, { ReplicaUpdates: [{ Delete: { RegionName: tokyo } }] })
  await stores.exchangeAll(8)
  stores.restart(virginia)
  const message = Buffer.from(`${JSON.stringify(old)}\n`)
  await stores.links(virginia).answerExchange(message, new AbortController().signal)
  await stores.exchangeAll(2)
  for (const region of [dublin, virginia]) {
    expect(await statusIn(stores, region)).toEqual(['ACTIVE', `${region === dublin ? virginia : dublin} ACTIVE`])
  }
  expect(stores.told).toEqual([])
  await stores.close()
})

async function exchangeBetween(stores: LinkedStores, one: string, other: string): Promise<void> {
  await stores.exchange(one, other)
  await stores.exchange(other, one)
}
