import { validationException } from '@hashrange/core'
import type { DeleteTableInput } from '../api/inputs.ts'
import type { TableDefinition } from '../catalog/table-definition.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { describeTable, noCounts, type TableDescription } from '../tables/describe-table.ts'
import { findTable } from './describe-table.ts'

export interface DeleteTableOutput {
  readonly TableDescription: TableDescription
}

/** The table is gone when this returns; what it stored is removed in the background. */
export async function deleteTable(
  engine: Engine,
  scope: Scope,
  input: DeleteTableInput,
): Promise<DeleteTableOutput> {
  const table = findTable(engine, scope, input.TableName)
  await engine.catalog.drop(table, assertUnprotected)
  engine.purge()
  const deleting: TableDefinition = { ...table.definition, status: 'DELETING', globalIndexes: [] }
  return { TableDescription: describeTable(deleting, noCounts, engine.clock.now()) }
}

function assertUnprotected({ deletionProtection }: TableDefinition): void {
  if (!deletionProtection) return
  throw validationException(
    'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
  )
}
