import { unlessNotFound } from '../catalog/catalog-errors.ts'
import type { Table } from '../catalog/table.ts'
import type { Write } from '../store/store.ts'
import { breathe } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import { applyChanges, type AppliedChanges } from './apply-changes.ts'
import { forgetOldConflicts } from './conflicts.ts'
import { cursorWrite } from './cursor.ts'
import { destinations, otherMembers } from './members.ts'
import { countUnsent, readOutgoing, unsentSince, type OutgoingPage } from './outgoing-changes.ts'
import { rejoinAll, replicasBehind } from './rejoin-replica.ts'
import type { ReplicationHost } from './replication-host.ts'
import { readOutbox } from './read-outbox.ts'
import type { Outbox, UnsentChanges } from './unsent-changes.ts'

/** Sends what has been written in each replica to the others, as far as their regions can be reached. Returns how many
 *  entries of change logs were sent. */
export async function replicateAll(engine: ReplicationHost, lease: Lease): Promise<number> {
  await rejoinAll(engine, lease, lease)
  try {
    return await sendBetween(engine, [...pairs(engine)], lease, { unsent: engine.unsent })
  } catch (error) {
    // What was not applied is still in the logs.
    engine.unsent.forgetAll()
    throw error
  }
}

/** Sends everything that a replica must still send to another, as its log has it, without waiting where its region is
 *  slow on purpose: nothing will send it later. */
export function sendChanges(engine: ReplicationHost, source: Table, target: Table, lease: Lease): Promise<number> {
  return sendBetween(engine, [[source, target]], lease, { ignoresLag: true })
}

type Pair = readonly [source: Table, target: Table]

interface SendOptions {
  /** What was written a moment ago, if it is remembered. */
  readonly unsent?: UnsentChanges
  /** Whether what is recent is sent too, though a region is slow on purpose. */
  readonly ignoresLag?: boolean
}

/** What must be sent between two replicas. */
interface Sending {
  readonly source: Table
  readonly target: Table
  readonly page: OutgoingPage
  /** Where the page comes from; or what remembers everything that was written since, if it is the last of the log. */
  readonly outbox: Outbox | undefined
}

/** Page by page for all pairs. Where one replica only has to note that there was nothing of its own in its log, that is
 *  written with the changes of another, because every transaction makes writers wait for the disk. */
async function sendBetween(
  engine: ReplicationHost,
  all: readonly Pair[],
  lease: Lease,
  options: SendOptions,
): Promise<number> {
  let sent = 0
  let left = all
  while (left.length > 0 && !lease.aborted) {
    const read = await Promise.all(left.map((pair) => readPage(engine, pair, options)))
    const sendings = read.filter((one) => one !== undefined)
    const [first, ...others] = sendings.filter(({ page }) => page.changes.length > 0)
    const gone = new Set<Table>()
    const notes = sendings.filter(({ page }) => page.changes.length === 0).map(noteOf)
    if (first === undefined) {
      if (notes.length > 0) await lease.transact([], () => ({ writes: notes, answer: undefined }))
    } else {
      const sendingNow = [send(engine, first, lease, notes), ...others.map((one) => send(engine, one, lease))]
      for (const target of await Promise.all(sendingNow)) if (target !== undefined) gone.add(target)
    }
    for (const { source, target, page, outbox } of sendings) {
      sent += page.entries
      // The notes were not written if the replica that they were to be written with is gone.
      if (gone.size > 0) options.unsent?.forget(source, target)
      else if (page.isLast) outbox?.sent()
    }
    left = sendings
      .filter(({ page, target }) => !page.isLast && !gone.has(target))
      .map(({ source, target }) => [source, target])
    await breathe()
  }
  return sent
}

