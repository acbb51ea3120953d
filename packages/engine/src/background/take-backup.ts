import { isBeingTaken, type BackupDefinition } from '../backups/backup-definition.ts'
import { writeOf } from '../backups/backup-catalog.ts'
import { hasCut } from '../cuts/cut-definition.ts'
import { itemsOfCut, type CutPage } from '../cuts/items-of-cut.ts'
import { keptItemKey } from '../cuts/kept-item.ts'
import type { BackupHost } from '../backups/backup-host.ts'
import { isRestoringFrom } from '../backups/is-restoring-from.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import type { Write } from '../store/store.ts'
import { breathe, type Stopping } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'

/** Copies the items of a table as they were when the backup was requested, while the table is in use or even deleted.
 *  It continues where the last process or another server stopped. Writes keep what they change, in the backup itself. */
export async function takeBackup(engine: BackupHost, begun: BackupDefinition, lease: Lease): Promise<void> {
  await engine.refresh()
  let backup = await engine.backups.stored(begun)
  if (backup === undefined || !isBeingTaken(backup)) return
  const { table, items } = backup
  if (!(await isKept(engine, backup))) return
  const whole = spaceRange(keySpace.item, table.tableId)
  const from = backup.copiedTo === undefined ? whole.from : Buffer.from(backup.copiedTo, 'base64')
  for await (const page of itemsOfCut(engine.store, { ...whole, from }, items.id)) {
    if (lease.aborted) return
    backup = advanced(backup, page)
    const copies = page.items
      .filter(({ isKept: isThere }) => !isThere)
      .map(({ key, value }): Write => ({
        kind: 'insert',
        key: keptItemKey(items.id, key),
        value,
      }))
    await engine.backups.advance(backup, copies, lease)
    await breathe()
  }
  if (lease.aborted) return
  const { copiedTo: _, ...copied } = backup
  const available: BackupDefinition = { ...copied, status: 'AVAILABLE' }
  await engine.catalog.endCut(table.tableId, items.id, lease, [writeOf(available)])
  engine.backups.remember(available)
  engine.purge()
}

function advanced(backup: BackupDefinition, { items, next }: CutPage): BackupDefinition {
  return {
    ...backup,
    itemCount: backup.itemCount + items.length,
    sizeBytes: items.reduce((sum, { value }) => sum + storedSizeBytes(value), backup.sizeBytes),
    copiedTo: Buffer.from(next).toString('base64'),
  }
}

/** Without its cut, nobody has kept what was changed since: such a backup would not be the table at any point in
 *  time. */
async function isKept(engine: BackupHost, backup: BackupDefinition): Promise<boolean> {
  const { table, items, backupName } = backup
  const definition = engine.catalog.definitionOf(table.tableId)
  if (definition !== undefined && hasCut(definition, items.id)) return true
  await engine.backups.remove(backup)
  engine.purge()
  throw new Error(`The backup ${backupName} of ${table.tableName} was lost before it was complete. Take another.`)
}

/** Removes backups of deleted tables that have been kept long enough. */
export async function expireBackups(engine: BackupHost, stopping: Stopping): Promise<void> {
  const nowMs = engine.clock.settled()
  for (const backup of engine.backups.all()) {
    if (stopping.aborted) return
    if (backup.expiresAtMs === undefined || backup.expiresAtMs > nowMs || isRestoringFrom(engine.catalog, backup))
      continue
    await engine.backups.remove(backup)
    engine.purge()
  }
}
