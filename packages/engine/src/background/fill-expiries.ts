import type { Table } from '../catalog/table.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { Transacting } from '../catalog/transact-on-tables.ts'
import { expirySecondsOf, expiryWrite } from '../expiry/expiry.ts'
import { storedOf } from '../items/change-plan.ts'
import { following } from '../layout/key-bounds.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import type { Key, Write } from '../store/store.ts'
import { breathe, type Stopping } from '../work/background-work.ts'

const itemsPerTransaction = 200

/** Adds the expiry entries of the items that a table had when its time to live was turned on, while the table is in
 *  use. As with an index, every write since then keeps them up to date, and repeating a page changes nothing. */
export async function fillExpiries(
  engine: Transacting,
  table: Table,
  expiryIndexId: number,
  stopping: Stopping,
): Promise<void> {
  let { from, to }: { from: Key; to: Key } = spaceRange(keySpace.item, table.id)
  while (!stopping.aborted && isWanted(table, expiryIndexId)) {
    const keys: Key[] = []
    await engine.store.view((snapshot) =>
      snapshot.range({ from, to, limit: itemsPerTransaction }, (key) => keys.push(key) < itemsPerTransaction),
    )
    const last = keys.at(-1)
    if (last === undefined) break
    await addExpiries(engine, table, expiryIndexId, keys)
    from = following(last)
    await breathe()
  }
  if (stopping.aborted || !isWanted(table, expiryIndexId)) return
  await engine.catalog.change(table, (definition) => {
    if (definition.timeToLive?.expiryIndexId !== expiryIndexId) return definition
    const { filling: _, ...timeToLive } = definition.timeToLive
    return { ...definition, timeToLive }
  })
}

function addExpiries(
  engine: Transacting,
  table: Table,
  expiryIndexId: number,
  keys: readonly Key[],
): Promise<void> {
  return transactOnTables(engine, [table], keys, (values) => {
    const writes: Write[] = []
    const { timeToLive } = table.definition
    if (timeToLive?.expiryIndexId !== expiryIndexId) return { writes, answer: undefined }
    keys.forEach((key, position) => {
      const stored = storedOf(values[position])
      const seconds = stored && expirySecondsOf(stored.item, timeToLive.attributeName)
      if (seconds !== undefined) writes.push(expiryWrite(expiryIndexId, seconds, key))
    })
    return { writes, answer: undefined }
  })
}

function isWanted({ definition }: Table, expiryIndexId: number): boolean {
  return definition.status !== 'DELETING' && definition.timeToLive?.expiryIndexId === expiryIndexId
}
