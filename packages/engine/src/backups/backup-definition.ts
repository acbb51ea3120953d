import { tableArn } from '../definitions/table-arn.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { withoutCuts } from '../cuts/cut-definition.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import type { Key } from '../store/store.ts'

/** Everything the database stores about a backup besides its items. ON DISK as JSON, like a table's definition. */
export interface BackupDefinition {
  /** The last part of its ARN: when it was requested, in 14 digits, and a random part. */
  readonly backupId: string
  readonly backupName: string
  readonly type: 'USER' | 'SYSTEM'
  readonly status: 'CREATING' | 'AVAILABLE'
  readonly createdAtMs: number
  readonly expiresAtMs?: number
  readonly items: BackupItems
  /** How much of the table has been copied so far. */
  readonly itemCount: number
  readonly sizeBytes: number
  /** While items are being copied: the key, in base64, of the first that has not been copied. */
  readonly copiedTo?: string
  /** The table as it was when the backup was requested. */
  readonly table: TableDefinition
}

/** Where a backup's items are: copied and kept under an identifier of their own, or still where a dropped table had them. */
export interface BackupItems {
  readonly kind: 'kept' | 'dropped-table'
  readonly id: number
}

export function backupArn({ backupId, table }: BackupDefinition): string {
  return `${tableArn(table)}/backup/${backupId}`
}

export function isBeingTaken({ status }: BackupDefinition): boolean {
  return status === 'CREATING'
}

export function itemsRange({ kind, id }: BackupItems): { from: Key; to: Key } {
  return spaceRange(kind === 'kept' ? keySpace.keptItem : keySpace.item, id)
}

export function newBackupId(nowMs: number, uuid: string): string {
  return `${String(nowMs).padStart(14, '0')}-${uuid.slice(0, 8)}`
}

/** What remains of a deleted table with point-in-time recovery: its last state, for a while. Nothing is copied; the
 *  items stay where they are. */
export function systemBackup(table: TableDefinition, nowMs: number): BackupDefinition {
  return {
    backupId: newBackupId(nowMs, '00000000'),
    backupName: `${table.tableName}$DeletedTableBackup`,
    type: 'SYSTEM',
    status: 'AVAILABLE',
    createdAtMs: nowMs,
    expiresAtMs: nowMs + systemBackupDays * 24 * 60 * 60 * 1000,
    items: { kind: 'dropped-table', id: table.tableId },
    itemCount: 0,
    sizeBytes: 0,
    table: withoutCuts(table),
  }
}

const systemBackupDays = 35
