import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Table } from '../catalog/table.ts'
import { TestRegions } from './testing/regions.ts'
import { UnsentChanges, type Outbox } from './unsent-changes.ts'

const dublin = 'eu-west-1'
// Names of different lengths: a stamp that is too short for the one must not be read beyond its end.
const tokyo = 'ap-northeast-1'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
  await regions.createGlobalTable('music', [dublin, tokyo])
  await regions.replicate()
})

afterEach(() => regions.close())

/** Undefined on stores that cannot be followed: there, everything is read from the log. */
const outboxOf = (from: string, to: string): Outbox | undefined =>
  regions.owned.engine.unsent.of(tableIn(from), tableIn(to))

function tableIn(region: string): Table {
  const table = regions.owned.engine.catalog.find({ accountId: '123456789012', region }, 'music')
  if (table === undefined) throw new Error('the table is there')
  return table
}

const pending = async (): Promise<readonly number[]> =>
  (await regions.owned.engine.replicationReport()).links.map((link) => link.pending)

test('the last state of each item is remembered and sent, and a deletion', async () => {
  const isFollowed = regions.store.follow !== undefined
  await regions.put(dublin, 'music', { pk: { S: 'a' }, n: { N: '1' } })
  await regions.put(dublin, 'music', { pk: { S: 'a' }, n: { N: '2' } })
  await regions.put(dublin, 'music', { pk: { S: 'b' } })
  expect(outboxOf(dublin, tokyo)?.count).toBe(isFollowed ? 2 : undefined)
  await regions.replicate()
  expect(await regions.items(tokyo, 'music')).toEqual({
    a: { pk: { S: 'a' }, n: { N: '2' } },
    b: { pk: { S: 'b' } },
  })
  await regions.run(dublin, 'DeleteItem', { TableName: 'music', Key: { pk: { S: 'a' } } })
  await regions.replicate()
  expect(Object.keys(await regions.items(tokyo, 'music'))).toEqual(['b'])
  expect(await pending()).toEqual([0, 0])
})

test('what has arrived is not sent back, and replaces what was to be sent', async () => {
  await regions.put(dublin, 'music', { pk: { S: 'a' }, from: { S: dublin } })
  await regions.replicate()
  expect(outboxOf(tokyo, dublin)?.count ?? 0).toBe(0)
  regions.advance(10)
  await regions.put(tokyo, 'music', { pk: { S: 'a' }, from: { S: tokyo } })
  await regions.replicate()
  const expected = { a: { pk: { S: 'a' }, from: { S: tokyo } } }
  expect([await regions.items(dublin, 'music'), await regions.items(tokyo, 'music')]).toEqual([expected, expected])
})

test('what is too much to be remembered is forgotten, and what a region misses is in the log', async () => {
  const { engine } = regions.owned
  const unsent = new UnsentChanges(engine.store, () => engine.clock.steady(), 1_000)
  const begun = unsent.begin(tableIn(dublin), tableIn(tokyo))
  begun?.sent()
  expect(unsent.of(tableIn(dublin), tableIn(tokyo))).toBe(begun)
  await regions.put(dublin, 'music', { pk: { S: 'a' }, text: { S: 'x'.repeat(1_000) } })
  expect(unsent.of(tableIn(dublin), tableIn(tokyo))).toBeUndefined()

  await engine.regions.change(tokyo, { isIsolated: true })
  await regions.replicate()
  expect(outboxOf(dublin, tokyo)).toBeUndefined()
  await regions.put(dublin, 'music', { pk: { S: 'b' } })
  await engine.regions.change(tokyo, { isIsolated: undefined })
  await regions.replicate()
  expect(Object.keys(await regions.items(tokyo, 'music')).toSorted()).toEqual(['a', 'b'])
})

test('a replica that comes back gets what only the one before it was sent', async () => {
  const ohio = 'us-east-2'
  const { engine } = regions.owned
  await regions.addReplica(dublin, 'music', ohio)
  await regions.replicate()
  // Dublin does not get it, and will fill the new replica in Tokyo.
  await engine.regions.change(dublin, { isIsolated: true })
  await regions.put(ohio, 'music', { pk: { S: 'a' } })
  await regions.replicate()
  expect(Object.keys(await regions.items(tokyo, 'music'))).toEqual(['a'])
  const ReplicaUpdates = [{ Delete: { RegionName: tokyo } }]
  await regions.run(dublin, 'UpdateTable', { TableName: 'music', ReplicaUpdates })
  await expect
    .poll(() => engine.catalog.find({ accountId: '123456789012', region: tokyo }, 'music'))
    .toBeUndefined()
  await engine.background.idle()
  await engine.regions.change(dublin, { isIsolated: undefined })
  await regions.addReplica(dublin, 'music', tokyo)
  await regions.replicate()
  for (const region of [dublin, ohio, tokyo])
    expect(Object.keys(await regions.items(region, 'music'))).toEqual(['a'])
})
