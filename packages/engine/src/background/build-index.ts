import type { Table } from '../catalog/table.ts'
import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { transactOnTables, type Transacting } from '../catalog/transact-on-tables.ts'
import { withoutCut } from '../cuts/cut-definition.ts'
import { itemsOfCut, type CutPage } from '../cuts/items-of-cut.ts'
import { withStatus } from '../replication/members.ts'
import type { BackgroundHost } from '../work/background-host.ts'
import { indexEntryOf, type IndexEntry } from '../items/index-entry.ts'
import { StoredItem } from '../items/stored-item.ts'
import { countsKey, keySpace, spaceRange } from '../layout/key-space.ts'
import type { Decision, Key, Value, Write } from '../store/store.ts'
import { breathe } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import { progressEnd, progressWrite, readProgress } from '../work/work-progress.ts'

/** Fills an index of an existing table while the table is in use. As soon as the index is in the table's definition,
 *  every write keeps it up to date and counts what it changes. This only adds the entries of the items that existed
 *  at that moment, and counts them as they were then. Each transaction reads its items again, so that it adds what
 *  the item is now: an entry is never older than its item, and none is added for an item that was deleted. The
 *  progress is written with each page, so that a process that takes over counts nothing twice. */
export async function buildIndex(
  engine: Transacting & BackgroundHost,
  table: Table,
  indexId: number,
  lease: Lease,
): Promise<void> {
  await engine.refresh()
  const cutId = indexOf(table, indexId)?.cutId
  if (cutId === undefined) return
  const whole = spaceRange(keySpace.item, table.id)
  const { next } = (await readProgress<BuildProgress>(engine.store, indexId)) ?? {}
  const from = next === undefined ? whole.from : Buffer.from(next, 'base64')
  for await (const page of itemsOfCut(engine.store, { ...whole, from }, cutId)) {
    if (lease.aborted || !(await addPage(engine, table, indexId, page, lease))) return
    await breathe()
  }
  if (lease.aborted || indexOf(table, indexId) === undefined) return
  const activate = (definition: TableDefinition): TableDefinition => activated(definition, indexId, cutId)
  await engine.catalog.change(table, activate, lease, () => [progressEnd(indexId)])
  engine.purge()
}

/** ON DISK as JSON. */
interface BuildProgress {
  /** The key of the first item whose entry may still be missing, in base64. */
  readonly next: string
}

/** False if the index was deleted. */
function addPage(
  engine: Transacting & BackgroundHost,
  table: Table,
  indexId: number,
  { items, next }: CutPage,
  lease: Lease,
): Promise<boolean> {
  const keys = items.map(({ key }) => key)
  const progress: BuildProgress = { next: Buffer.from(next).toString('base64') }
  const decide = (values: readonly (Value | undefined)[]): Decision<boolean> => {
    const index = indexOf(table, indexId)
    if (index === undefined) return { writes: [], answer: false }
    const writes: Write[] = [progressWrite(indexId, progress)]
    let counted = 0
    let bytes = 0
    items.forEach(({ key, value: then }, position) => {
      const now = values[position]
      const entry = entryOf(table, index, key, now)
      if (entry !== undefined) writes.push({ kind: 'put', key: entry.key, value: entry.stored.plainValue })
      const old = now?.equals(then) === true ? entry : entryOf(table, index, key, then)
      if (old === undefined) return
      counted++
      bytes += old.stored.sizeBytes
    })
    if (counted > 0) writes.push({ kind: 'add', key: countsKey(indexId), amounts: [counted, bytes] })
    return { writes, answer: true }
  }
  return transactOnTables(engine, [table], keys, decide, lease)
}

function entryOf(
  { definition }: Table,
  index: IndexDefinition,
  key: Key,
  value: Value | undefined,
): IndexEntry | undefined {
  return value === undefined ? undefined : indexEntryOf(definition, index, key, new StoredItem(value))
}

/** The index, unless it or its table has been deleted meanwhile. */
function indexOf(table: Table, indexId: number): IndexDefinition | undefined {
  if (table.definition.status === 'DELETING') return undefined
  return table.definition.globalIndexes.find((index) => index.indexId === indexId && index.status !== 'DELETING')
}

function activated(definition: TableDefinition, indexId: number, cutId: number): TableDefinition {
  const globalIndexes = definition.globalIndexes.map((index): IndexDefinition => {
    if (index.indexId !== indexId) return index
    const { backfilling: _backfilling, cutId: _cutId, ...rest } = index
    return { ...rest, status: 'ACTIVE' }
  })
  return withStatus({ ...withoutCut(definition, cutId), globalIndexes })
}
