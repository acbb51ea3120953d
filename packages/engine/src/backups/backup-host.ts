import type { Transacting } from '../catalog/transact-on-tables.ts'
import type { BackgroundHost } from '../work/background-host.ts'
import type { BackupCatalog } from './backup-catalog.ts'

/** What is needed to create and restore backups. */
export interface BackupHost extends Transacting, BackgroundHost {
  readonly backups: BackupCatalog
}
