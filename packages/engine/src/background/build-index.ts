import type { Table } from '../catalog/table.ts'
import type { IndexDefinition } from '../catalog/table-definition.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { Engine } from '../engine.ts'
import { indexEntryOf } from '../indexes/index-entry.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import { storedOf } from '../items/change-plan.ts'
import { following } from '../layout/key-bounds.ts'
import { countsKey, keySpace, spaceRange } from '../layout/key-space.ts'
import { decodeCounters } from '../store/counters.ts'
import type { Decision, Key, Store, Write } from '../store/store.ts'
import { breathe } from './background-work.ts'
import type { Lease } from './leases.ts'

const itemsPerTransaction = 200

/** Fills an index of an existing table while the table goes on being written.
 *
 *  From the moment the index is in the table's definition, every write keeps it up to date; this only adds the entries
 *  of items that nobody has written since. Each transaction reads its items again, so that what it adds is what the
 *  item is then: an entry is never older than its item, and none is added for an item that has gone. Doing a page
 *  twice changes nothing, so a restart may begin anew. */
export async function buildIndex(engine: Engine, table: Table, indexId: number, lease: Lease): Promise<void> {
  let from: Key = spaceRange(keySpace.item, table.id).from
  while (!lease.aborted) {
    const keys = await nextKeys(engine.store, table, from)
    if (keys.length === 0) break
    await addEntries(engine, table, indexId, keys)
    from = following(keys.at(-1) ?? from)
    await breathe()
  }
  if (lease.aborted || indexOf(table, indexId) === undefined) return
  await correctCounts(engine, table, indexId, lease)
  if (lease.aborted || indexOf(table, indexId) === undefined) return
  await engine.catalog.change(
    table,
    (definition) => {
      const globalIndexes = definition.globalIndexes.map((index) =>
        index.indexId === indexId ? activated(index) : index,
      )
      const settled = globalIndexes.every(({ status }) => status === 'ACTIVE')
      return { ...definition, status: settled ? 'ACTIVE' : definition.status, globalIndexes }
    },
    lease,
  )
}

async function nextKeys(store: Store, table: Table, from: Key): Promise<readonly Key[]> {
  const keys: Key[] = []
  const { to } = spaceRange(keySpace.item, table.id)
  await store.view((snapshot) =>
    snapshot.range({ from, to, limit: itemsPerTransaction }, (key) => {
      keys.push(key)
      return keys.length < itemsPerTransaction
    }),
  )
  return keys
}

function addEntries(engine: Engine, table: Table, indexId: number, keys: readonly Key[]): Promise<void> {
  return transactOnTables(engine, [table], keys, (values) => {
    const writes: Write[] = []
    const index = indexOf(table, indexId)
    keys.forEach((key, position) => {
      const stored = storedOf(values[position])
      const entry = index && stored && indexEntryOf(table.definition, index, key, stored)
      if (entry) writes.push({ kind: 'put', key: entry.key, value: entry.stored.value })
    })
    return { writes, answer: undefined }
  })
}

/** Writes that came before their item's entry was added have counted wrongly. Once every entry is there, the
 *  difference between what one snapshot holds and what it says it holds is the whole error. */
async function correctCounts(engine: Engine, table: Table, indexId: number, lease: Lease): Promise<void> {
  const snapshot = await engine.store.openSnapshot()
  try {
    const { from, to } = spaceRange(keySpace.indexEntry, indexId)
    const [saidItems = 0, saidBytes = 0] = decodeCounters(await snapshot.get(countsKey(indexId)))
    let items = 0
    let bytes = 0
    let next: Key | undefined = from
    while (next !== undefined && !lease.aborted) {
      let last: Key | undefined
      let count = 0
      await snapshot.range({ from: next, to, limit: 5_000 }, (key, value) => {
        bytes += storedSizeBytes(value)
        last = key
        return ++count < 5_000
      })
      items += count
      next = last === undefined ? undefined : following(last)
      await breathe()
    }
    if (lease.aborted) return
    const correction: Write = {
      kind: 'add',
      key: countsKey(indexId),
      amounts: [items - saidItems, bytes - saidBytes],
    }
    // To correct twice would be wrong again, and so would counts of an index that has gone: hence the lease, and the table.
    const decide = (): Decision<void> => ({
      writes: indexOf(table, indexId) === undefined ? [] : [correction],
      answer: undefined,
    })
    await transactOnTables(engine, [table], [], decide, lease)
  } finally {
    snapshot.close()
  }
}

/** The index, unless it or its table has been dropped meanwhile. */
function indexOf(table: Table, indexId: number): IndexDefinition | undefined {
  if (table.definition.status === 'DELETING') return undefined
  return table.definition.globalIndexes.find((index) => index.indexId === indexId && index.status !== 'DELETING')
}

function activated(index: IndexDefinition): IndexDefinition {
  const { backfilling: _, ...rest } = index
  return { ...rest, status: 'ACTIVE' }
}
