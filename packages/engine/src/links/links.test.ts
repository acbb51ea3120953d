import { expect, test } from 'vitest'
import { keySpace } from '../layout/key-space.ts'
import { unsentSince } from '../replication/outgoing-changes.ts'
import { forgetTombstones } from '../replication/tombstones.ts'
import type { Store } from '../store/store.ts'
import type { Lease } from '../work/leases.ts'
import { linkedReplicas, LinkedStores, statusIn } from './testing/linked-stores.ts'

const dublin = 'eu-west-1'
const virginia = 'us-east-1'
const tokyo = 'ap-northeast-1'

const update = (change: object): object => ({ TableName: 'music', ...change })
const item = (pk: string, more: object = {}): object => ({ pk: { S: pk }, ...more })

test('a legacy global table does not reach another store, and says what does', async () => {
  const stores = await LinkedStores.open([dublin, virginia])
  await stores.in(dublin).createGlobalTable('music', [dublin])
  const joined = stores.in(dublin).run(dublin, 'CreateGlobalTable', {
    GlobalTableName: 'music',
    ReplicationGroup: [{ RegionName: dublin }, { RegionName: virginia }],
  })
  await expect(joined).rejects.toThrow(
    'us-east-1 is on another server. Use UpdateTable with ReplicaUpdates instead.',
  )
  await stores.close()
})

