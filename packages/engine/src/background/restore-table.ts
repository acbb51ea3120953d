import { itemsRange } from '../backups/backup-definition.ts'
import { findBackup } from '../backups/find-backup.ts'
import { itemsAt } from '../backups/items-at.ts'
import { recoveryWindow } from '../backups/recovery-window.ts'
import { currentEntries, storedPages, type Entry } from '../backups/stored-pages.ts'
import { collectUndo } from '../backups/undo.ts'
import type { Table } from '../catalog/table.ts'
import type { RestoreDefinition, TableDefinition } from '../catalog/table-definition.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import { isNoItem } from '../cuts/kept-item.ts'
import type { Engine } from '../engine.ts'
import { assertNotDropped } from '../items/change-item.ts'
import { ChangePlan } from '../items/change-plan.ts'
import { StoredItem } from '../items/stored-item.ts'
import { collectionKey } from '../layout/item-keys.ts'
import { countsKey, keySpace, movedItemKey, spaceRange } from '../layout/key-space.ts'
import type { Decision, OpenSnapshot, Value } from '../store/store.ts'
import { breathe } from './background-work.ts'
import type { Lease } from './leases.ts'
import { deleteRange } from './purge.ts'

/** Brings a restored table's items in, with their index entries, then sets the table ACTIVE. Closes the snapshot. */
export async function restoreTable(
  engine: Engine,
  table: Table,
  source: RestoreSource,
  lease: Lease,
): Promise<void> {
  try {
    const { restore } = table.definition
    if (restore === undefined) return
    for await (const page of itemsToRestore(engine, restore, source, lease)) {
      if (lease.aborted) return
      await addItems(engine, table, page, lease)
      await breathe()
    }
    if (lease.aborted) return
    await engine.catalog.change(table, restored, lease)
    engine.purge()
  } finally {
    source.snapshot.close()
  }
}

/** The table or backup to restore, and the snapshot in which to read it. */
export interface RestoreSource {
  readonly definition: TableDefinition
  readonly snapshot: OpenSnapshot
}

/** Begins a restore anew that a stop of the process has interrupted. */
export async function restoreTableAnew(engine: Engine, table: Table, lease: Lease): Promise<void> {
  await engine.refresh()
  const { restore } = table.definition
  if (restore === undefined || table.isDropped) return
  const snapshot = await engine.store.openSnapshot()
  let begun = false
  try {
    const definition = await sourceOrDrop(engine, table, restore)
    await clear(engine, table, lease)
    if (lease.aborted) return
    begun = true
    await restoreTable(engine, table, { definition, snapshot }, lease)
  } finally {
    if (!begun) snapshot.close()
  }
}

/** Without its source, a table will never be complete: there is to be none. */
async function sourceOrDrop(engine: Engine, table: Table, restore: RestoreDefinition): Promise<TableDefinition> {
  try {
    return sourceOf(engine, table, restore)
  } catch (error) {
    await engine.catalog.drop(table)
    engine.purge()
    throw error
  }
}

async function* itemsToRestore(
  engine: Engine,
  restore: RestoreDefinition,
  { definition, snapshot }: RestoreSource,
  lease: Lease,
): AsyncGenerator<readonly Entry[]> {
  if (restore.source.kind === 'backup') {
    const { items } = findBackup(engine.backups, definition, restore.source.backupArn)
    for await (const page of storedPages(snapshot, itemsRange(items))) {
      yield page.filter(({ value }) => !isNoItem(value))
    }
    return
  }
  const { undoId } = restore.source
  await collectUndo(lease, snapshot, definition, restore.atMs, undoId)
  if (lease.aborted) return
  yield* itemsAt(
    snapshot,
    spaceRange(keySpace.item, definition.tableId),
    currentEntries(engine.store),
    spaceRange(keySpace.keptItem, undoId),
  )
}

function restored(definition: TableDefinition): TableDefinition {
  const { restore: _, ...rest } = definition
  return { ...rest, status: 'ACTIVE' }
}

function addItems(engine: Engine, table: Table, page: readonly Entry[], lease: Lease): Promise<void> {
  const keys = page.map(({ key }) => movedItemKey(keySpace.item, table.id, key))
  const collections = table.definition.localIndexes.length === 0 ? [] : keys.map(collectionKey)
  const decide = (values: readonly (Value | undefined)[]): Decision<void> => {
    assertNotDropped(table)
    const plan = new ChangePlan({ atMs: engine.clock.now(), expired: false })
    keys.forEach((key, position) => {
      const entry = page[position]
      if (entry === undefined) return
      const next = new StoredItem(entry.value)
      plan.add({ table, key, previous: undefined, next }, values[position])
    })
    return { writes: plan.writes, answer: undefined }
  }
  return transactOnTables(engine, [table], collections, decide, lease)
}

function sourceOf(engine: Engine, table: Table, restore: RestoreDefinition): TableDefinition {
  const [, , , region = '', accountId = '', resource = ''] = restore.sourceTableArn.split(':')
  const scope = { accountId, region }
  if (restore.source.kind === 'backup') return findBackup(engine.backups, scope, restore.source.backupArn).table
  const definition = engine.catalog.find(scope, resource.slice('table/'.length))?.definition
  const { recovery } = definition ?? {}
  if (definition?.tableId !== restore.source.tableId || recovery === undefined) {
    throw new Error(`${table.name} cannot be restored further: its source has been deleted, or its past.`)
  }
  if (restore.atMs < recoveryWindow(recovery, engine.clock.now()).earliestMs) {
    throw new Error(`${table.name} cannot be restored further: its moment is too long ago now.`)
  }
  return definition
}

/** Removes all that was restored before. */
async function clear({ store }: Engine, table: Table, lease: Lease): Promise<void> {
  const { globalIndexes, localIndexes, restore } = table.definition
  const indexIds = [...globalIndexes, ...localIndexes].map(({ indexId }) => indexId)
  const ranges = [
    spaceRange(keySpace.item, table.id),
    spaceRange(keySpace.collection, table.id),
    ...indexIds.map((id) => spaceRange(keySpace.indexEntry, id)),
    ...(restore?.source.kind === 'table' ? [spaceRange(keySpace.keptItem, restore.source.undoId)] : []),
  ]
  for (const range of ranges) await deleteRange(store, range, lease, lease)
  if (lease.aborted) return
  await lease.transact([], () => ({
    writes: [table.id, ...indexIds].map((id) => ({ kind: 'delete', key: countsKey(id) })),
    answer: undefined,
  }))
}
