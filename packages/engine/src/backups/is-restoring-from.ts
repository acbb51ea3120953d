import type { Catalog } from '../catalog/catalog.ts'
import { backupArn, type BackupDefinition } from './backup-definition.ts'

/** Whether a table is being restored from a backup, which must not be deleted meanwhile. */
export function isRestoringFrom(catalog: Catalog, backup: BackupDefinition): boolean {
  const arn = backupArn(backup)
  for (const { definition } of catalog.all()) {
    const source = definition.restore?.source
    if (source?.kind === 'backup' && source.backupArn === arn) return true
  }
  return false
}