test('a replica in another store is created, filled and kept up to date, in both directions', async () => {
  const stores = await linkedReplicas()
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

test('what has arrived is not counted as something to be sent back', async () => {
  const stores = await linkedReplicas()
  await stores.in(dublin).put(dublin, 'music', item('a'))
  // The second time says that the first has arrived, and looks at what it has left in the other log.
  await stores.exchangeAll(2)
  for (const region of [dublin, virginia]) {
    const { links } = await stores.in(region).owned.engine.replicationReport()
    expect(links).toMatchObject([{ from: region, pending: 0, lagMs: 0 }])
  }
  await stores.close()
})

test('a clock that is an hour ahead wins only what has not been seen, and all that is lost is told', async () => {
  const stores = await linkedReplicas()
  const put = (region: string, pk: string, v: string): Promise<unknown> =>
    stores.in(region).put(region, 'music', item(pk, { v: { S: v } }))
  stores.in(dublin).advance(3_600_000)
  await put(dublin, 'answered', 'dublin')
  await stores.exchangeAll(1)
  // Who has seen a write and then writes, wins, however late the clock of the other is.
  await put(virginia, 'answered', 'virginia')
  await put(dublin, 'at once', 'dublin')
  stores.advance(1_000)
  await put(virginia, 'at once', 'virginia')
  await stores.exchangeAll(2)
  // Set right, it does not lose against what it wrote before.
  stores.in(dublin).advance(-3_600_000)
  await put(dublin, 'answered', 'dublin again')
  await stores.exchangeAll(2)
  for (const region of [dublin, virginia]) {
    expect(await stores.in(region).items(region, 'music')).toMatchObject({
      answered: item('answered', { v: { S: 'dublin again' } }),
      'at once': item('at once', { v: { S: 'dublin' } }),
    })
    expect(await stores.in(region).owned.engine.conflicts()).toMatchObject([
      { winner: { region: dublin }, loser: { region: virginia, item: item('at once', { v: { S: 'virginia' } }) } },
    ])
  }
  await stores.close()
})

test('a third store gets what all others have and write', async () => {
  const stores = await linkedReplicas([dublin, virginia, tokyo])
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

test('settings that were changed in one store are changed in the others', async () => {
  const stores = await linkedReplicas()
  const settings = async (region: string): Promise<object> => {
    const { Table } = await stores.in(region).run(region, 'DescribeTable', { TableName: 'music' })
    const { GlobalSecondaryIndexes, TableClassSummary } = Table as Record<string, unknown>
    const { TimeToLiveDescription } = await stores
      .in(region)
      .run(region, 'DescribeTimeToLive', { TableName: 'music' })
    const indexes = (GlobalSecondaryIndexes ?? []) as { IndexName: string; IndexStatus: string }[]
    return {
      indexes: indexes.map(({ IndexName, IndexStatus }) => `${IndexName} ${IndexStatus}`),
      tableClass: (TableClassSummary as { TableClass: string } | undefined)?.TableClass,
      expiry: (TimeToLiveDescription as { AttributeName?: string }).AttributeName,
    }
  }
  stores.advance(10)
  await stores.in(virginia).run(
    virginia,
    'UpdateTable',
    update({
      AttributeDefinitions: [{ AttributeName: 'mood', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'moods',
            KeySchema: [{ AttributeName: 'mood', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        },
      ],
    }),
  )
  await stores.in(virginia).owned.engine.background.idle()
  await stores.in(virginia).run(virginia, 'UpdateTable', update({ TableClass: 'STANDARD_INFREQUENT_ACCESS' }))
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ends' }
  await stores.in(virginia).run(virginia, 'UpdateTimeToLive', update({ TimeToLiveSpecification }))
  await stores.exchangeAll(6)
  const expected = {
    indexes: ['teams ACTIVE', 'moods ACTIVE'],
    tableClass: 'STANDARD_INFREQUENT_ACCESS',
    expiry: 'ends',
  }
  expect(await settings(virginia)).toEqual(expected)
  expect(await settings(dublin)).toEqual(expected)

  stores.advance(10)
  await stores
    .in(dublin)
    .run(dublin, 'UpdateTable', update({ GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'teams' } }] }))
  await stores.exchangeAll()
  expect(await settings(virginia)).toMatchObject({ indexes: ['moods ACTIVE'] })
  await stores.close()
})

test('a replica that is removed sends what it has left first, and is gone on both sides', async () => {
  const stores = await linkedReplicas([dublin, virginia, tokyo])
  stores.advance(10)
  await stores.in(virginia).put(virginia, 'music', item('last'))
  await stores
    .in(tokyo)
    .run(tokyo, 'UpdateTable', update({ ReplicaUpdates: [{ Delete: { RegionName: virginia } }] }))
  await stores.exchangeAll(8)
  for (const region of [dublin, tokyo]) {
    expect(await stores.in(region).get(region, 'music', 'last')).toBeDefined()
    expect(await statusIn(stores, region)).toEqual(['ACTIVE', `${region === dublin ? tokyo : dublin} ACTIVE`])
  }
  expect(await stores.in(virginia).refusal(virginia, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')

  // And it can come back.
  stores.advance(10)
  await stores
    .in(tokyo)
    .run(tokyo, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName: virginia } }] }))
  await stores.exchangeAll()
  expect(await stores.in(virginia).items(virginia, 'music')).toEqual(await stores.in(tokyo).items(tokyo, 'music'))
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE', `${tokyo} ACTIVE`, `${virginia} ACTIVE`])
  await stores.close()
})

test('a replica that has only some of its items yet cannot be backed up', async () => {
  const stores = await LinkedStores.open([dublin, virginia])
  await stores.in(dublin).createGlobalTable('music', [dublin])
  await stores
    .in(dublin)
    .run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName: virginia } }] }))
  const { store } = stores.in(virginia)
  const lease: Lease = { aborted: false, transact: store.transact.bind(store) }
  const ask = (request: object): Promise<Buffer> =>
    stores.links(dublin).answerExchange(Buffer.from(`${JSON.stringify(request)}\n`), new AbortController().signal)
  const links = stores.links(virginia)
  await links.exchange(links.receiver(dublin, lease), ask, 0)
  const backup = { TableName: 'music', BackupName: 'first' }
  expect(await stores.in(virginia).refusal(virginia, 'CreateBackup', backup)).toBe(
    'ContinuousBackupsUnavailableException: Backups are being enabled for the table: music. Please retry later',
  )
  await stores.exchangeAll()
  await stores.in(virginia).run(virginia, 'CreateBackup', backup)
  await stores.close()
})

