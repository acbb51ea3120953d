import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { catalogKey, keySpace } from '../layout/key-space.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { changeReplicas } from './change-replicas.ts'
import { createReplica } from './create-replica.ts'
import { InterruptedStore } from './testing/interrupted-store.ts'
import { TestRegions } from './testing/regions.ts'
import { forgetTombstones } from './tombstones.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'
const tokyo = 'ap-northeast-1'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
})

afterEach(() => regions.close())

describe('a replica', () => {
  test('appears in the other region with the items that were there, its indexes and its stream', async () => {
    await regions.createGlobalTable('music', [dublin])
    await regions.put(dublin, 'music', { pk: { S: 'a' }, team: { S: 't' } })
    const { TableDescription } = await regions.run(dublin, 'UpdateTable', {
      TableName: 'music',
      ReplicaUpdates: [{ Create: { RegionName: ohio } }],
    })
    expect(TableDescription).toMatchObject({
      TableStatus: 'UPDATING',
      GlobalTableVersion: '2019.11.21',
      Replicas: [{ RegionName: ohio, ReplicaStatus: 'CREATING' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    await regions.owned.engine.background.idle()
    const { Table: here } = await regions.run(dublin, 'DescribeTable', { TableName: 'music' })
    const { Table: there } = await regions.run(ohio, 'DescribeTable', { TableName: 'music' })
    expect(here).toMatchObject({ TableStatus: 'ACTIVE', Replicas: [{ RegionName: ohio, ReplicaStatus: 'ACTIVE' }] })
    expect(there).toMatchObject({
      TableStatus: 'ACTIVE',
      TableArn: `arn:aws:dynamodb:${ohio}:123456789012:table/music`,
      ItemCount: 1,
      Replicas: [{ RegionName: dublin, ReplicaStatus: 'ACTIVE' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    expect(await regions.items(ohio, 'music', 'teams')).toEqual({ a: { pk: { S: 'a' }, team: { S: 't' } } })
  })

  test('is made once, even if somebody who has lost the lease goes on', async () => {
    await regions.createGlobalTable('music', [dublin])
    await regions.run(dublin, 'UpdateTable', {
      TableName: 'music',
      ReplicaUpdates: [{ Create: { RegionName: ohio } }],
    })
    const { engine } = regions.owned
    const source = engine.catalog.find({ accountId: '123456789012', region: dublin }, 'music')
    if (source === undefined) throw new Error('the table is there')
    const lease = { aborted: false, transact: engine.store.transact.bind(engine.store) }
    await Promise.all([1, 2, 3].map(() => createReplica(engine, source, ohio, lease)))
    await engine.background.idle()
    const { Table } = await regions.run(ohio, 'DescribeTable', { TableName: 'music' })
    expect(Table).toMatchObject({ TableStatus: 'ACTIVE', Replicas: [{ RegionName: dublin }] })
    await regions.put(ohio, 'music', { pk: { S: 'a' } })
  })

  test('takes writes, which reach all others', async () => {
    await regions.createGlobalTable('music', [dublin, ohio, tokyo])
    await regions.put(dublin, 'music', { pk: { S: 'a' }, at: { S: dublin } })
    await regions.put(ohio, 'music', { pk: { S: 'b' }, at: { S: ohio } })
    await regions.put(tokyo, 'music', { pk: { S: 'c' }, at: { S: tokyo } })
    expect(await regions.get(ohio, 'music', 'a')).toBeUndefined()
    await regions.replicate()
    const expected = await regions.items(dublin, 'music')
    expect(Object.keys(expected).toSorted()).toEqual(['a', 'b', 'c'])
    expect(await regions.items(ohio, 'music')).toEqual(expected)
    expect(await regions.items(tokyo, 'music')).toEqual(expected)
  })

  test('keeps the last write, wherever it was made', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(ohio, 'music', { pk: { S: 'a' }, n: { N: '1' } })
    regions.advance(5)
    await regions.put(dublin, 'music', { pk: { S: 'a' }, n: { N: '2' } })
    await regions.replicate()
    expect(await regions.get(ohio, 'music', 'a')).toEqual({ pk: { S: 'a' }, n: { N: '2' } })
    expect(await regions.get(dublin, 'music', 'a')).toEqual({ pk: { S: 'a' }, n: { N: '2' } })
  })

  test('decides alike about writes of the same moment', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(ohio, 'music', { pk: { S: 'a' }, at: { S: ohio } })
    await regions.put(dublin, 'music', { pk: { S: 'a' }, at: { S: dublin } })
    await regions.replicate()
    expect(await regions.get(dublin, 'music', 'a')).toEqual({ pk: { S: 'a' }, at: { S: ohio } })
    expect(await regions.get(ohio, 'music', 'a')).toEqual({ pk: { S: 'a' }, at: { S: ohio } })
  })

  test('does not bring back what was deleted', async () => {
    await regions.createGlobalTable('music', [dublin, ohio, tokyo])
    await regions.put(dublin, 'music', { pk: { S: 'a' } })
    await regions.replicate()
    await regions.owned.engine.regions.change(tokyo, { isIsolated: true })
    await regions.put(tokyo, 'music', { pk: { S: 'a' }, late: { BOOL: true } })
    regions.advance(10)
    await regions.run(ohio, 'DeleteItem', { TableName: 'music', Key: { pk: { S: 'a' } } })
    await regions.replicate()
    expect(await regions.get(dublin, 'music', 'a')).toBeUndefined()
    expect(await regions.get(tokyo, 'music', 'a')).toBeDefined()
    await regions.owned.engine.regions.change(tokyo, { isIsolated: undefined })
    await regions.replicate()
    for (const region of [dublin, ohio, tokyo]) expect(await regions.get(region, 'music', 'a')).toBeUndefined()
  })

  test('goes on with conditions of its own', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    const once = { TableName: 'music', Item: { pk: { S: 'a' } }, ConditionExpression: 'attribute_not_exists(pk)' }
    await regions.run(dublin, 'PutItem', once)
    await regions.run(ohio, 'PutItem', once)
    await regions.replicate()
    expect(await regions.refusal(ohio, 'PutItem', once)).toContain('ConditionalCheckFailedException')
  })

  test('leaves, and the last one is an ordinary table again', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(ohio, 'music', { pk: { S: 'a' } })
    await regions.run(dublin, 'UpdateTable', {
      TableName: 'music',
      ReplicaUpdates: [{ Delete: { RegionName: ohio } }],
    })
    await regions.owned.engine.background.idle()
    const { Table } = await regions.run(dublin, 'DescribeTable', { TableName: 'music' })
    expect(Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 1 })
    expect(Table).not.toHaveProperty('Replicas')
    expect(await regions.refusal(ohio, 'DescribeTable', { TableName: 'music' })).toContain('ResourceNotFound')
  })

  test('deletes what expires in the region that wrote it, and tells the others', async () => {
    await regions.createGlobalTable('music', [dublin])
    await regions.run(dublin, 'UpdateTimeToLive', {
      TableName: 'music',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ends' },
    })
    await regions.addReplica(dublin, 'music', ohio)
    const ends = String(regions.owned.clock.nowMs / 1000 + 60)
    await regions.put(ohio, 'music', { pk: { S: 'a' }, ends: { N: ends } })
    await regions.replicate()
    regions.advance(120_000)
    expect(await regions.owned.engine.expireItems()).toMatchObject({ expiredItems: 1 })
    expect(await regions.get(dublin, 'music', 'a')).toBeDefined()
    expect(await regions.get(ohio, 'music', 'a')).toBeUndefined()
    await regions.replicate()
    expect(await regions.get(dublin, 'music', 'a')).toBeUndefined()
  })

  test('that fills another one is not removed before that is complete', async () => {
    const store = new InterruptedStore(await openTestStore())
    const filling = await TestRegions.open({ store })
    await filling.createGlobalTable('music', [dublin, ohio])
    for (let n = 0; n < 20; n++) await filling.put(dublin, 'music', { pk: { S: `k${n}` } })
    await filling.replicate()
    const change = (region: string, update: object): [string, string, object] => [
      region,
      'UpdateTable',
      { TableName: 'music', ReplicaUpdates: [update] },
    ]
    const refused: string[] = []
    store.interrupt(catalogKey('123456789012', tokyo, 'music'), async () => {
      refused.push(await filling.refusal(ohio, 'DeleteTable', { TableName: 'music' }))
      refused.push(await filling.refusal(...change(dublin, { Delete: { RegionName: ohio } })))
    })
    await filling.run(...change(ohio, { Create: { RegionName: tokyo } }))
    await filling.owned.engine.background.idle()
    const inUse = expect.stringMatching(/^ResourceInUseException: .*Table is being updated: music$/) as unknown
    expect(refused).toEqual([inUse, inUse])
    await filling.run(...change(dublin, { Delete: { RegionName: ohio } }))
    await filling.owned.engine.background.idle()
    expect(Object.keys(await filling.items(tokyo, 'music'))).toHaveLength(20)
    await filling.close()
  })

  test('is deleted with DeleteTable, unless another was filled from it today', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    expect(await regions.refusal(dublin, 'DeleteTable', { TableName: 'music' })).toBe(
      'ValidationException: Replica cannot be deleted because it has acted as a source region for new replica(s) being added to the table in the last 24 hours.',
    )
    await regions.run(ohio, 'DeleteTable', { TableName: 'music' })
    const { Table } = await regions.run(dublin, 'DescribeTable', { TableName: 'music' })
    expect(Table).not.toHaveProperty('Replicas')
    await regions.run(dublin, 'DeleteTable', { TableName: 'music' })
  })

  test('forgets tombstones once every region has them', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(dublin, 'music', { pk: { S: 'a' } })
    await regions.run(dublin, 'DeleteItem', { TableName: 'music', Key: { pk: { S: 'a' } } })
    const left = async (): Promise<number> => {
      await forgetTombstones(regions.owned.engine, { aborted: false })
      let count = 0
      await regions.store.view((snapshot) =>
        snapshot.range({ from: Buffer.of(keySpace.itemStamp), to: Buffer.of(keySpace.tombstone + 1) }, () => {
          count++
          return true
        }),
      )
      return count
    }
    regions.advance(7_200_000)
    expect(await left()).toBe(2)
    await regions.replicate()
    expect(await left()).toBe(2)
    regions.advance(7_200_000)
    expect(await left()).toBe(0)
  })
})

describe('what is refused', () => {
  const update = (update: object): object => ({ TableName: 'music', ReplicaUpdates: [update] })

  test('is refused in the words of the service', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.createGlobalTable('taken', [dublin])
    await regions.createGlobalTable('taken', [ohio])
    const refusals = [
      await regions.refusal(dublin, 'UpdateTable', update({})),
      await regions.refusal(dublin, 'UpdateTable', update({ Create: { RegionName: dublin } })),
      await regions.refusal(dublin, 'UpdateTable', update({ Create: { RegionName: 'us-fake' } })),
      await regions.refusal(dublin, 'UpdateTable', update({ Create: { RegionName: ohio } })),
      await regions.refusal(dublin, 'UpdateTable', update({ Delete: { RegionName: tokyo } })),
      await regions.refusal(dublin, 'UpdateTable', {
        TableName: 'taken',
        ReplicaUpdates: [{ Create: { RegionName: ohio } }],
      }),
      await regions.refusal(ohio, 'UpdateTable', {
        TableName: 'music',
        StreamSpecification: { StreamEnabled: false },
      }),
    ]
    expect(refusals.map((refusal) => refusal.replace(/\[ap-south-2.*\]/, '[…]'))).toEqual([
      'ValidationException: There are no actions specified in the Replica Update Action of the request.',
      'ValidationException: Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required.',
      'ValidationException: Region us-fake is not supported. The latest version of global tables are only supported in the following regions: […]',
      'ValidationException: Failed to create a the new replica of table with name: ‘music’ because one or more replicas already existed as tables.',
      'ValidationException: Update global table operation failed because one or more replicas were not part of the global table. Please retry the request without these replicas: [ap-northeast-1].',
      'ValidationException: Failed to create a the new replica of table with name: ‘taken’ because one or more replicas already existed as tables.',
      'ValidationException: One or more parameter values were invalid: Disabling Stream is not allowed for a Global Table replica.',
    ])
  })

  test('has at most 50 replicas, and none is made if more are asked for', async () => {
    await regions.createGlobalTable('music', [dublin])
    const { engine } = regions.owned
    const table = engine.catalog.find({ accountId: '123456789012', region: dublin }, 'music')
    if (table === undefined) throw new Error('the table is there')
    const updates = Array.from({ length: 51 }, (_, n) => ({ Create: { RegionName: `us-north-${n + 1}` } }))
    await expect(changeReplicas(engine, table, updates)).rejects.toThrow('Region us-north-51 is not supported.')
    const { Table } = await regions.run(dublin, 'DescribeTable', { TableName: 'music' })
    expect(Table).not.toHaveProperty('Replicas')
  })
})
