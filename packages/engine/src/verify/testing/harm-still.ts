import type { TableDefinition } from '../../definitions/table-definition.ts'
import { catalogKey, countsKey, keySpace, spaceRange } from '../../layout/key-space.ts'
import { decodeCounters, encodeCounters } from '../../store/counters.ts'
import type { Store } from '../../store/store.ts'
import { testScope } from '../../testing/test-engine.ts'
import { entryIn, remove } from './planting.ts'

/** Takes entries of the items whose partition key is `still` out of an index, and makes sizes and counts wrong: all of it in ways
 *  that stay wrong whatever others write meanwhile. */
export async function harmStill(store: Store): Promise<void> {
  const { accountId, region } = testScope
  const value = await store.view((snapshot) => snapshot.get(catalogKey(accountId, region, 'live')))
  const { tableId, globalIndexes } = JSON.parse(String(value)) as TableDefinition
  const index = globalIndexes.find(({ indexName }) => indexName === 'teams')?.indexId ?? 0
  const entry = await entryIn({ store }, [...spaceRange(keySpace.indexEntry, index).from], (found) =>
    found.value.includes('"still"'),
  )
  const item = await entryIn({ store }, [...spaceRange(keySpace.item, tableId).from], (found) =>
    found.value.includes('"still"'),
  )
  const collection = Buffer.from(item.key.subarray(0, 21))
  collection[0] = keySpace.collection
  await store.transact([collection], ([size]) => ({
    writes: [
      remove(entry.key),
      { kind: 'put', key: collection, value: encodeCounters([(decodeCounters(size)[0] ?? 0) + 1000]) },
      { kind: 'add', key: countsKey(tableId), amounts: [3, 7] },
      { kind: 'add', key: countsKey(index), amounts: [1, 0] },
    ],
    answer: undefined,
  }))
}
