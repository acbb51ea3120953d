import { ServiceError } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { RestoreDefinition, TableDefinition } from '../definitions/table-definition.ts'
import type { Transactor } from '../store/transactor.ts'
import { hasCut, withCutInTurn } from '../cuts/cut-definition.ts'
import type { BackupHost } from './backup-host.ts'
import { backupKey, keySpace, spaceRange } from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import type { Key } from '../store/store.ts'
import type { ClockView } from '../time/clock-view.ts'
import { itemsRange } from './backup-definition.ts'
import { backedUpTableNotFound } from './find-backed-up-table.ts'
import { backupNotFound, findBackup, readBackupArn } from './find-backup.ts'
import { recoveryWindow } from './recovery-window.ts'

/** What a table is restored from. */
export type RestoreSource = BackupSource | TableSource

interface BackupSource {
  readonly kind: 'backup'
  readonly items: { readonly from: Key; readonly to: Key }
}

interface TableSource {
  readonly kind: 'table'
  /** It may have been dropped since. */
  readonly definition: TableDefinition
  readonly items: { readonly from: Key; readonly to: Key }
  /** The moment whose items are restored, in steady time. */
  readonly steadyMs: number
  readonly undoId: number
}

/** Throws a ServiceError if it no longer exists. If the table exists, nothing of its past is removed until the
 *  restore is over, and writes keep what they change. */
export async function requireSource(engine: BackupHost, restore: RestoreDefinition): Promise<RestoreSource> {
  const { source, atMs } = restore
  if (source.kind === 'backup') {
    const { items } = findBackup(engine.backups, scopeOf(restore), source.backupArn)
    return { kind: 'backup', items: itemsRange(items) }
  }
  const { tableId, undoId, steadyMs = atMs } = source
  const definition = await cutTable(engine, restore, { tableId, undoId, steadyMs })
  return { kind: 'table', definition, items: spaceRange(keySpace.item, tableId), steadyMs, undoId }
}

async function cutTable(
  engine: BackupHost,
  restore: RestoreDefinition,
  { tableId, undoId, steadyMs }: Pick<TableSource, 'steadyMs' | 'undoId'> & { readonly tableId: number },
): Promise<TableDefinition> {
  const known = engine.catalog.definitionOf(tableId)
  if (known !== undefined && hasCut(known, undoId)) return known
  const table = tableWithId(engine, tableId)
  if (table === undefined) throw backedUpTableNotFound(restore.sourceTableArn)
  const clock = engine.clock.look()
  return engine.catalog.change(table, (definition) => {
    assertPastKnown(clock, definition, steadyMs)
    return withCutInTurn(definition, { id: undoId, kind: 'reading' })
  })
}

function tableWithId({ catalog }: BackupHost, tableId: number): Table | undefined {
  for (const table of catalog.all()) if (table.id === tableId) return table
  return undefined
}

function assertPastKnown(clock: ClockView, { recovery, tableName }: TableDefinition, steadyMs: number): void {
  if (recovery === undefined) {
    throw new ServiceError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${tableName}'`,
    )
  }
  if (steadyMs < recoveryWindow(recovery, clock).sinceSteadyMs) {
    throw new ServiceError(
      'InvalidRestoreTimeException',
      `The past of table '${tableName}' is not known so far back`,
    )
  }
}

/** Runs transactions only while the source exists: the items of a backup are only removed after the backup itself. So
 *  if it exists at the end, all its items existed before. */
export function whileSourceThere(restore: RestoreDefinition, through: Transactor): Transactor {
  const { source } = restore
  if (source.kind === 'table') return through
  const scope = scopeOf(restore)
  const { tableName, backupId } = readBackupArn(scope, source.backupArn)
  const key = backupKey(scope.accountId, scope.region, tableName, backupId)
  return {
    transact: (keys, decide) =>
      through.transact([...keys, key], (values) => {
        if (values[keys.length] === undefined) throw backupNotFound(source.backupArn)
        return decide(values.slice(0, keys.length))
      }),
  }
}

function scopeOf({ sourceTableArn }: RestoreDefinition): Scope {
  const [, , , region = '', accountId = ''] = sourceTableArn.split(':')
  return { accountId, region }
}
