import type { Table } from '../catalog/table.ts'
import type { TimeToLiveDefinition } from '../catalog/table-definition.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { Engine } from '../engine.ts'
import { dueRange, expirySecondsOf, isDue } from '../expiry/expiry.ts'
import { ChangePlan, keysOfChange, storedOf } from '../items/change-plan.ts'
import { itemKeyOfExpiry } from '../layout/key-space.ts'
import type { Key } from '../store/store.ts'
import { breathe, type Stopping } from './background-work.ts'

/** What one sweep did. */
export interface Sweep {
  readonly visitedEntries: number
  readonly expiredItems: number
}

const itemsPerTransaction = 50

/** Removes the items whose time has come, of every table that has a time to live. Only what is due is read, so that a
 *  sweep costs what it removes. */
export async function expireItems(engine: Engine, stopping: Stopping): Promise<Sweep> {
  let visitedEntries = 0
  let expiredItems = 0
  for (const table of engine.catalog.all()) {
    const { timeToLive } = table.definition
    if (timeToLive === undefined) continue
    let page = await nextDue(engine, timeToLive)
    while (page.length > 0 && !stopping.aborted) {
      visitedEntries += page.length
      const expired = await expirePage(engine, table, timeToLive, page)
      expiredItems += expired
      engine.capacity.didExpire(table, expired)
      await breathe()
      page = page.length < itemsPerTransaction ? [] : await nextDue(engine, timeToLive)
    }
  }
  return { visitedEntries, expiredItems }
}

async function nextDue(engine: Engine, { expiryIndexId }: TimeToLiveDefinition): Promise<readonly Key[]> {
  const keys: Key[] = []
  const range = dueRange(expiryIndexId, engine.clock.now())
  await engine.store.view((snapshot) =>
    snapshot.range({ ...range, limit: itemsPerTransaction }, (key) => keys.push(key) < itemsPerTransaction),
  )
  return keys
}

/** The items are read again in the transaction that removes them: somebody may have given one more time meanwhile, which
 *  has moved its expiry too. Whatever becomes of the items, the page's expiries are gone afterwards. */
function expirePage(
  engine: Engine,
  table: Table,
  { expiryIndexId }: TimeToLiveDefinition,
  expiries: readonly Key[],
): Promise<number> {
  const changes = expiries.map((expiry) => keysOfChange(table, itemKeyOfExpiry(table.id, expiry)))
  return transactOnTables(engine, [table], changes.flat(), (values) => {
    const { status, timeToLive } = table.definition
    if (status === 'DELETING' || timeToLive?.expiryIndexId !== expiryIndexId) return { writes: [], answer: 0 }
    const nowMs = engine.clock.now()
    const plan = new ChangePlan({ atMs: nowMs, expired: true })
    let expired = 0
    let at = 0
    for (const keys of changes) {
      const [key] = keys
      const previous = storedOf(values[at])
      const seconds = previous && expirySecondsOf(previous.item, timeToLive.attributeName)
      if (key !== undefined && seconds !== undefined && isDue(seconds, nowMs)) {
        plan.add({ table, key, previous, next: undefined }, values[at + 1])
        expired++
      }
      at += keys.length
    }
    for (const key of expiries) plan.writes.push({ kind: 'delete', key })
    return { writes: plan.writes, answer: expired }
  })
}
