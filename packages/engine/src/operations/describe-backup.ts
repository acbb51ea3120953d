import type { DescribeBackupInput } from '../api/backup-inputs.ts'
import { describeBackup as describe } from '../backups/describe-backup.ts'
import { findBackup } from '../backups/find-backup.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'

export interface DescribeBackupOutput {
  readonly BackupDescription: Readonly<Record<string, unknown>>
}

export async function describeBackup(
  engine: EngineParts,
  scope: Scope,
  input: DescribeBackupInput,
): Promise<DescribeBackupOutput> {
  return { BackupDescription: describe(findBackup(engine.backups, scope, input.BackupArn)) }
}
