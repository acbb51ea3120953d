import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../store/store.ts'
import { openSharedTestStore } from '../testing/open-test-store.ts'
import { TestRegions } from './testing/regions.ts'
import {
  create,
  item,
  makeStrong,
  ohio,
  oregon,
  refusalOfConversion,
  remove,
  virginia,
} from './testing/strong-table.ts'

const unavailable = expect.stringMatching(
  /^ServiceUnavailable: The replica in \S+ cannot reach the other Regions of its global table\./,
)

type Plain = Readonly<Record<string, unknown>>

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
})

afterEach(() => regions.close())

async function read(region: string, pk: string): Promise<unknown> {
  const { Item } = await regions.run(region, 'GetItem', {
    TableName: 'music',
    Key: item(pk),
    ConsistentRead: true,
  })
  return Item
}

const refusedRead = (region: string, pk: string): Promise<string> =>
  regions.refusal(region, 'GetItem', { TableName: 'music', Key: item(pk), ConsistentRead: true })

const refusedWrite = (region: string, pk: string): Promise<string> =>
  regions.refusal(region, 'PutItem', { TableName: 'music', Item: item(pk) })

describe('a strongly consistent global table', () => {
  test('is made of an empty table, with three replicas', async () => {
    expect(await makeStrong(regions)).toMatchObject({
      TableStatus: 'UPDATING',
      MultiRegionConsistency: 'STRONG',
      Replicas: [
        { RegionName: ohio, ReplicaStatus: 'CREATING' },
        { RegionName: oregon, ReplicaStatus: 'CREATING' },
      ],
    })
    for (const region of [virginia, ohio, oregon]) {
      const { Table } = await regions.run(region, 'DescribeTable', { TableName: 'music' })
      expect(Table).toMatchObject({ TableStatus: 'ACTIVE', MultiRegionConsistency: 'STRONG' })
      expect((Table as { Replicas: Plain[] }).Replicas.map(({ ReplicaStatus }) => ReplicaStatus)).toEqual([
        'ACTIVE',
        'ACTIVE',
      ])
      expect(Table).not.toHaveProperty('StreamSpecification')
      expect(Table).not.toHaveProperty('GlobalTableWitnesses')
    }
  })

  test('or with two and a witness, which has no table', async () => {
    await makeStrong(regions, { ReplicaUpdates: [create(ohio)], GlobalTableWitnessUpdates: [create(oregon)] })
    const { Table } = await regions.run(ohio, 'DescribeTable', { TableName: 'music' })
    expect(Table).toMatchObject({
      Replicas: [{ RegionName: virginia, ReplicaStatus: 'ACTIVE' }],
      GlobalTableWitnesses: [{ RegionName: oregon, WitnessStatus: 'ACTIVE' }],
    })
    expect(await refusedRead(oregon, 'a')).toContain('ResourceNotFoundException')
  })

  test('shows each write at once in every region, its indexes included', async () => {
    await makeStrong(regions)
    await regions.put(virginia, 'music', item('a', { team: { S: 't' } }))
    await regions.put(ohio, 'music', item('b', { team: { S: 't' } }))
    await regions.run(oregon, 'DeleteItem', { TableName: 'music', Key: item('a') })
    for (const region of [virginia, ohio, oregon]) {
      expect(await read(region, 'a')).toBeUndefined()
      expect(await read(region, 'b')).toEqual(item('b', { team: { S: 't' } }))
      expect(Object.keys(await regions.items(region, 'music', 'teams'))).toEqual(['b'])
    }
  })

  test('decides conditions on what any region has written', async () => {
    await makeStrong(regions)
    await regions.put(virginia, 'music', item('a'))
    const claim = { TableName: 'music', Item: item('a'), ConditionExpression: 'attribute_not_exists(pk)' }
    expect(await regions.refusal(ohio, 'PutItem', claim)).toContain('ConditionalCheckFailedException')
  })

  test('rejects a write of an item that another region is writing', async () => {
    await makeStrong(regions)
    const outcomes = await Promise.allSettled([
      regions.put(virginia, 'music', item('a', { by: { S: virginia } })),
      regions.put(ohio, 'music', item('a', { by: { S: ohio } })),
      regions.put(ohio, 'music', item('b')),
      regions.put(virginia, 'music', item('a', { by: { S: virginia } })),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({
      reason: {
        code: 'ReplicatedWriteConflictException',
        message: 'One or more items in this request are being modified by a request in another Region.',
      },
    })
    await regions.put(ohio, 'music', item('a', { by: { S: ohio } }))
    expect(await read(virginia, 'a')).toEqual(item('a', { by: { S: ohio } }))
  })

  test('rejects a write that another region overtakes on another server, which may also heal what this one has isolated', async () => {
    const openStore = await openSharedTestStore()
    const overtaken = new OvertakenStore(await openStore())
    const here = await TestRegions.open({ store: overtaken.store, leaseMs: 100 })
    await here.createGlobalTable('music', [virginia])
    const ReplicaUpdates = [create(ohio), create(oregon)]
    const update = { TableName: 'music', MultiRegionConsistency: 'STRONG', ReplicaUpdates }
    await here.run(virginia, 'UpdateTable', update)
    await here.owned.engine.background.idle()
    const there = await TestRegions.open({ store: await openStore(), leaseMs: 100 })
    const add = { TableName: 'music', Key: item('a'), UpdateExpression: 'ADD n :one' }
    const one = { ...add, ExpressionAttributeValues: { ':one': { N: '1' } } }
    overtaken.next = () => there.run(ohio, 'UpdateItem', one)
    expect(await here.refusal(virginia, 'UpdateItem', one)).toContain('ReplicatedWriteConflictException')
    overtaken.next = () => there.run(virginia, 'UpdateItem', one)
    await here.run(virginia, 'UpdateItem', one)
    expect(await here.get(oregon, 'music', 'a')).toEqual(item('a', { n: { N: '3' } }))
    await there.owned.engine.regions.isolate(oregon)
    expect(there.owned.engine.regions.conditions).toEqual({ [oregon]: { isIsolated: true } })
    await here.owned.engine.regions.heal()
    await there.owned.engine.refresh()
    expect(there.owned.engine.regions.conditions).toEqual({})
    await there.close()
    await here.close()
  })

  test('has streams that show the same in each region that has one', async () => {
    await makeStrong(regions)
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' }
    for (const region of [virginia, oregon]) {
      await regions.run(region, 'UpdateTable', { TableName: 'music', StreamSpecification })
    }
    const { Table } = await regions.run(ohio, 'DescribeTable', { TableName: 'music' })
    expect(Table).not.toHaveProperty('StreamSpecification')
    await regions.put(ohio, 'music', item('a'))
    for (const region of [virginia, oregon]) {
      expect(await regions.run(region, 'Scan', { TableName: 'music' })).toMatchObject({ Count: 1 })
    }
    await regions.run(virginia, 'UpdateTable', {
      TableName: 'music',
      StreamSpecification: { StreamEnabled: false },
    })
  })
})

describe('with a region cut off', () => {
  beforeEach(async () => {
    await makeStrong(regions)
    await regions.put(virginia, 'music', item('a', { n: { N: '1' } }))
    await regions.owned.engine.regions.isolate(oregon)
  })

  test('the others go on, and it only reads eventually what it had', async () => {
    await regions.put(ohio, 'music', item('a', { n: { N: '2' } }))
    expect(await read(virginia, 'a')).toMatchObject({ n: { N: '2' } })
    expect(await refusedRead(oregon, 'a')).toEqual(unavailable)
    expect(await refusedWrite(oregon, 'b')).toEqual(unavailable)
    for (const [operation, input] of [
      ['Query', { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } }],
      ['Scan', {}],
    ] as const) {
      const asked = { TableName: 'music', ConsistentRead: true, ...input }
      expect(await regions.refusal(oregon, operation, asked)).toEqual(unavailable)
    }
    const RequestItems = { music: { Keys: [item('a')], ConsistentRead: true } }
    expect(await regions.refusal(oregon, 'BatchGetItem', { RequestItems })).toEqual(unavailable)
    const statement = { Statement: "SELECT * FROM music WHERE pk = 'a'", ConsistentRead: true }
    expect(await regions.refusal(oregon, 'ExecuteStatement', statement)).toEqual(unavailable)
    expect(await regions.get(oregon, 'music', 'a')).toMatchObject({ n: { N: '1' } })
  })

  test('it has everything as soon as it is healed', async () => {
    await regions.put(ohio, 'music', item('a', { n: { N: '2' }, team: { S: 't' } }))
    await regions.put(virginia, 'music', item('b'))
    await regions.run(virginia, 'DeleteItem', { TableName: 'music', Key: item('b') })
    const { links } = await regions.owned.engine.replicationReport()
    expect(links.find(({ from, to }) => from === ohio && to === oregon)).toMatchObject({
      pending: 2,
      status: 'cut',
    })
    await regions.owned.engine.regions.heal()
    expect(await read(oregon, 'a')).toMatchObject({ n: { N: '2' } })
    expect(await regions.items(oregon, 'music', 'teams')).toEqual(await regions.items(ohio, 'music', 'teams'))
    expect(await read(oregon, 'b')).toBeUndefined()
    await regions.put(oregon, 'music', item('c'))
    expect(await read(virginia, 'c')).toEqual(item('c'))
  })

  test('nobody serves if a second one is cut off, and its settings cannot be changed', async () => {
    expect(await refusalOfConversion(regions, { DeletionProtectionEnabled: true })).toEqual(unavailable)
    await regions.owned.engine.regions.isolate(ohio)
    for (const region of [virginia, ohio, oregon]) {
      expect(await refusedWrite(region, 'a')).toEqual(unavailable)
      expect(await refusedRead(region, 'a')).toEqual(unavailable)
    }
    await regions.owned.engine.regions.heal()
    expect(await read(oregon, 'a')).toMatchObject({ n: { N: '1' } })
  })

  test('it can be cut off again before it has everything', async () => {
    const { regions: conditions } = regions.owned.engine
    await Promise.all(Array.from({ length: 150 }, (_, n) => regions.put(ohio, 'music', item(`p${n}`))))
    const healing = conditions.heal(oregon)
    await conditions.isolate(oregon)
    await regions.put(virginia, 'music', item('p1', { n: { N: '2' } }))
    await healing
    expect(await refusedRead(oregon, 'p1')).toEqual(unavailable)
    await conditions.heal()
    await regions.replicate()
    expect(await read(oregon, 'p1')).toMatchObject({ n: { N: '2' } })
    expect(await regions.items(oregon, 'music')).toEqual(await regions.items(virginia, 'music'))
  })
})

test('it is taken apart as a whole, and what remains is an ordinary table with all items', async () => {
  await makeStrong(regions, { ReplicaUpdates: [create(ohio)], GlobalTableWitnessUpdates: [create(oregon)] })
  await regions.put(ohio, 'music', item('a'))
  expect(await refusalOfConversion(regions, { ReplicaUpdates: [remove(ohio)] })).toBe(
    'ValidationException: Update table delete operation does not include all witnesses.',
  )
  await regions.run(virginia, 'UpdateTable', {
    TableName: 'music',
    ReplicaUpdates: [remove(ohio)],
    GlobalTableWitnessUpdates: [remove(oregon)],
  })
  await regions.owned.engine.background.idle()
  const { Table } = await regions.run(virginia, 'DescribeTable', { TableName: 'music' })
  expect(Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 1 })
  expect(Table).not.toHaveProperty('Replicas')
  expect(Table).not.toHaveProperty('MultiRegionConsistency')
  expect(await refusedRead(ohio, 'a')).toContain('ResourceNotFoundException')
  expect(await read(virginia, 'a')).toEqual(item('a'))
  await regions.put(virginia, 'music', item('b'))
  await regions.run(virginia, 'DeleteTable', { TableName: 'music' })
})

/** Lets something else happen between the moment when a decision is first made and its commit, once. */
class OvertakenStore {
  next: (() => Promise<unknown>) | undefined
  readonly store: Store

  constructor(store: Store) {
    const transact: Store['transact'] = async (keys, decide) => {
      const overtake = this.next
      if (overtake !== undefined) {
        this.next = undefined
        decide(await store.view((snapshot) => snapshot.getMany(keys)))
        await overtake()
      }
      return store.transact(keys, decide)
    }
    this.store = new Proxy(store, {
      get: (target, name) => {
        if (name === 'transact') return transact
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
  }
}
