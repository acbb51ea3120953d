import { ServiceError } from '@hashrange/core'
import type { RestoreOverrides } from '../api/backup-inputs.ts'
import type { Table } from '../catalog/table.ts'
import type { RestoreDefinition, TableDefinition } from '../definitions/table-definition.ts'
import type { BackupHost } from '../backups/backup-host.ts'
import type { Randomness } from '../randomness.ts'
import type { Scope } from '../scope.ts'
import { checkAccountQuota, unitsOfOthers } from '../tables/check-quotas.ts'
import { describeTable, noCounts, type TableDescription } from '../tables/describe-table.ts'
import { requireSource } from '../backups/restore-source.ts'
import { invalidRequest, restoredDefinition } from '../backups/restored-definition.ts'
import { restoreWork } from './unfinished-work.ts'

/** What is needed to restore a table. */
export interface RestoreHost extends BackupHost {
  readonly randomness: Randomness
}

/** What is restored, and from where. */
export interface RestoreRequest {
  readonly tableName: string
  readonly overrides: RestoreOverrides
  readonly source: TableDefinition
  /** `newId` allocates an identifier. */
  readonly restore: (newId: () => number) => RestoreDefinition
}

/** Adds the table that will be restored, and starts restoring its items. */
export async function beginRestore(
  engine: RestoreHost,
  scope: Scope,
  request: RestoreRequest,
): Promise<TableDescription> {
  const { tableName, overrides, source } = request
  const nowMs = engine.clock.now()
  const draft = restoredDefinition(source, tableName, overrides, {
    scope,
    nowMs,
    uuid: () => engine.randomness.uuid(),
  })
  checkAccountQuota(undefined, draft, unitsOfOthers(engine.catalog, scope), scope.region)
  const table = await engine.catalog.create(scope, tableName, (ids) =>
    draft.withIds(
      ids,
      request.restore(() => ids.indexIds(1)[0] ?? 0),
    ),
  )
  await holdSource(engine, table)
  engine.begin(restoreWork(engine, table))
  return describeTable(table.definition, noCounts, nowMs)
}

/** The source is restored as it is when this returns, whatever happens to it afterwards. */
async function holdSource(engine: RestoreHost, table: Table): Promise<void> {
  const { restore } = table.definition
  if (restore === undefined) return
  try {
    await requireSource(engine, restore)
  } catch (error) {
    await engine.catalog.drop(table)
    engine.purge()
    throw error
  }
}

export function assertTargetFree({ catalog }: RestoreHost, scope: Scope, tableName: string): void {
  const table = catalog.find(scope, tableName)
  if (table === undefined) return
  throw (
    alreadyRestoring(table) ?? new ServiceError('TableAlreadyExistsException', `Table already exists: ${tableName}`)
  )
}

/** A restore into another region must say how the table is encrypted there. */
export function assertEncryptsAbroad(scope: Scope, sourceRegion: string, overrides: RestoreOverrides): void {
  if (sourceRegion === scope.region || overrides.SSESpecificationOverride !== undefined) return
  throw invalidRequest('sseSpecificationOverride must be provided for cross-region restores')
}

function alreadyRestoring({ name, definition }: Table): ServiceError | undefined {
  if (definition.restore === undefined) return undefined
  const { source, sourceTableArn } = definition.restore
  const from = source.kind === 'backup' ? `backup: ${source.backupArn}` : `table: ${sourceTableArn}`
  return new ServiceError('TableInUseException', `Table: ${name} is already being restored from ${from}`)
}
