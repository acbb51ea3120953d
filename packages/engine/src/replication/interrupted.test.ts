import { expect, test } from 'vitest'
import { DyingStore } from '../testing/dying-store.ts'
import { openSharedTestStore } from '../testing/open-test-store.ts'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'
const leaseMs = 100
const everyDeath = process.env['HASHRANGE_KILLS'] === 'all'

const replicaUpdate = (update: object): object => ({ TableName: 'music', ReplicaUpdates: [update] })

/** Kills the process at a transaction of some work, and has another process finish it. */
async function withDeath(
  after: number,
  prepare: (regions: TestRegions) => Promise<void>,
  work: (regions: TestRegions) => Promise<unknown>,
): Promise<TestRegions> {
  const openStore = await openSharedTestStore()
  const dying = new DyingStore(await openStore())
  const first = await TestRegions.open({ store: dying, leaseMs })
  await first.createGlobalTable('music', [dublin])
  for (let n = 0; n < 10; n++) await first.put(dublin, 'music', { pk: { S: `k${n}` }, team: { S: 't' } })
  await prepare(first)
  dying.dieAfter(after, after % 2 === 0)
  await work(first).catch(() => undefined)
  await first.owned.engine.background.idle()
  dying.die()
  await first.owned.engine.background.stop()
  const second = await TestRegions.open({ store: await openStore(), leaseMs })
  await dying.close()
  return second
}

const statusOf = async (regions: TestRegions): Promise<unknown> => {
  const { Table } = await regions.run(dublin, 'DescribeTable', { TableName: 'music' })
  const { TableStatus, Replicas } = Table as Record<string, unknown>
  return {
    TableStatus,
    Replicas: (Replicas as { ReplicaStatus: string }[] | undefined)?.map((r) => r.ReplicaStatus),
  }
}

const deaths = everyDeath ? Array.from({ length: 11 }, (_, n) => n) : [1, 4, 7, 10]

test.each(deaths)('a replica that was being created is completed by the next process (%i)', async (after) => {
  const regions = await withDeath(
    after,
    () => Promise.resolve(),
    (first) => first.run(dublin, 'UpdateTable', replicaUpdate({ Create: { RegionName: ohio } })),
  )
  await regions.put(dublin, 'music', { pk: { S: 'late' }, team: { S: 't' } })
  await expect.poll(() => statusOf(regions)).toMatchObject({ TableStatus: 'ACTIVE' })
  const { Replicas } = (await statusOf(regions)) as { Replicas?: readonly string[] }
  if (Replicas !== undefined) {
    await expect
      .poll(async () => {
        await regions.replicate()
        return Object.keys(await regions.items(ohio, 'music', 'teams')).length
      })
      .toBe(11)
    expect(await regions.items(ohio, 'music')).toEqual(await regions.items(dublin, 'music'))
  }
  await regions.close()
})

test.each(deaths)('a replica that was being removed is gone with the next process (%i)', async (after) => {
  const regions = await withDeath(
    after,
    async (first) => {
      await first.addReplica(dublin, 'music', ohio)
      await first.put(ohio, 'music', { pk: { S: 'last' } })
    },
    (first) => first.run(dublin, 'UpdateTable', replicaUpdate({ Delete: { RegionName: ohio } })),
  )
  await expect.poll(() => statusOf(regions)).toMatchObject({ TableStatus: 'ACTIVE' })
  const { Replicas } = (await statusOf(regions)) as { Replicas?: readonly string[] }
  if (Replicas === undefined) {
    expect(await regions.refusal(ohio, 'DescribeTable', { TableName: 'music' })).toContain('ResourceNotFound')
    expect(await regions.get(dublin, 'music', 'last')).toBeDefined()
  }
  await expect.poll(() => regions.owned.engine.background.idle()).toBeUndefined()
  await regions.close()
})

test.each(everyDeath ? [0, 1, 2, 3, 4, 5] : [2])(
  'tables join a legacy global table together (%i)',
  async (after) => {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' }
    const regions = await withDeath(
      after,
      async (first) => {
        await first.createGlobalTable('old', [dublin])
        await first.createGlobalTable('old', [ohio])
        for (const region of [dublin, ohio]) {
          await first.run(region, 'UpdateTable', { TableName: 'old', StreamSpecification })
        }
      },
      (first) =>
        first.run(dublin, 'CreateGlobalTable', {
          GlobalTableName: 'old',
          ReplicationGroup: [{ RegionName: dublin }, { RegionName: ohio }],
        }),
    )
    const known = await Promise.all(
      [dublin, ohio].map(async (region) => {
        const { Table } = await regions.run(region, 'DescribeTable', { TableName: 'old' })
        return (Table as { Replicas?: readonly unknown[] }).Replicas?.length ?? 0
      }),
    )
    expect(known[0]).toBe(known[1])
    await regions.close()
  },
)

test.each(everyDeath ? deaths : [3, 8])(
  'a strongly consistent global table is complete with the next process (%i)',
  async (after) => {
    const [virginia, oregon] = ['us-east-1', 'us-west-2']
    const create = (RegionName: string): object => ({ Create: { RegionName } })
    const regions = await withDeath(
      after,
      (first) => first.createGlobalTable('strong', [virginia]),
      (first) =>
        first.run(virginia, 'UpdateTable', {
          TableName: 'strong',
          MultiRegionConsistency: 'STRONG',
          ReplicaUpdates: [create(ohio), create(oregon)],
        }),
    )
    const described = async (): Promise<{ TableStatus: string; Replicas?: readonly unknown[] }> => {
      const { Table } = await regions.run(virginia, 'DescribeTable', { TableName: 'strong' })
      return Table as { TableStatus: string }
    }
    await expect.poll(async () => (await described()).TableStatus).toBe('ACTIVE')
    await regions.put(virginia, 'strong', { pk: { S: 'a' } })
    if ((await described()).Replicas !== undefined) {
      for (const region of [ohio, oregon]) expect(await regions.get(region, 'strong', 'a')).toBeDefined()
    }
    await regions.close()
  },
)

test('what is written while a table becomes a replica is sent, too', async () => {
  const regions = await TestRegions.open()
  await regions.createGlobalTable('music', [dublin])
  const writers = new AbortController()
  const writing = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !writers.signal.aborted; n++) {
      await regions.put(dublin, 'music', { pk: { S: `k${(writer + n) % 3}` }, n: { N: String(n * 10 + writer) } })
    }
  })
  await regions.addReplica(dublin, 'music', ohio)
  writers.abort()
  await Promise.all(writing)
  await regions.replicate()
  expect(await regions.items(ohio, 'music')).toEqual(await regions.items(dublin, 'music'))
  await regions.close()
})
