import { expect, test } from 'vitest'
import { openSharedTestStore } from '../testing/open-test-store.ts'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'

const update = (change: object): object => ({ TableName: 'music', ReplicaUpdates: [change] })

async function described(regions: TestRegions): Promise<Readonly<Record<string, unknown>>> {
  const { Table } = await regions.run(dublin, 'DescribeTable', { TableName: 'music' })
  return Table as Readonly<Record<string, unknown>>
}

test('a replica whose server never came is removed once nothing links to it', async () => {
  const openStore = await openSharedTestStore()
  const linked = await TestRegions.open({
    store: await openStore(),
    regionsElsewhere: [ohio],
    linkedRegion: dublin,
  })
  await linked.createGlobalTable('music', [dublin])
  await linked.run(dublin, 'UpdateTable', update({ Create: { RegionName: ohio } }))
  expect(await linked.refusal(dublin, 'UpdateTable', update({ Delete: { RegionName: ohio } }))).toMatch(
    /^ResourceInUseException: .*Table is being updated: music$/,
  )
  await linked.owned.engine.background.stop()

  const alone = await TestRegions.open({ store: await openStore(), linkedRegion: dublin })
  expect(await described(alone)).toMatchObject({ TableStatus: 'UPDATING' })
  await alone.run(dublin, 'UpdateTable', update({ Delete: { RegionName: ohio } }))
  await expect.poll(() => described(alone)).toMatchObject({ TableStatus: 'ACTIVE' })
  expect(await described(alone)).not.toHaveProperty('Replicas')
  await alone.close()
})
