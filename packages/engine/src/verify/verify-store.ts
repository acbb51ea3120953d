import { randomUUID } from 'node:crypto'
import { Leases } from '../work/leases.ts'
import { backupArn } from '../backups/backup-definition.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { assertReadable, assertWritable, unfinishedCopy } from '../layout/check-format.ts'
import { copyMarkKey, countsKey, droppedTableKey, formatKey } from '../layout/key-space.ts'
import { decodeCounters } from '../store/counters.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Store } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { checkBackup, checkKeptItems } from './check-backup.ts'
import { checkChangeLog } from './check-change-log.ts'
import { checkExpiries } from './check-expiries.ts'
import { checkIndex } from './check-index.ts'
import { checkItems } from './check-items.ts'
import { checkSpaces } from './check-spaces.ts'
import { checkStamps } from './check-stamps.ts'
import { checkTokens } from './check-tokens.ts'
import { versionFaults } from './check-versions.ts'
import type { Fault } from './finding.ts'
import { indexesOf } from './index-faults.ts'
import { KnownTable } from './known-table.ts'
import { placeOfKey, placeOfTable } from './place.ts'
import { readCatalog, type ReadCatalog } from './read-catalog.ts'
import { Verification, type Unchecked, type VerifyOptions } from './verification.ts'

/** What a run has found, in numbers; the findings themselves have been reported one by one. */
export interface VerifyReport {
  /** Whether everything that was requested was checked. */
  readonly isComplete: boolean
  readonly findings: number
  readonly findingsByKind: Readonly<Record<string, number>>
  /** How many of the findings have been repaired. */
  readonly repaired: number
  readonly tables: number
  readonly items: number
  /** Everything that was checked, including items. */
  readonly entries: number
  /** Of the data file, where there is one. */
  readonly pages: number
  readonly unchecked: readonly Unchecked[]
}

/** Verifies a store: everything in it can be read, and all derived data is correct. Only reads, unless asked to
 *  repair. Others may write meanwhile. */
export async function verifyStore(options: VerifyOptions): Promise<VerifyReport> {
  const { store } = options
  if (options.repair !== true || store.shared !== true) return verify(new Verification(options))
  // Two repairs of the same counter would add too much.
  const leases = new Leases(store, 10_000, randomUUID)
  let report: VerifyReport | undefined
  const isOurs = await leases.hold('repair', options.stopping ?? { aborted: false }, async (lease) => {
    const guarded: Store = {
      shared: true,
      view: (read) => store.view(read),
      openSnapshot: () => store.openSnapshot(),
      transact: (keys, decide) => lease.transact(keys, decide),
      ...(store.verify !== undefined && {
        verify: (verification) => store.verify?.(verification) ?? Promise.resolve(true),
      }),
      close: () => store.close(),
    }
    report = await verify(new Verification({ ...options, store: guarded }))
  })
  if (isOurs && report !== undefined) return report
  throw new StorageError(
    'locked',
    'Another repair of the same data is running. Wait until it has finished, then verify again.',
  )
}

async function verify(run: Verification): Promise<VerifyReport> {
  const isSound = await verifyBytes(run)
  if (!isSound) run.leaveOut({}, 'The contents of the data were not checked, because they cannot be read safely.')
  let tables = 0
  if (isSound) {
    await run.part({}, async () => {
      if (await hasData(run)) tables = await verifyData(run)
    })
  }
  return {
    isComplete: isSound && !run.isCutShort && !run.stopping.aborted,
    findings: Object.values(run.findingsByKind).reduce((sum, count) => sum + count, 0),
    findingsByKind: run.findingsByKind,
    repaired: run.repaired,
    tables,
    items: run.items,
    entries: run.entries,
    pages: run.pages,
    unchecked: run.unchecked,
  }
}

