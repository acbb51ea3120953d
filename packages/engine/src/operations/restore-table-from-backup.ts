import { isRestoringFrom } from '../backups/is-restoring-from.ts'
import type { RestoreTableFromBackupInput } from '../api/backup-inputs.ts'
import { backupArn } from '../backups/backup-definition.ts'
import { assertEncryptsAbroad, assertTargetFree, beginRestore } from '../background/begin-restore.ts'
import { backupInUse, findBackup, readBackupArn } from '../backups/find-backup.ts'
import { tableArn } from '../definitions/table-arn.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import type { TableDescription } from '../tables/describe-table.ts'

export interface RestoreTableFromBackupOutput {
  readonly TableDescription: TableDescription
}

export async function restoreTableFromBackup(
  engine: EngineParts,
  scope: Scope,
  input: RestoreTableFromBackupInput,
): Promise<RestoreTableFromBackupOutput> {
  const { TargetTableName: tableName, BackupArn: arn } = input
  const { region } = readBackupArn(scope, arn)
  assertEncryptsAbroad(scope, region, input)
  const backup = findBackup(engine.backups, { ...scope, region }, arn)
  if (backup.status === 'CREATING') throw backupInUse(`Backup is being created: ${arn}`)
  assertTargetFree(engine, scope, tableName)
  if (isRestoringFrom(engine.catalog, backup))
    throw backupInUse(`Backup is being used to restore another table: ${arn}`)
  const description = await beginRestore(engine, scope, {
    tableName,
    overrides: input,
    source: backup.table,
    restore: () => ({
      sourceTableArn: tableArn(backup.table),
      atMs: backup.createdAtMs,
      source: { kind: 'backup', backupArn: backupArn(backup) },
    }),
  })
  return { TableDescription: description }
}
