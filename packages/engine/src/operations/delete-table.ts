import { countsOf } from '../catalog/counts.ts'
import { ServiceError, validationException } from '@hashrange/core'
import type { DeleteTableInput } from '../api/table-inputs.ts'
import { systemBackup, type BackupDefinition } from '../backups/backup-definition.ts'
import { writeOf } from '../backups/backup-catalog.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { leaveGlobalTable } from '../replication/leave-global-table.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { describeDeletedTable, type TableDescription } from '../tables/describe-table.ts'
import { findAnyTable } from './describe-table.ts'

export interface DeleteTableOutput {
  readonly TableDescription: TableDescription
}

/** The table no longer exists when this returns; what it stored is removed in the background. */
export async function deleteTable(
  engine: EngineParts,
  scope: Scope,
  input: DeleteTableInput,
): Promise<DeleteTableOutput> {
  const table = findAnyTable(engine, scope, input.TableName)
  assertDeletable(table.definition)
  await (table.definition.replication === undefined
    ? dropTable(engine, table)
    : leaveGlobalTable(engine, table, () => dropTable(engine, table)))
  engine.capacity.meters.forget(table.id)
  engine.purge()
  return { TableDescription: describeDeletedTable(table.definition, engine.clock.now()) }
}

/** A table with point-in-time recovery leaves a backup of its last state. */
export async function dropTable(engine: EngineParts, table: Table): Promise<void> {
  const nowMs = engine.clock.now()
  const leftOf = (definition: TableDefinition): BackupDefinition | undefined =>
    definition.recovery === undefined ? undefined : systemBackup(definition, nowMs)
  const dropped = await engine.catalog.drop(table, assertDeletable, (definition) => {
    const left = leftOf(definition)
    return left && [writeOf(left)]
  })
  const left = leftOf(dropped)
  if (left === undefined) return
  const { items, bytes } = await countsOf(engine.store, table.id)
  await engine.backups.put({ ...left, itemCount: items, sizeBytes: bytes })
}

function assertDeletable({ deletionProtection, restore, tableName }: TableDefinition): void {
  if (restore !== undefined) {
    throw new ServiceError(
      'ResourceInUseException',
      `Attempt to change a resource which is still in use: Table is being created: ${tableName}`,
    )
  }
  if (!deletionProtection) return
  throw validationException(
    'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
  )
}
