import type { Table } from '../catalog/table.ts'
import type { TimeToLiveDefinition } from '../definitions/table-definition.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { ItemWriting } from '../items/change-item.ts'
import { dueRange, expirySecondsOf, isDue } from '../expiry/expiry.ts'
import { ChangePlan, storedOf } from '../items/change-plan.ts'
import { foundForChange, keysOfChange, withCurrentKeys } from '../items/keys-of-change.ts'
import { following } from '../layout/key-bounds.ts'
import { expirySecondsOfKey, itemKeyOfExpiry } from '../layout/key-space.ts'
import { decodeItemStamp } from '../stamps/item-stamp.ts'
import type { Key, Value } from '../store/store.ts'
import { breathe, type Stopping } from '../work/background-work.ts'

/** What one sweep did. */
export interface Sweep {
  readonly visitedEntries: number
  readonly expiredItems: number
}

const itemsPerTransaction = 50

/** Deletes expired items from every table with a time to live. It only reads what has expired, so the cost of a sweep
 *  depends on what it deletes. */
export async function expireItems(engine: ItemWriting, stopping: Stopping): Promise<Sweep> {
  let visitedEntries = 0
  let expiredItems = 0
  for (const table of engine.catalog.all()) {
    const { timeToLive } = table.definition
    if (timeToLive === undefined) continue
    for await (const { expiries, nowMs } of dueExpiries(engine, timeToLive, stopping)) {
      visitedEntries += expiries.length
      const expired = await withCurrentKeys(() => expirePage(engine, table, timeToLive, expiries, nowMs))
      expiredItems += expired
      engine.capacity.didExpire(table, expired)
      await breathe()
    }
  }
  return { visitedEntries, expiredItems }
}

interface DuePage {
  readonly expiries: readonly Key[]
  /** The time by which they have expired. */
  readonly nowMs: number
}

async function* dueExpiries(
  engine: ItemWriting,
  { expiryIndexId }: TimeToLiveDefinition,
  stopping: Stopping,
): AsyncGenerator<DuePage> {
  let after: Key | undefined
  while (!stopping.aborted) {
    const nowMs = engine.clock.settled()
    const due = dueRange(expiryIndexId, nowMs)
    const range = {
      from: after === undefined ? due.from : following(after),
      to: due.to,
      limit: itemsPerTransaction,
    }
    const expiries: Key[] = []
    await engine.store.view((snapshot) => snapshot.range(range, (key) => expiries.push(key) < itemsPerTransaction))
    if (expiries.length > 0) yield { expiries, nowMs }
    if (expiries.length < itemsPerTransaction) return
    after = expiries.at(-1)
  }
}

/** Items are read again in the transaction that deletes them: somebody may have extended the life of one meanwhile,
 *  which also moved its expiry entry. An expiry entry is removed with its item, or if the item does not exist. It is
 *  never removed while the item stays, or the item would stay forever. */
function expirePage(
  engine: ItemWriting,
  table: Table,
  { expiryIndexId }: TimeToLiveDefinition,
  expiries: readonly Key[],
  nowMs: number,
): Promise<number> {
  const changes = expiries.map((expiry) => ({
    expiry,
    keys: keysOfChange(table, itemKeyOfExpiry(table.id, expiry)),
  }))
  return transactOnTables(
    engine,
    [table],
    changes.flatMap(({ keys }) => keys),
    (values, moment) => {
      const { status, timeToLive } = table.definition
      if (status === 'DELETING' || timeToLive?.expiryIndexId !== expiryIndexId) return { writes: [], answer: 0 }
      const plan = new ChangePlan({ at: moment, expired: true })
      let expired = 0
      let at = 0
      for (const { expiry, keys } of changes) {
        const [key] = keys
        const { item, collection, stamp } = foundForChange(table, keys, values, at)
        const previous = storedOf(item)
        const seconds = previous && expirySecondsOf(previous.item, timeToLive.attributeName)
        const waitMs = stamp === undefined ? 0 : leftToOthersMs(table, stamp.value)
        if (key !== undefined && seconds !== undefined && isDue(seconds, nowMs - waitMs)) {
          plan.add({ table, key, previous, next: undefined, stamp }, collection)
          expired++
        }
        if (seconds !== expirySecondsOfKey(expiry)) plan.writes.push({ kind: 'delete', key: expiry })
        at += keys.length
      }
      return { writes: plan.writes, answer: expired, effect: plan.effect }
    },
  )
}

/** In a global table, an item is deleted by the replica of the region that wrote it last, and the others get the deletion.
 *  They do not wait forever, because that region may be out of reach. */
function leftToOthersMs({ definition }: Table, stamp: Value): number {
  return decodeItemStamp(stamp).stamp.region === definition.region ? 0 : 10 * 60_000
}
