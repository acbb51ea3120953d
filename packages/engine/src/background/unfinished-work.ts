import { backupArn, isBeingTaken, type BackupDefinition } from '../backups/backup-definition.ts'
import type { Table } from '../catalog/table.ts'
import type { Transacting } from '../catalog/transact-on-tables.ts'
import type { Store } from '../store/store.ts'
import type { BackgroundHost } from '../work/background-host.ts'
import type { BackupHost } from '../backups/backup-host.ts'
import { buildIndex } from './build-index.ts'
import { fillExpiries } from './fill-expiries.ts'
import type { ReplicationHost } from '../replication/replication-host.ts'
import { replicaWorkLeft } from '../replication/replication-work.ts'
import type { Transfers } from '../transfers/transfers.ts'
import type { UnfinishedWork } from '../work/unfinished-work.ts'
import { purge, purgesLeft } from './purge.ts'
import { restoreTable } from './restore-table.ts'
import { takeBackup } from './take-backup.ts'

/** Something that has work of all kinds. */
export interface WorkHost extends BackupHost, ReplicationHost {
  readonly transfers: Transfers
}

/** All work that the last process, or any server that shares the store, has left unfinished or is doing. */
export async function unfinishedWork(engine: WorkHost): Promise<readonly UnfinishedWork[]> {
  return [
    ...((await purgesLeft(engine.store)).length > 0 ? [purgeWork(engine.store)] : []),
    ...tableWork(engine),
    ...backupsLeft(engine),
    ...replicaWorkLeft(engine),
    ...(await engine.transfers.unfinished()),
  ]
}

export function purgeWork(store: Store): UnfinishedWork {
  return {
    name: 'purge',
    run: async (lease) => {
      for (let left = await purgesLeft(store); left.length > 0 && !lease.aborted; left = await purgesLeft(store)) {
        for (const one of left) await purge(store, one, lease)
      }
    },
  }
}

function* tableWork(engine: BackupHost): Iterable<UnfinishedWork> {
  for (const table of engine.catalog.all()) {
    const { globalIndexes, timeToLive } = table.definition
    for (const { status, indexId } of globalIndexes) {
      if (status !== 'CREATING') continue
      yield indexWork(engine, table, indexId)
    }
    if (timeToLive?.filling === true) {
      yield expiriesWork(engine, table, timeToLive.expiryIndexId)
    }
    if (table.isRestoring) yield restoreWork(engine, table)
  }
}

function* backupsLeft(engine: BackupHost): Iterable<UnfinishedWork> {
  for (const backup of engine.backups.all()) {
    if (isBeingTaken(backup)) yield backupWork(engine, backup)
  }
}

/** Fills a new index, then sets it ACTIVE. */
export function indexWork(engine: Transacting & BackgroundHost, table: Table, indexId: number): UnfinishedWork {
  return { name: `index ${indexId}`, run: (lease) => buildIndex(engine, table, indexId, lease) }
}

/** Adds the expiries of the items that a table has when its time to live is turned on. */
export function expiriesWork(engine: Transacting, table: Table, expiryIndexId: number): UnfinishedWork {
  return {
    name: `expiries ${expiryIndexId}`,
    run: (lease) => fillExpiries(engine, table, expiryIndexId, lease),
  }
}

/** Brings a restored table's items in. */
export function restoreWork(engine: BackupHost, table: Table): UnfinishedWork {
  return { name: `restore ${table.id}`, run: (lease) => restoreTable(engine, table, lease) }
}

/** Copies a backup's items. */
export function backupWork(engine: BackupHost, backup: BackupDefinition): UnfinishedWork {
  return { name: `backup ${backupArn(backup)}`, run: (lease) => takeBackup(engine, backup, lease) }
}
