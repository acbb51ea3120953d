import type { CreateBackupInput } from '../api/backup-inputs.ts'
import { newBackupId, type BackupDefinition } from '../backups/backup-definition.ts'
import { describeBackupDetails } from '../backups/describe-backup.ts'
import { findBackedUpTable } from '../backups/find-backed-up-table.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'

export interface CreateBackupOutput {
  readonly BackupDetails: Readonly<Record<string, unknown>>
}

/** The backup holds what the table holds at this moment, though copying it takes a while. */
export async function createBackup(
  engine: Engine,
  scope: Scope,
  input: CreateBackupInput,
): Promise<CreateBackupOutput> {
  const table = findBackedUpTable(engine, scope, input.TableName)
  const snapshot = await engine.store.openSnapshot()
  try {
    const nowMs = engine.clock.now()
    const backup: BackupDefinition = {
      backupId: newBackupId(nowMs, engine.randomness.uuid()),
      backupName: input.BackupName,
      type: 'USER',
      status: 'CREATING',
      createdAtMs: nowMs,
      items: { kind: 'kept', id: await engine.catalog.allocateId() },
      itemCount: 0,
      sizeBytes: 0,
      table: table.definition,
    }
    await engine.backups.put(backup)
    engine.takeBackup(backup, snapshot)
    return { BackupDetails: describeBackupDetails(backup) }
  } catch (error) {
    snapshot.close()
    throw error
  }
}
