import type { ListBackupsInput } from '../api/backup-inputs.ts'
import { inOrder } from '../backups/backup-catalog.ts'
import { backupArn, type BackupDefinition } from '../backups/backup-definition.ts'
import { describeBackupSummary } from '../backups/describe-backup.ts'
import { readBackupArn } from '../backups/find-backup.ts'
import { invalidRequest } from '../backups/restored-definition.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'
import { readTableName } from '../tables/read-table-name.ts'

export interface ListBackupsOutput {
  readonly BackupSummaries: readonly Readonly<Record<string, unknown>>[]
  readonly LastEvaluatedBackupArn?: string
}

const defaultLimit = 100

export async function listBackups(
  engine: EngineParts,
  scope: Scope,
  input: ListBackupsInput,
): Promise<ListBackupsOutput> {
  const wanted = engine.backups.list(scope).filter(filterOf(scope, input))
  const page = wanted.slice(0, input.Limit ?? defaultLimit)
  const last = page.at(-1)
  return {
    BackupSummaries: page.map(describeBackupSummary),
    ...(last !== undefined && page.length < wanted.length && { LastEvaluatedBackupArn: backupArn(last) }),
  }
}

/** Backups outlive their table, so the name need not belong to a table. */
function filterOf(scope: Scope, input: ListBackupsInput): (backup: BackupDefinition) => boolean {
  const { TimeRangeLowerBound: lower = 0, TimeRangeUpperBound: upper = Infinity, BackupType: type = 'USER' } = input
  if (lower > upper) throw invalidParameter('Time range lower bound must be less than or equal to upper bound')
  const name = input.TableName === undefined ? undefined : readTableName(scope, input.TableName)
  const isAfterStart = startOf(scope, input.ExclusiveStartBackupArn)
  return (backup) =>
    (name === undefined || backup.table.tableName === name) &&
    (type === 'ALL' || backup.type === type) &&
    backup.createdAtMs >= Math.round(lower * 1000) &&
    backup.createdAtMs < Math.round(upper * 1000) &&
    isAfterStart(backup)
}

/** A position in the order: the backup itself may no longer exist. */
function startOf(scope: Scope, arn: string | undefined): (backup: BackupDefinition) => boolean {
  if (arn === undefined) return () => true
  const { region, tableName, backupId } = readBackupArn(scope, arn)
  if (region !== scope.region) {
    throw invalidRequest('The supplied ExclusiveStartBackupArn does not match the region')
  }
  return (backup) => inOrder(backup, { backupId, table: { tableName } }) > 0
}
