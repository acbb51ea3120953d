import type { Item } from '@hashrange/core'
import { unitsOfTable } from '../capacity/units.ts'
import { resourceNotFound } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { Engine } from '../engine.ts'
import { itemKey } from '../layout/item-keys.ts'
import type { Key } from '../store/store.ts'
import { ChangePlan, keysOfChange, storedOf, type ChangeOutcome } from './change-plan.ts'
import type { StoredItem } from './stored-item.ts'

/** What becomes of an item. Returning `previous` itself as `next` leaves it as it is. */
export interface Verdict<T> {
  readonly next: StoredItem | undefined
  readonly answer: (outcome: ChangeOutcome) => T
}

/** Changes one item: `decide` sees what it was and says what it becomes. The item, its index entries and all that goes
 *  with them are written in one piece; if `decide` throws, nothing is. `leastUnits` are what it costs as far as is known
 *  before. */
export async function changeItem<T>(
  engine: Engine,
  table: Table,
  item: Item,
  decide: (previous: StoredItem | undefined) => Verdict<T>,
  leastUnits = 1,
): Promise<T> {
  const { capacity } = engine
  const key = keyInTable(table, item)
  const admission = capacity.admitWrite(table, key, item, leastUnits)
  let seen: StoredItem | undefined
  try {
    const changed = await transactOnTables(engine, [table], keysOfChange(table, key), ([value, collection]) => {
      assertNotDropped(table)
      const previous = storedOf(value)
      seen = previous
      const verdict = decide(previous)
      const plan = new ChangePlan({ atMs: engine.clock.now(), expired: false })
      const outcome = plan.add({ table, key, previous, next: verdict.next }, collection)
      admission?.releaseIndexes()
      capacity.assertIndexesTake(table, outcome.indexWrites)
      if (admission !== undefined) capacity.holdIndexWrites(admission, table, outcome.indexWrites)
      return { writes: plan.writes, answer: { outcome, answer: verdict.answer(outcome) } }
    })
    const { units, indexWrites } = changed.outcome
    capacity.didWrite(table, key, unitsOfTable(units), item, indexWrites)
    return changed.answer
  } catch (error) {
    capacity.didNotWrite(table, key, item, seen?.sizeBytes ?? 0, error)
    throw error
  } finally {
    admission?.release()
  }
}

export function keyInTable(table: Table, item: Item): Key {
  const { tableId, keySchema, attributeTypes } = table.definition
  return itemKey(tableId, keySchema, attributeTypes, item)
}

/** A request may have been waiting for its turn while its table was dropped. */
export function assertNotDropped(table: Table): void {
  if (table.definition.status === 'DELETING') throw resourceNotFound()
}
