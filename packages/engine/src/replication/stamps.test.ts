import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Table } from '../catalog/table.ts'
import { StoredItem, stampInside, storedHeaderDamage } from '../items/stored-item.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import { itemStampKey } from '../layout/replication-keys.ts'
import type { Key, Value } from '../store/store.ts'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
})

afterEach(() => regions.close())

describe('the stamp of an item', () => {
  test('is in the item, and in nothing else', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(dublin, 'music', { pk: { S: 'a' }, team: { S: 't' } })
    await regions.replicate()
    for (const region of [dublin, ohio]) {
      const table = tableIn(region)
      const [item] = await entriesIn(keySpace.item, table.id)
      const [entry] = await entriesIn(keySpace.indexEntry, table.definition.globalIndexes[0]?.indexId ?? 0)
      expect(item && stampInside(item.value, stampsIdOf(table))).toBeDefined()
      expect(item && new StoredItem(item.value).plainValue).toEqual(entry?.value)
      expect(await entriesIn(keySpace.itemStamp, stampsIdOf(table))).toEqual([])
    }
  })

  test('goes where the item was deleted, and back into the item that comes after', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    const table = tableIn(dublin)
    await regions.put(dublin, 'music', { pk: { S: 'a' } })
    await regions.run(dublin, 'DeleteItem', { TableName: 'music', Key: { pk: { S: 'a' } } })
    expect(await entriesIn(keySpace.itemStamp, stampsIdOf(table))).toHaveLength(1)
    expect(await entriesIn(keySpace.tombstone, stampsIdOf(table))).toHaveLength(1)
    await regions.put(dublin, 'music', { pk: { S: 'a' } })
    expect(await entriesIn(keySpace.itemStamp, stampsIdOf(table))).toEqual([])
    expect(await entriesIn(keySpace.tombstone, stampsIdOf(table))).toEqual([])
  })

  test('counts where an earlier version has put it, until the next write', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    for (const pk of ['older', 'newer']) await regions.put(dublin, 'music', { pk: { S: pk }, v: { N: '1' } })
    await regions.replicate()
    for (const region of [dublin, ohio]) await moveStampsApart(tableIn(region))
    regions.advance(-1_000)
    await regions.put(ohio, 'music', { pk: { S: 'older' }, v: { N: '2' } })
    regions.advance(2_000)
    await regions.put(dublin, 'music', { pk: { S: 'older' }, v: { N: '3' } })
    await regions.put(dublin, 'music', { pk: { S: 'newer' }, v: { N: '3' } })
    await regions.replicate()
    for (const region of [dublin, ohio]) {
      expect(await regions.get(region, 'music', 'older')).toEqual({ pk: { S: 'older' }, v: { N: '3' } })
      expect(await regions.get(region, 'music', 'newer')).toEqual({ pk: { S: 'newer' }, v: { N: '3' } })
      expect(await entriesIn(keySpace.itemStamp, stampsIdOf(tableIn(region)))).toEqual([])
    }
    expect(await regions.owned.engine.conflicts()).toMatchObject([{ key: { pk: { S: 'older' } } }])
  })

  test('is that of this replica: a table that was one before has none', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(dublin, 'music', { pk: { S: 'a' } })
    await regions.run(dublin, 'UpdateTable', {
      TableName: 'music',
      ReplicaUpdates: [{ Delete: { RegionName: ohio } }],
    })
    await regions.owned.engine.background.idle()
    expect(tableIn(dublin).definition.replication).toBeUndefined()
    await regions.addReplica(dublin, 'music', ohio)
    const [item] = await entriesIn(keySpace.item, tableIn(dublin).id)
    expect(item && stampInside(item.value, stampsIdOf(tableIn(dublin)))).toBeUndefined()
    // Whatever is written now wins over it, however early its clock says it is.
    regions.advance(-60_000)
    await regions.put(ohio, 'music', { pk: { S: 'a' }, v: { N: '2' } })
    await regions.replicate()
    expect(await regions.get(dublin, 'music', 'a')).toEqual({ pk: { S: 'a' }, v: { N: '2' } })
  })

  test('that is damaged is found', () => {
    const stamped = StoredItem.of({ pk: { S: 'a' } }).stampedValue(7, Buffer.of(9))
    expect(storedHeaderDamage(stamped)).toBe('Its stamp is damaged: its format 9 is unknown.')
    expect(storedHeaderDamage(stamped.subarray(0, 9))).toBe('It is cut short.')
    expect(storedHeaderDamage(Buffer.of(2, 0, 0, 0, 1))).toBe('It is cut short.')
    expect(storedHeaderDamage(Buffer.of(2, 0, 0, 0, 1, 0, 2, 0, 0, 0x7b, 0x7d))).toBe('Its stamp is cut short.')
    expect(storedHeaderDamage(Buffer.of(3, 0, 0, 0, 1, 0))).toBe('It has the format 3, which is unknown.')
  })
})

function tableIn(region: string): Table {
  const table = regions.owned.engine.catalog.find({ accountId: '123456789012', region }, 'music')
  if (table === undefined) throw new Error('the table is there')
  return table
}

function stampsIdOf({ definition }: Table): number {
  return definition.replication?.stampsId ?? 0
}

async function entriesIn(
  space: typeof keySpace.item | typeof keySpace.indexEntry | typeof keySpace.itemStamp | typeof keySpace.tombstone,
  id: number,
): Promise<readonly { readonly key: Key; readonly value: Value }[]> {
  const entries: { readonly key: Key; readonly value: Value }[] = []
  await regions.store.view((snapshot) =>
    snapshot.range(spaceRange(space, id), (key, value) => entries.push({ key, value }) > 0),
  )
  return entries
}

/** As replicas were stored before stamps were in items. */
async function moveStampsApart(table: Table): Promise<void> {
  const stampsId = stampsIdOf(table)
  const items = await entriesIn(keySpace.item, table.id)
  await regions.store.transact([], () => ({
    writes: items.flatMap(({ key, value }) => [
      { kind: 'put' as const, key, value: new StoredItem(value).plainValue },
      {
        kind: 'put' as const,
        key: itemStampKey(stampsId, key),
        value: stampInside(value, stampsId) ?? Buffer.alloc(0),
      },
    ]),
    answer: undefined,
  }))
}