test('a replica that leaves sends what it has left to one that is new, too', async () => {
  const stores = await LinkedStores.open([virginia, tokyo, dublin])
  await stores.in(virginia).createGlobalTable('music', [virginia])
  for (const RegionName of [tokyo, dublin]) {
    stores.advance(10)
    await stores.in(virginia).run(virginia, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName } }] }))
    // Dublin is filled from Virginia, and cannot reach Tokyo.
    if (RegionName === tokyo) await stores.exchangeAll()
    else await stores.exchange(virginia, dublin)
  }
  stores.advance(10)
  await stores.in(tokyo).put(tokyo, 'music', item('late'))
  await stores.in(tokyo).run(tokyo, 'DeleteTable', { TableName: 'music' })
  for (let round = 0; round < 4; round++) {
    await stores.exchange(tokyo, virginia)
    await stores.exchange(virginia, tokyo)
  }
  await stores.exchangeAll(8)
  expect(await stores.in(dublin).get(dublin, 'music', 'late')).toBeDefined()
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE', `${virginia} ACTIVE`])
  expect(await statusIn(stores, virginia)).toEqual(['ACTIVE', `${dublin} ACTIVE`])
  expect(await stores.in(tokyo).refusal(tokyo, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  await stores.close()
})

test('a replica that is removed while it fills another one fills that first', async () => {
  const stores = await LinkedStores.open([dublin, virginia, tokyo])
  await stores.in(dublin).createGlobalTable('music', [dublin])
  await stores.in(dublin).put(dublin, 'music', item('before'))
  await stores
    .in(dublin)
    .run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName: virginia } }] }))
  await stores.exchangeAll()
  stores.advance(10)
  await stores
    .in(virginia)
    .run(virginia, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName: tokyo } }] }))
  expect(await stores.in(virginia).refusal(virginia, 'DeleteTable', { TableName: 'music' })).toMatch(
    /^ResourceInUseException: .*Table is being updated: music$/,
  )
  // Dublin has not heard of it yet, and Tokyo cannot be reached for a while.
  await stores
    .in(dublin)
    .run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Delete: { RegionName: virginia } }] }))
  for (let round = 0; round < 4; round++) {
    await stores.exchange(dublin, virginia)
    await stores.exchange(virginia, dublin)
  }
  await stores.exchangeAll(8)
  expect(await stores.in(tokyo).get(tokyo, 'music', 'before')).toBeDefined()
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE', `${tokyo} ACTIVE`])
  expect(await statusIn(stores, tokyo)).toEqual(['ACTIVE', `${dublin} ACTIVE`])
  expect(await stores.in(virginia).refusal(virginia, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  await stores.close()
})

test('what comes back after it was removed is received from its beginning, also by a server that kept running', async () => {
  const stores = await linkedReplicas()
  const { store } = stores.in(dublin)
  const lease = { aborted: false, transact: store.transact.bind(store) }
  const running = stores.links(dublin).receiver(virginia, lease)
  const replicas = async (change: object): Promise<void> => {
    await stores.in(dublin).run(dublin, 'UpdateTable', update({ ReplicaUpdates: [change] }))
    await stores.exchangeAll(6)
  }
  await stores.in(virginia).put(virginia, 'music', item('first'))
  await stores.exchangeAll(2)
  expect(await running.request(0, [])).toMatchObject({ tables: [{ region: dublin }] })
  await replicas({ Delete: { RegionName: virginia } })
  await replicas({ Create: { RegionName: virginia } })
  const { tables } = await stores.links(dublin).receiver(virginia, lease).request(0, [])
  expect((await running.request(0, [])).tables).toEqual(tables)
  await stores.close()
})