/** What is below the map of keys and values, if the store can check it. */
async function verifyBytes(run: Verification): Promise<boolean> {
  const { store, stopping, longestSnapshotMs } = run
  if (store.verify === undefined || run.table !== undefined) return true
  run.begin('pages')
  const faults: Fault[] = []
  const isSound = await store.verify({
    stopping,
    longestSnapshotMs,
    onProgress: (pages) => run.advancePages(pages),
    onUnchecked: (reason) => run.leaveOut({}, reason),
    onFault: ({ place: file, problem, key }) => {
      if (faults.length < mostStorageFaults) {
        faults.push({ kind: 'storage', place: { file, ...(key !== undefined && placeOfKey(key)) }, problem })
      }
    },
  })
  await run.report(faults)
  return isSound
}

/** One lost page can cause very many findings. */
const mostStorageFaults = 10_000

/** A store that was never used is empty. One of another format, or an incomplete copy, is not checked. */
async function hasData({ store, isRepairing }: Verification): Promise<boolean> {
  const [format, copyMark] = await store.view((snapshot) => snapshot.getMany([formatKey(), copyMarkKey()]))
  if (copyMark !== undefined) throw unfinishedCopy()
  if (format === undefined) return false
  if (isRepairing) assertWritable(format)
  else assertReadable(format)
  return true
}

async function verifyData(run: Verification): Promise<number> {
  run.begin('definitions')
  const { catalog, faults } = await run.store.view((snapshot) =>
    whenThere(readCatalog(snapshot), (read) =>
      whenThere(run.store.shared === true ? versionFaults(snapshot, read) : [], (more) => ({
        catalog: read,
        faults: [...read.faults, ...more],
      })),
    ),
  )
  const isWanted = (definition: TableDefinition): boolean =>
    run.table === undefined || definition.tableName === run.table
  await run.report(faults.filter((fault) => isAbout(fault, run.table)))
  const tables = catalog.tables.filter(isWanted)
  for (const definition of tables) await verifyTable(run, definition)
  await verifyRest(run, catalog, isWanted)
  return tables.length
}

/** What belongs to no table is reported whatever was requested. */
function isAbout({ place }: Fault, table: string | undefined): boolean {
  return table === undefined || place.table === undefined || place.table === table
}

async function verifyTable(run: Verification, definition: TableDefinition): Promise<void> {
  const table = new KnownTable(definition)
  const place = placeOfTable(definition)
  const { tableName } = definition
  run.begin(`table ${tableName}`, await countOf(run.store, definition.tableId))
  await run.part(place, () => checkItems(run, table))
  for (const index of indexesOf(table.definition)) {
    const { indexName, indexId } = index
    run.begin(`table ${tableName}, index ${indexName}`, await countOf(run.store, indexId))
    await run.part({ ...place, index: indexName }, () => checkIndex(run, table, index))
  }
  if (table.definition.timeToLive !== undefined) {
    run.begin(`table ${tableName}, expiries`)
    await run.part(place, () => checkExpiries(run, table))
  }
  if (table.definition.replication !== undefined) {
    run.begin(`table ${tableName}, stamps`)
    await run.part(place, () => checkStamps(run, table))
  }
  if ((table.definition.shards ?? []).length > 0) {
    run.begin(`table ${tableName}, change log`)
    await run.part(place, () => checkChangeLog(run, table, true))
  }
  await run.part(place, () => checkKeptItems(run, table))
}

async function verifyRest(
  run: Verification,
  { dropped, backups }: ReadCatalog,
  isWanted: (definition: TableDefinition) => boolean,
): Promise<void> {
  for (const definition of dropped.filter(isWanted)) {
    run.begin(`change log of the deleted table ${definition.tableName}`)
    const table = new KnownTable(definition, droppedTableKey(definition.tableId))
    await run.part(placeOfTable(definition), () => checkChangeLog(run, table, false))
  }
  for (const backup of backups.filter(({ table }) => isWanted(table))) {
    run.begin(`backup ${backup.backupName} of ${backup.table.tableName}`, backup.itemCount)
    await run.part({ ...placeOfTable(backup.table), backup: backupArn(backup) }, () => checkBackup(run, backup))
  }
  if (run.table !== undefined) return
  run.begin('tokens')
  await run.part({}, () => checkTokens(run))
  run.begin('records')
  await run.part({}, () => checkSpaces(run))
}

async function countOf(store: Store, id: number): Promise<number | undefined> {
  return decodeCounters(await store.view((snapshot) => snapshot.get(countsKey(id))))[0]
}
