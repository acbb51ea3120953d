import { expect, test } from 'vitest'
import { itemStampKey, tombstonesBefore } from '../layout/replication-keys.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import { TestRegions } from '../replication/testing/regions.ts'
import type { Key, Range, Store } from '../store/store.ts'
import { verifyStore } from './verify-store.ts'

test('stamps and tombstones that fit no item are found', async () => {
  const regions = await TestRegions.open()
  await regions.createGlobalTable('music', ['eu-west-1', 'us-east-2'])
  for (const pk of ['a', 'b', 'c']) await regions.put('eu-west-1', 'music', { pk: { S: pk } })
  await regions.run('eu-west-1', 'DeleteItem', { TableName: 'music', Key: { pk: { S: 'c' } } })
  const { store } = regions
  expect(await problems(store)).toEqual([])
  const table = regions.owned.engine.catalog.find({ accountId: '123456789012', region: 'eu-west-1' }, 'music')
  const stampsId = table?.definition.replication?.stampsId ?? 0
  const [first, second] = await keysIn(store, spaceRange(keySpace.item, table?.id ?? 0))
  const [tombstone] = await keysIn(store, tombstonesBefore(stampsId, Number.MAX_SAFE_INTEGER))
  if (first === undefined || second === undefined || tombstone === undefined) throw new Error('they are there')
  await store.transact([], () => ({
    writes: [
      { kind: 'put', key: itemStampKey(stampsId, first), value: Buffer.of(9) },
      { kind: 'put', key: itemStampKey(stampsId, Buffer.concat([second, Buffer.of(1)])), value: stampValue },
      { kind: 'delete', key: tombstone },
    ],
    answer: undefined,
  }))
  expect(await problems(store)).toEqual([
    'A stamp belongs to an item that does not exist.',
    'A tombstone is missing: the stamp would never be removed.',
    'The stamp of an item is damaged: its format 9 is unknown.',
  ])
  await regions.owned.engine.close()
})

/** Of a write at the beginning of 1970, in `x`. */
const stampValue = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0x78, 0])

async function problems(store: Store): Promise<readonly string[]> {
  const found: string[] = []
  await verifyStore({ store, onFinding: ({ problem }) => found.push(problem) })
  return found.toSorted()
}

async function keysIn(store: Store, range: Range): Promise<readonly Key[]> {
  const keys: Key[] = []
  await store.view((snapshot) => snapshot.range(range, (key) => keys.push(key) > 0))
  return keys
}
