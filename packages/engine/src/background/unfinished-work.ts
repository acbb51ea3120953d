import { backupArn, isBeingTaken, type BackupDefinition } from '../backups/backup-definition.ts'
import type { Table } from '../catalog/table.ts'
import type { Engine } from '../engine.ts'
import { buildIndex } from './build-index.ts'
import { fillExpiries } from './fill-expiries.ts'
import type { Lease } from './leases.ts'
import { purge, purgesLeft } from './purge.ts'
import { restoreTable } from './restore-table.ts'
import { takeBackup } from './take-backup.ts'

/** Work that was begun and has not come to its end. It can be begun anew at any time, by any server. */
export interface UnfinishedWork {
  /** Of the lease under which it is done. */
  readonly name: string
  readonly run: (lease: Lease) => Promise<void>
}

/** All that the last process, or any server that shares the store, has left to do or is doing. */
export async function unfinishedWork(engine: Engine): Promise<readonly UnfinishedWork[]> {
  return [
    ...((await purgesLeft(engine.store)).length > 0 ? [purgeWork(engine)] : []),
    ...tableWork(engine),
    ...backupsLeft(engine),
    ...(await engine.transfers.unfinished()),
  ]
}

export function purgeWork({ store }: Engine): UnfinishedWork {
  return {
    name: 'purge',
    run: async (lease) => {
      for (let left = await purgesLeft(store); left.length > 0 && !lease.aborted; left = await purgesLeft(store)) {
        for (const one of left) await purge(store, one, lease)
      }
    },
  }
}

function* tableWork(engine: Engine): Iterable<UnfinishedWork> {
  for (const table of engine.catalog.all()) {
    const { globalIndexes, timeToLive } = table.definition
    for (const { status, indexId } of globalIndexes) {
      if (status !== 'CREATING') continue
      yield { name: `index ${indexId}`, run: (lease) => buildIndex(engine, table, indexId, lease) }
    }
    if (timeToLive?.filling === true) {
      const { expiryIndexId } = timeToLive
      yield {
        name: `expiries ${expiryIndexId}`,
        run: (lease) => fillExpiries(engine, table, expiryIndexId, lease),
      }
    }
    if (table.isRestoring) yield restoreWork(engine, table)
  }
}

function* backupsLeft(engine: Engine): Iterable<UnfinishedWork> {
  for (const backup of engine.backups.all()) {
    if (isBeingTaken(backup)) yield backupWork(engine, backup)
  }
}

export function restoreWork(engine: Engine, table: Table): UnfinishedWork {
  return { name: `restore ${table.id}`, run: (lease) => restoreTable(engine, table, lease) }
}

export function backupWork(engine: Engine, backup: BackupDefinition): UnfinishedWork {
  return { name: `backup ${backupArn(backup)}`, run: (lease) => takeBackup(engine, backup, lease) }
}
