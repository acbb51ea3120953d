import { ServiceError } from '@hashrange/core'
import { itemsOfBackup } from '../backups/items-of-backup.ts'
import { requireSource, whileSourceThere, type RestoreSource } from '../backups/restore-source.ts'
import { collectUndo, type UndoPlace } from '../backups/undo.ts'
import type { Table } from '../catalog/table.ts'
import type { RestoreDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import { itemsOfCut } from '../cuts/items-of-cut.ts'
import type { BackupHost } from '../backups/backup-host.ts'
import { assertNotDropped } from '../catalog/assert-not-dropped.ts'
import { ChangePlan } from '../items/change-plan.ts'
import { StoredItem } from '../items/stored-item.ts'
import { collectionKey } from '../layout/item-keys.ts'
import { keySpace, movedItemKey } from '../layout/key-space.ts'
import type { Decision, Key, Value } from '../store/store.ts'
import type { Moment } from '../time/store-clock.ts'
import { breathe } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import { progressEnd, progressWrite, readProgress } from '../work/work-progress.ts'

/** Copies the items of a restored table, with their index entries, then sets the table ACTIVE. It continues where the
 *  last process or another server stopped. Without its source the table could never be complete: then it is removed. */
export async function restoreTable(engine: BackupHost, table: Table, lease: Lease): Promise<void> {
  await engine.refresh()
  const { restore } = table.definition
  if (restore === undefined || table.isDropped) return
  try {
    await restoreFrom(engine, table, restore, lease)
  } catch (error) {
    if (!isWithoutSource(error) || table.isDropped) throw error
    if (restore.source.kind === 'table') {
      await engine.catalog.endCut(restore.source.tableId, restore.source.undoId, lease)
    }
    await engine.catalog.drop(table)
    engine.purge()
    throw new Error(`${table.name} cannot be restored further: ${error.message}`, { cause: error })
  }
}

function isWithoutSource(error: unknown): error is ServiceError {
  return error instanceof ServiceError && refusalsOfSources.has(error.code)
}

const refusalsOfSources: ReadonlySet<string> = new Set([
  'BackupNotFoundException',
  'InvalidRestoreTimeException',
  'PointInTimeRecoveryUnavailableException',
  'TableNotFoundException',
])

/** ON DISK as JSON. */
interface RestoreProgress {
  /** How much of what must be undone is known, and whether that is all of it. */
  readonly undone?: UndoPlace
  readonly isUndone?: boolean
  /** How far the items have been copied: the key of the source's next item, in base64. */
  readonly next?: string
  readonly isComplete?: boolean
}

async function restoreFrom(
  engine: BackupHost,
  table: Table,
  restore: RestoreDefinition,
  lease: Lease,
): Promise<void> {
  const progress = (await readProgress<RestoreProgress>(engine.store, table.id)) ?? {}
  if (progress.isComplete !== true) {
    const source = await requireSource(engine, restore)
    await bringIn(engine, table, source, progress, lease)
    if (lease.aborted) return
  }
  if (restore.source.kind === 'table') {
    await engine.catalog.endCut(restore.source.tableId, restore.source.undoId, lease)
  }
  await engine.catalog.change(table, restored, whileSourceThere(restore, lease), () => [progressEnd(table.id)])
  engine.purge()
}

async function bringIn(
  engine: BackupHost,
  table: Table,
  source: RestoreSource,
  begun: RestoreProgress,
  lease: Lease,
): Promise<void> {
  let progress = begun
  if (source.kind === 'table' && progress.isUndone !== true) {
    await collectUndo({
      store: engine.store,
      lease,
      source: source.definition,
      afterSteadyMs: source.steadyMs,
      undoId: source.undoId,
      from: progress.undone,
      note: (undone) => progressWrite(table.id, { undone }),
    })
    if (lease.aborted) return
    progress = { isUndone: true }
    const noted = progressWrite(table.id, progress)
    await lease.transact([], () => ({ writes: [noted], answer: undefined }))
  }
  for await (const page of pagesOf(engine, source, progress.next)) {
    if (lease.aborted) return
    progress = { ...progress, next: Buffer.from(page.next).toString('base64'), isComplete: page.isLast }
    await addItems(engine, table, page, progress, lease)
    await breathe()
  }
}

/** Items of the source, in order. */
interface SourcePage {
  readonly items: readonly { readonly key: Key; readonly value: Value }[]
  readonly next: Key
  readonly isLast: boolean
}

function pagesOf(
  { store }: BackupHost,
  source: RestoreSource,
  next: string | undefined,
): AsyncGenerator<SourcePage> {
  const range = next === undefined ? source.items : { ...source.items, from: Buffer.from(next, 'base64') }
  return source.kind === 'backup' ? itemsOfBackup(store, range) : itemsOfCut(store, range, source.undoId)
}

/** Nobody else writes to the table, and no item comes twice, so there is no previous item to look for. */
function addItems(
  engine: BackupHost,
  table: Table,
  { items }: SourcePage,
  progress: RestoreProgress,
  lease: Lease,
): Promise<void> {
  const keys = items.map(({ key }) => movedItemKey(keySpace.item, table.id, key))
  const collections = table.definition.localIndexes.length === 0 ? [] : keys.map(collectionKey)
  const decide = (values: readonly (Value | undefined)[], at: Moment): Decision<void> => {
    assertNotDropped(table)
    const plan = new ChangePlan({ at, expired: false })
    keys.forEach((key, position) => {
      const item = items[position]
      if (item === undefined) return
      plan.add({ table, key, previous: undefined, next: new StoredItem(item.value) }, values[position])
    })
    return {
      writes: [...plan.writes, progressWrite(table.id, progress)],
      answer: undefined,
      effect: plan.effect,
    }
  }
  return transactOnTables(engine, [table], collections, decide, lease)
}

function restored(definition: TableDefinition): TableDefinition {
  const { restore: _, ...rest } = definition
  return { ...rest, status: 'ACTIVE' }
}
