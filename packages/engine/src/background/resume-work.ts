import { growPartitions } from '../capacity/grow-partitions.ts'
import type { ItemWriting } from '../items/change-item.ts'
import type { Recorder } from '../metering/recorder.ts'
import { countPending, hasUnsent } from '../replication/replicate.ts'
import type { ReplicationHost } from '../replication/replication-host.ts'
import { ReplicationWork } from '../replication/replication-work.ts'
import { forgetTombstones } from '../replication/tombstones.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Streaming } from '../streams/streaming.ts'
import { tokensExpireBy } from '../transactions/client-token.ts'
import type { BackgroundWork } from '../work/background-work.ts'
import type { LeasedWork } from '../work/leased-work.ts'
import { expireItems } from './expire-items.ts'
import { forgetTokens } from './forget-tokens.ts'
import { rollOverShards, splitHotShards } from './replace-shards.ts'
import { expireBackups } from './take-backup.ts'
import { trimChangeLogs } from './trim-change-log.ts'
import { unfinishedWork, type WorkHost } from './unfinished-work.ts'

/** The background work of an engine, and what runs it. */
export interface ResumedWork {
  readonly engine: WorkHost & ItemWriting & Streaming
  readonly background: BackgroundWork
  readonly leased: LeasedWork
  readonly recorder: Recorder
  readonly expirySweepMs: number
  readonly replicationPauseMs: number
  readonly leaseMs: number
  /** Tells other servers what this one is asked for, if there may be any. */
  readonly exchangeCapacity: (() => Promise<void>) | undefined
}

/** How long other servers of a shared store may be unaware of a change to a table, at most. Writes are never unaware
 *  of it. */
const catalogRefreshMs = 250
const hourMs = 60 * 60_000

/** Continues what the last process left unfinished, and starts the recurring tasks. */
export async function resumeWork(work: ResumedWork): Promise<void> {
  const { engine, background, leased, recorder, expirySweepMs } = work
  const { store, clock, transfers } = engine
  for (const left of await unfinishedWork(engine)) leased.begin(left)
  await transfers.forgetOld()
  if (engine.catalog.isShared) background.every(catalogRefreshMs, () => refreshQuietly(engine))
  const { exchangeCapacity } = work
  if (exchangeCapacity !== undefined) background.every(1_000, () => unlessUnreachable(exchangeCapacity()))
  takeUpWork(work)
  leased.every('expiry', expirySweepMs, async (stopping) => {
    await expireItems(engine, stopping)
  })
  const replication = new ReplicationWork(engine)
  background.every(work.replicationPauseMs, () => replicateDue(engine, leased, replication))
  leased.every('backups', hourMs, (stopping) => expireBackups(engine, stopping))
  leased.every('old transfers', hourMs, () => transfers.forgetOld())
  leased.every('tokens', 60_000, (stopping) => forgetTokens(store, tokensExpireBy(clock), stopping))
  background.every(1_000, () => clock.tick())
  background.every(1_000, () => splitHotShards(engine))
  background.every(10_000, () => recorder.flush(clock.now()))
  background.every(60_000, () => growPartitions(store, engine.capacity, clock))
  leased.every('tombstones', 60_000, async (stopping) => {
    await forgetTombstones(engine, stopping)
    await countPending(engine)
  })
  leased.every('metrics', hourMs, (stopping) => recorder.trim(clock.settled(), stopping))
  leased.every('change log', 60_000, async (stopping) => {
    await rollOverShards(engine, stopping)
    await trimChangeLogs(engine, stopping)
  })
}

/** Most of the time there is nothing to send, and often there are no replicas at all. */
async function replicateDue(engine: ReplicationHost, leased: LeasedWork, work: ReplicationWork): Promise<void> {
  if (leased.isDoing(work.name) || work.waitsForMore()) return
  if ((await unlessUnreachable(hasUnsent(engine))) === true) leased.begin(work)
}

/** Looks for work that nobody is doing any more, because its server is gone or it failed, for example on a full disk.
 *  New work may be about to be started: it is only taken over when it is seen a second time. */
function takeUpWork({ engine, background, leased, leaseMs }: ResumedWork): void {
  let seenBefore = new Set<string>()
  background.every(leaseMs / 2, async () => {
    await engine.refresh()
    const left = await unfinishedWork(engine)
    for (const work of left) {
      if (seenBefore.has(work.name) && !leased.isDoing(work.name)) leased.begin(work)
    }
    seenBefore = new Set(left.map(({ name }) => name))
  })
}

async function refreshQuietly(engine: WorkHost): Promise<void> {
  await unlessUnreachable(engine.refresh())
}

/** Requests report a store that cannot be reached; there is no need to report it several times a second as well. */
async function unlessUnreachable<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (error) {
    if (error instanceof StorageError) return undefined
    throw error
  }
}