test('how far a replica is that came back is remembered, though it is as far as the one before', async () => {
  const stores = await linkedReplicas([dublin, virginia, tokyo])
  const isKnown = async (): Promise<boolean> => {
    const { catalog } = stores.in(dublin).owned.engine
    const { definition } = [...catalog.all()][0] ?? {}
    return stores
      .in(dublin)
      .store.view(
        async (snapshot) => definition !== undefined && (await unsentSince(snapshot, definition, virginia)) > 0,
      )
  }
  await stores.exchangeAll(2)
  expect(await isKnown()).toBe(true)
  for (const change of [{ Delete: { RegionName: virginia } }, { Create: { RegionName: virginia } }]) {
    stores.advance(10)
    await stores.in(tokyo).run(tokyo, 'UpdateTable', update({ ReplicaUpdates: [change] }))
    await stores.exchangeAll(8)
  }
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE', `${tokyo} ACTIVE`, `${virginia} ACTIVE`])
  expect(await isKnown()).toBe(true)
  await stores.close()
})

test('DeleteTable removes a replica from the others, once they have what was written to it', async () => {
  const stores = await linkedReplicas()
  stores.advance(10)
  await stores.in(virginia).put(virginia, 'music', item('last'))
  await stores.in(virginia).run(virginia, 'DeleteTable', { TableName: 'music' })
  expect(await stores.in(virginia).refusal(virginia, 'PutItem', update({ Item: item('late') }))).toContain(
    'NotFound',
  )
  await stores.exchangeAll(8)
  expect(await stores.in(virginia).refusal(virginia, 'DescribeTable', { TableName: 'music' })).toContain('NotFound')
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE'])
  expect(await stores.in(dublin).get(dublin, 'music', 'last')).toBeDefined()
  await stores.close()
})

test('a replica whose writes no other server would ask for is refused', async () => {
  const stores = await linkedReplicas()
  const regions = stores.in(virginia)
  const create = (RegionName: string): object => update({ ReplicaUpdates: [{ Create: { RegionName } }] })
  // In the store of Virginia, which is linked to Dublin.
  expect(await regions.refusal(virginia, 'UpdateTable', create('us-west-2'))).toBe(
    'ValidationException: The replicas of a global table are all in one store, or each on a server of its own. The replica in eu-west-1 is on another server, and no link leads to us-west-2: start a server for it, and link all others to it.',
  )
  await regions.createGlobalTable('local', [virginia, 'us-west-2'])
  const linked = { TableName: 'local', ReplicaUpdates: [{ Create: { RegionName: dublin } }] }
  expect(await regions.refusal(virginia, 'UpdateTable', linked)).toContain('no link leads to us-west-2')
  await regions.createGlobalTable('away', [tokyo])
  expect(await regions.refusal(tokyo, 'UpdateTable', { ...linked, TableName: 'away' })).toBe(
    'ValidationException: This server stands for us-east-1: only tables in that Region can have replicas on other servers. This table is in ap-northeast-1.',
  )
  await stores.close()
})

test('a table of that name that is there already cannot become a replica', async () => {
  const stores = await LinkedStores.open([dublin, virginia])
  for (const region of [dublin, virginia]) await stores.in(region).createGlobalTable('music', [region])
  await stores
    .in(dublin)
    .run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName: virginia } }] }))
  await stores.exchangeAll()
  expect(await statusIn(stores, dublin)).toEqual(['ACTIVE'])
  expect(stores.told).toEqual([
    expect.stringContaining('Table already exists: music'),
    expect.stringContaining('us-east-1 cannot create a replica of music'),
  ])
  await stores.close()
})

test('a replica that is heard of twice is created once', async () => {
  const stores = await LinkedStores.open([dublin, virginia])
  await stores.in(dublin).createGlobalTable('music', [dublin])
  const ask = (change: object): Promise<unknown> =>
    stores.in(dublin).run(dublin, 'UpdateTable', update({ ReplicaUpdates: [change] }))
  await ask({ Create: { RegionName: virginia } })
  await stores.exchange(virginia, dublin)
  // Both sides hear of it at once, in a request and in a response.
  await Promise.all([stores.exchange(virginia, dublin), stores.exchange(dublin, virginia)])
  await stores.exchangeAll(2)
  expect(await statusIn(stores, virginia)).toEqual(['ACTIVE', 'eu-west-1 ACTIVE'])
  expect(stores.told).toEqual([])
  await stores.close()
})

