import { statSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@hashrange/postgres/testing'
import { callExpectingSuccess } from '../load/call.ts'
import { fillTable } from '../load/fill-table.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { startHashrange, startHashrangeOn } from '../servers/start-server.ts'
import { concurrency, type BenchContext } from './bench-context.ts'
import { templateOf } from './over-http.ts'
import { median } from './median.ts'

export interface Backups {
  readonly itemCount: number
  readonly stores: readonly BackupCost[]
}

/** What those pay who write a few items again and again while a large table is backed up. */
export interface BackupCost {
  readonly store: 'LMDB' | 'PostgreSQL'
  /** Updates a second of twenty items. */
  readonly alonePerSecond: number
  readonly duringPerSecond: number
  readonly backupSeconds: number
  /** Of LMDB's data file, by byte of the backup. */
  readonly grownTimes?: number
}

const hotItems = 20

export async function measureBackups(context: BenchContext): Promise<Backups> {
  const { options, progress } = context
  const path = join(context.folder, 'backups')
  const embedded = await startHashrange(context, path)
  const lmdb = await measureBackup(context, embedded, 'LMDB', () => statSync(join(path, 'data.mdb')).size)
  await embedded.stop()
  progress.show('starting PostgreSQL')
  const database = await startPostgres({ settings: { fsync: 'on', shared_buffers: '1GB', max_wal_size: '4GB' } })
  try {
    const server = await startHashrangeOn(context, await database.newDatabase())
    const postgres = await measureBackup(context, server, 'PostgreSQL')
    await server.stop()
    return { itemCount: options.itemCount, stores: [lmdb, postgres] }
  } finally {
    await database.remove()
  }
}

async function measureBackup(
  context: BenchContext,
  server: ServerProcess,
  store: BackupCost['store'],
  fileBytes?: () => number,
): Promise<BackupCost> {
  const { generator, options, progress } = context
  const { port } = server
  await fillTable(context, port, 'large', options.itemCount)
  await fillTable(context, port, 'hot', 25)
  const template = templateOf('UpdateItem', 'hot', hotItems)
  const update = async (): Promise<number> =>
    (await generator.run({ port, template, connections: concurrency, seconds: options.secondsPerRound })).perSecond
  const rounds = async (count: number): Promise<readonly number[]> => {
    progress.show(`hot items on ${store}, alone`)
    const perSecond: number[] = []
    for (let round = 0; round < count; round++) perSecond.push(await update())
    return perSecond
  }
  // The first round is a warm-up.
  const [, ...before] = await rounds(options.rounds + 1)

  progress.show(`hot items on ${store}, beside a backup`)
  const bytesBefore = fileBytes?.() ?? 0
  const startedAtMs = performance.now()
  const { BackupDetails } = await callExpectingSuccess(port, 'CreateBackup', {
    TableName: 'large',
    BackupName: 'backup',
  })
  const { BackupArn } = BackupDetails as { readonly BackupArn: string }
  const during: number[] = []
  for (;;) {
    during.push(await update())
    const { status, sizeBytes } = await backupOf(port, BackupArn)
    if (status !== 'AVAILABLE') continue
    const backupSeconds = (performance.now() - startedAtMs) / 1_000
    const grownTimes = fileBytes && (fileBytes() - bytesBefore) / sizeBytes
    const after = await rounds(options.rounds)
    return {
      store,
      alonePerSecond: median([...before, ...after]),
      // In the last round, the backup may have been over.
      duringPerSecond: median(during.length > 1 ? during.slice(0, -1) : during),
      backupSeconds,
      ...(grownTimes !== undefined && { grownTimes }),
    }
  }
}

async function backupOf(
  port: number,
  BackupArn: string,
): Promise<{ readonly status: string; readonly sizeBytes: number }> {
  const { BackupDescription } = await callExpectingSuccess(port, 'DescribeBackup', { BackupArn })
  const { BackupDetails } = BackupDescription as {
    readonly BackupDetails: { readonly BackupStatus: string; readonly BackupSizeBytes: number }
  }
  return { status: BackupDetails.BackupStatus, sizeBytes: BackupDetails.BackupSizeBytes }
}
