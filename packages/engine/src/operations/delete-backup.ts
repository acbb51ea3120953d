import { isRestoringFrom } from '../backups/is-restoring-from.ts'
import type { DeleteBackupInput } from '../api/backup-inputs.ts'
import { backupArn, type BackupDefinition } from '../backups/backup-definition.ts'
import { describeBackup } from '../backups/describe-backup.ts'
import { backupInUse, findBackup } from '../backups/find-backup.ts'
import { invalidRequest } from '../backups/restored-definition.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'

export interface DeleteBackupOutput {
  readonly BackupDescription: Readonly<Record<string, unknown>>
}

/** The backup is gone when this returns; its items are removed in the background. */
export async function deleteBackup(
  engine: EngineParts,
  scope: Scope,
  input: DeleteBackupInput,
): Promise<DeleteBackupOutput> {
  const backup = findBackup(engine.backups, scope, input.BackupArn)
  assertDeletable(engine, backup)
  await engine.backups.remove(backup)
  engine.purge()
  const { BackupDetails, ...rest } = describeBackup(backup)
  return {
    BackupDescription: { BackupDetails: { ...(BackupDetails as object), BackupStatus: 'DELETED' }, ...rest },
  }
}

function assertDeletable(engine: EngineParts, backup: BackupDefinition): void {
  const arn = backupArn(backup)
  if (backup.expiresAtMs !== undefined) {
    const expiry = new Date(backup.expiresAtMs).toISOString()
    throw invalidRequest(
      `User is not allowed to delete the system backup with arn ${arn}. It will automatically expire on ${expiry}`,
    )
  }
  if (backup.status === 'CREATING') throw backupInUse(`Backup is being created: ${arn}`)
  if (isRestoringFrom(engine.catalog, backup)) throw backupInUse(`Backup is being used to restore table: ${arn}`)
}
