import { expect, test } from 'vitest'
import { catalogKey } from '../layout/key-space.ts'
import { DyingStore } from '../testing/dying-store.ts'
import { openSharedTestStore } from '../testing/open-test-store.ts'
import { InterruptedStore } from './testing/interrupted-store.ts'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'
const oregon = 'us-west-2'
const tokyo = 'ap-northeast-1'

const remove = (RegionName: string): object => ({
  TableName: 'music',
  ReplicaUpdates: [{ Delete: { RegionName } }],
})

/** The regions that a replica lists. */
async function listedIn(regions: TestRegions, region: string): Promise<readonly string[]> {
  const { Table } = await regions.run(region, 'DescribeTable', { TableName: 'music' })
  const { Replicas = [] } = Table as { Replicas?: { RegionName: string }[] }
  return Replicas.map(({ RegionName }) => RegionName).toSorted()
}

test('a replica that is made while another one is removed does not list that one', async () => {
  const openStore = await openSharedTestStore()
  const other = await TestRegions.open({ store: await openStore() })
  await other.createGlobalTable('music', [dublin, ohio, oregon])
  const store = new InterruptedStore(await openStore())
  const regions = await TestRegions.open({ store })
  store.interrupt(catalogKey('123456789012', ohio, 'music'), () => other.addReplica(ohio, 'music', tokyo))
  await regions.run(dublin, 'UpdateTable', remove(oregon))
  await regions.owned.engine.background.idle()
  for (const region of [dublin, ohio, tokyo]) {
    const others = [tokyo, dublin, ohio].filter((one) => one !== region)
    await expect.poll(() => listedIn(regions, region)).toEqual(others)
  }
  await other.close()
  await regions.close()
})

test('a replica that is asked to fill another one just before it is removed fills that first', async () => {
  const openStore = await openSharedTestStore()
  const otherStore = new InterruptedStore(await openStore())
  const other = await TestRegions.open({ store: otherStore })
  await other.createGlobalTable('music', [dublin, ohio, oregon])
  await other.put(oregon, 'music', { pk: { S: 'a' } })
  const store = new InterruptedStore(await openStore())
  const regions = await TestRegions.open({ store })
  const create = { TableName: 'music', ReplicaUpdates: [{ Create: { RegionName: tokyo } }] }
  store.interrupt(catalogKey('123456789012', oregon, 'music'), async () => {
    // Tokyo's table is made a while later.
    const tokyoKey = catalogKey('123456789012', tokyo, 'music')
    otherStore.interrupt(tokyoKey, () => new Promise((resolve) => setTimeout(resolve, 300)))
    await other.run(oregon, 'UpdateTable', create)
  })
  await regions.run(dublin, 'UpdateTable', remove(oregon))
  await regions.owned.engine.background.idle()
  for (const region of [dublin, ohio, tokyo]) {
    const others = [tokyo, dublin, ohio].filter((one) => one !== region)
    await expect.poll(() => listedIn(regions, region)).toEqual(others)
    expect(Object.keys(await regions.items(region, 'music'))).toEqual(['a'])
  }
  await other.close()
  await regions.close()
})

test.each([3, 4, 5, 6, 7, 8])(
  'a replica that was being removed is gone for all others with the next process (%i)',
  async (after) => {
    const openStore = await openSharedTestStore()
    const dying = new DyingStore(await openStore())
    const first = await TestRegions.open({ store: dying, leaseMs: 100 })
    await first.createGlobalTable('music', [dublin, ohio, oregon])
    dying.dieAfter(after, after % 2 === 0)
    await first.run(dublin, 'UpdateTable', remove(oregon)).catch(() => undefined)
    await first.owned.engine.background.idle()
    dying.die()
    await first.owned.engine.background.stop()
    const second = await TestRegions.open({ store: await openStore(), leaseMs: 100 })
    await dying.close()
    await expect.poll(() => listedIn(second, dublin)).toEqual([ohio])
    await expect.poll(() => listedIn(second, ohio)).toEqual([dublin])
    await second.close()
  },
)

test('a replica that one asked to remove that was then removed itself is gone for all others', async () => {
  const openStore = await openSharedTestStore()
  const dying = new DyingStore(await openStore())
  const first = await TestRegions.open({ store: dying, leaseMs: 100 })
  await first.createGlobalTable('music', [dublin, ohio, oregon])
  const { catalog } = first.owned.engine
  // As it is left if the server is killed right after it has deleted both tables.
  for (const region of [ohio, oregon]) {
    const table = catalog.find({ accountId: '123456789012', region }, 'music')
    if (table !== undefined) await catalog.drop(table)
  }
  dying.die()
  await first.owned.engine.background.stop()
  const second = await TestRegions.open({ store: await openStore(), leaseMs: 100 })
  await dying.close()
  await expect.poll(() => listedIn(second, dublin)).toEqual([])
  await second.close()
})
