import type { Table } from '../catalog/table.ts'
import { currentEntries, storedPages, type Entry } from '../backups/stored-pages.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { following } from '../layout/key-bounds.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import { itemKeyOfTombstone } from '../layout/replication-keys.ts'
import type { Key, Store } from '../store/store.ts'
import { breathe } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import { progressWrite, readProgress } from '../work/work-progress.ts'
import { applyChanges } from './apply-changes.ts'
import { readStates } from './read-states.ts'
import type { ReplicatedChange } from './replicated-change.ts'
import type { ReplicationHost } from './replication-host.ts'

/** Brings the state of a replica into a new one, while both are written to: first what was deleted, then the items. No
 *  cut is needed. Each item is sent as it is when its page is read, and the new replica keeps whatever is later; what is
 *  written behind the pages is in the change log, which is sent from before the first page on. The progress is kept with
 *  each page, for a process that takes over. */
export async function fillReplica(
  engine: ReplicationHost,
  source: Table,
  target: Table,
  lease: Lease,
): Promise<void> {
  const progress = (await readProgress<FillProgress>(engine.store, target.id)) ?? {}
  if (progress.hasTombstones !== true) await fillTombstones(engine, source, target, lease)
  const whole = spaceRange(keySpace.item, source.id)
  const from = progress.next === undefined ? whole.from : Buffer.from(progress.next, 'base64')
  for await (const page of storedPages(currentEntries(engine.store), { ...whole, from })) {
    if (lease.aborted) return
    const next = following(page.at(-1)?.key ?? from)
    const noted: FillProgress = { hasTombstones: true, next: Buffer.from(next).toString('base64') }
    await applyChanges(engine, target, await withStamps(engine.store, source, page), {
      through: lease,
      beside: [progressWrite(target.id, noted)],
      isLogged: false,
    })
    await breathe()
  }
}

/** ON DISK as JSON. */
interface FillProgress {
  readonly hasTombstones?: boolean
  /** The key of the first item that may be missing, in base64. */
  readonly next?: string
}

/** An item that was deleted must not come back with an older write of a third region. */
async function fillTombstones(engine: ReplicationHost, source: Table, target: Table, lease: Lease): Promise<void> {
  const stampsId = source.definition.replication?.stampsId
  if (stampsId === undefined) return
  const tombstones = spaceRange(keySpace.tombstone, stampsId)
  for await (const page of storedPages(currentEntries(engine.store), tombstones)) {
    if (lease.aborted) return
    const changes = await deletedIn(engine.store, source, page)
    await applyChanges(engine, target, changes, { through: lease, isLogged: false })
    await breathe()
  }
}

/** What some of the tombstones of a replica stand for. */
export async function deletedIn(
  store: Store,
  { id, definition }: Table,
  page: readonly Entry[],
): Promise<readonly ReplicatedChange[]> {
  const changes = await changesAt(
    store,
    definition,
    page.map(({ key }) => itemKeyOfTombstone(id, key)),
  )
  return changes.filter(({ stamp }) => stamp.tombstone !== undefined)
}

/** The items of a page with their stamps. */
export async function withStamps(
  store: Store,
  { definition }: Table,
  page: readonly Entry[],
): Promise<readonly ReplicatedChange[]> {
  const changes = await changesAt(
    store,
    definition,
    page.map(({ key }) => key),
  )
  // What was deleted a moment ago is in the log.
  return changes.filter(({ item }) => item !== undefined)
}

/** Items and stamps are of one moment. */
async function changesAt(
  store: Store,
  definition: TableDefinition,
  itemKeys: readonly Key[],
): Promise<readonly ReplicatedChange[]> {
  const states = await store.view((snapshot) => readStates(snapshot, definition, itemKeys))
  return itemKeys.flatMap((itemKey, position): ReplicatedChange | readonly [] => {
    const state = states[position]
    return state === undefined ? [] : { itemKey, ...state }
  })
}
