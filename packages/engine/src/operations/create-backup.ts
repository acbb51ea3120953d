import { ServiceError } from '@hashrange/core'
import { backupWork } from '../background/unfinished-work.ts'
import type { CreateBackupInput } from '../api/backup-inputs.ts'
import { writeOf } from '../backups/backup-catalog.ts'
import { newBackupId, type BackupDefinition } from '../backups/backup-definition.ts'
import { describeBackupDetails } from '../backups/describe-backup.ts'
import { findBackedUpTable } from '../backups/find-backed-up-table.ts'
import { assertFewCuts, withCut, withoutCuts } from '../cuts/cut-definition.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'

export interface CreateBackupOutput {
  readonly BackupDetails: Readonly<Record<string, unknown>>
}

/** The backup contains the table as it is now, although copying takes a while: starting with the transaction that
 *  creates the backup, writes keep what they change. */
export async function createBackup(
  engine: EngineParts,
  scope: Scope,
  input: CreateBackupInput,
): Promise<CreateBackupOutput> {
  const table = findBackedUpTable(engine.catalog, scope, input.TableName)
  const nowMs = engine.clock.now()
  const draft = {
    backupId: newBackupId(nowMs, engine.randomness.uuid()),
    backupName: input.BackupName,
    type: 'USER',
    status: 'CREATING',
    createdAtMs: nowMs,
    items: { kind: 'kept', id: await engine.catalog.allocateId() },
    itemCount: 0,
    sizeBytes: 0,
  } as const
  let backup: BackupDefinition = { ...draft, table: table.definition }
  await engine.catalog.change(
    table,
    (definition) => {
      assertFilled(definition)
      assertFewCuts(definition)
      backup = { ...draft, table: withoutCuts(definition) }
      return withCut(definition, { id: draft.items.id, kind: 'backup' })
    },
    engine.store,
    () => [writeOf(backup)],
  )
  engine.backups.remember(backup)
  engine.begin(backupWork(engine, backup))
  return { BackupDetails: describeBackupDetails(backup) }
}

/** A replica that is still being filled has only some of its items. */
function assertFilled({ status, tableName }: TableDefinition): void {
  if (status !== 'CREATING') return
  throw new ServiceError(
    'ContinuousBackupsUnavailableException',
    `Backups are being enabled for the table: ${tableName}. Please retry later`,
  )
}