/** Undefined if there is nothing to send, or the region cannot be reached. */
async function readPage(
  engine: ReplicationHost,
  [source, target]: Pair,
  { unsent, ignoresLag }: SendOptions,
): Promise<Sending | undefined> {
  const toRegion = target.definition.region
  const link = engine.regions.linkBetween(source.definition.region, toRegion)
  const { isCut } = link
  const lagMs = ignoresLag === true ? 0 : link.lagMs
  if (isCut || lagMs > 0) unsent?.forget(source, target)
  if (isCut) return undefined
  const known = unsent?.of(source, target)
  if (known !== undefined) {
    const page = known.isSent ? undefined : await readOutbox(engine, source, target, known)
    return page && { source, target, page, outbox: known }
  }
  const outbox = lagMs > 0 ? undefined : unsent?.begin(source, target)
  const untilSteadyMs = lagMs === 0 ? Infinity : engine.clock.steady() - lagMs
  const page = await readOutgoing(engine.store, source, toRegion, untilSteadyMs)
  if (page === undefined) unsent?.forget(source, target)
  else if (page.entries > 0) return { source, target, page, outbox }
  else outbox?.sent()
  return undefined
}

function noteOf({ source, target, page }: Sending): Write {
  return cursorWrite(source.id, target.definition.region, page.cursor)
}

/** Returns the target if it is gone. */
async function send(
  engine: ReplicationHost,
  sending: Sending,
  lease: Lease,
  notes: readonly Write[] = [],
): Promise<Table | undefined> {
  const { source, target, page } = sending
  let conflicts = 0
  for (let start = 0; start < page.changes.length; start += changesPerTransaction) {
    const changes = page.changes.slice(start, start + changesPerTransaction)
    const isLast = start + changes.length === page.changes.length
    const beside = isLast ? [noteOf(sending), ...notes] : []
    const applied = await unlessNotFound(applyChanges(engine, target, changes, { through: lease, beside }))
    if (applied === undefined) return target
    charge(engine, source, target, page, applied)
    conflicts += applied.conflicts
  }
  if (conflicts > 0) await forgetOldConflicts(engine.store, target)
  return undefined
}

/** Writers wait while a transaction is decided and written: with four times as many, the slowest waited half as long
 *  again. */
const changesPerTransaction = 128

/** Each replica, with each of the others that are in this store. */
function* pairs(engine: ReplicationHost): Iterable<Pair> {
  for (const source of engine.catalog.all()) {
    const { replication } = source.definition
    if (replication === undefined || replication.consistency === 'STRONG') continue
    for (const target of otherMembers(engine.catalog, source)) yield [source, target]
  }
}

/** Counts what must still be sent, once a minute. */
export async function countPending(engine: ReplicationHost): Promise<void> {
  for (const source of engine.catalog.all()) {
    for (const region of destinations(engine.catalog, source)) {
      const { count } = await engine.store.view((snapshot) => countUnsent(snapshot, source.definition, region))
      engine.capacity.hasToReplicate(source, region, count)
    }
  }
}

/** Whether anything must be sent: looking is cheaper than taking a lease. */
export async function hasUnsent(engine: ReplicationHost): Promise<boolean> {
  if ((await replicasBehind(engine)).length > 0) return true
  const all = [...pairs(engine)]
  if (all.length === 0) return false
  return engine.store.view(async (snapshot) => {
    const steadyMs = engine.clock.steady()
    for (const [source, target] of all) {
      const link = engine.regions.linkBetween(source.definition.region, target.definition.region)
      if (link.isCut || link.lagMs > 0) engine.unsent.forget(source, target)
      if (link.isCut) continue
      const outbox = engine.unsent.of(source, target)
      if (outbox?.isSent === false) return true
      if (outbox !== undefined) continue
      const sinceMs = await unsentSince(snapshot, source.definition, target.definition.region)
      if (sinceMs > 0 && sinceMs < (link.lagMs === 0 ? Infinity : steadyMs - link.lagMs)) return true
    }
    return false
  })
}

/** A replicated write costs the replica that it reaches as much as a write of its own. */
function charge(
  { capacity, clock }: ReplicationHost,
  source: Table,
  target: Table,
  { oldestAtMs }: OutgoingPage,
  { writes }: AppliedChanges,
): void {
  for (const { key, units, owner, indexWrites } of writes) capacity.didWrite(target, key, units, owner, indexWrites)
  if (writes.length === 0 || oldestAtMs === undefined) return
  capacity.didReplicate(source, target.definition.region, clock.now() - oldestAtMs)
}