test('tombstones stay until every store has said that it has them', async () => {
  const stores = await linkedReplicas()
  stores.advance(10)
  await stores.in(dublin).run(dublin, 'DeleteItem', update({ Key: item('before') }))
  const hourMs = 3_600_000
  const sweep = async (): Promise<readonly number[]> => {
    const left: number[] = []
    for (const region of [dublin, virginia]) {
      await forgetTombstones(stores.in(region).owned.engine, { aborted: false })
      left.push(await tombstonesIn(stores.in(region).store))
    }
    return left
  }
  stores.advance(3 * hourMs)
  expect(await sweep()).toEqual([1, 0])
  await stores.exchangeAll(1)
  expect(await sweep()).toEqual([1, 1])
  stores.advance(3 * hourMs)
  await stores.exchangeAll()
  expect(await sweep()).toEqual([0, 0])
  await stores.close()
})

test('a deletion that is dated hours ahead stays known, so that the next write is dated later', async () => {
  const stores = await linkedReplicas()
  const hourMs = 3_600_000
  stores.in(dublin).advance(8 * hourMs)
  await stores.in(dublin).run(dublin, 'DeleteItem', update({ Key: item('before') }))
  await stores.exchangeAll(1)
  const { owned } = stores.in(virginia)
  for (const left of [1, 0]) {
    stores.advance(6 * hourMs)
    await stores.exchangeAll(2)
    await forgetTombstones(owned.engine, { aborted: false })
    expect(await tombstonesIn(stores.in(virginia).store)).toBe(left)
    await stores.in(virginia).put(virginia, 'music', item(`again ${left}`))
    if (left === 1) continue
    await stores.in(virginia).put(virginia, 'music', item('before', { v: { N: '2' } }))
    await stores.exchangeAll(1)
    expect(await stores.in(dublin).get(dublin, 'music', 'before')).toEqual(item('before', { v: { N: '2' } }))
  }
  await stores.close()
})

async function tombstonesIn(store: Store): Promise<number> {
  let count = 0
  await store.view((snapshot) =>
    snapshot.range({ from: Buffer.of(keySpace.tombstone), to: Buffer.of(keySpace.tombstone + 1) }, () => {
      count++
      return true
    }),
  )
  return count
}

test('a store whose clock is an hour ahead wins until others have seen what it wrote', async () => {
  const stores = await linkedReplicas()
  stores.in(virginia).advance(3_600_000)
  await stores.in(virginia).put(virginia, 'music', item('both', { from: { S: 'virginia' } }))
  stores.advance(1_000)
  await stores.in(dublin).put(dublin, 'music', item('both', { from: { S: 'dublin' } }))
  await stores.exchangeAll(1)
  for (const region of [dublin, virginia]) {
    expect(await stores.in(region).get(region, 'music', 'both')).toMatchObject({ from: { S: 'virginia' } })
  }
  await stores.in(dublin).put(dublin, 'music', item('both', { from: { S: 'dublin again' } }))
  await stores.exchangeAll(1)
  for (const region of [dublin, virginia]) {
    expect(await stores.in(region).get(region, 'music', 'both')).toMatchObject({ from: { S: 'dublin again' } })
  }
  await stores.close()
})

test('a link can be cut and slowed on purpose, on either side', async () => {
  const stores = await linkedReplicas()
  const { regions } = stores.in(virginia).owned.engine
  const seen = async (): Promise<boolean> =>
    (await stores.in(virginia).get(virginia, 'music', 'late')) !== undefined
  await stores.in(dublin).owned.engine.regions.isolate(virginia)
  await stores.in(dublin).put(dublin, 'music', item('late'))
  await stores.exchangeAll(1)
  expect(await seen()).toBe(false)
  await stores.in(dublin).owned.engine.regions.heal()
  await regions.isolate(dublin)
  await stores.exchangeAll(1)
  expect(await seen()).toBe(false)
  await regions.heal()
  await regions.lag(dublin, 60_000)
  await stores.exchangeAll(1)
  expect(await seen()).toBe(false)
  stores.advance(61_000)
  await stores.exchangeAll(1)
  expect(await seen()).toBe(true)
  await stores.close()
})
