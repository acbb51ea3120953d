import type { Item } from '@hashrange/core'
import { unitsOfTable } from '../capacity/units.ts'
import type { Capacity } from '../capacity/capacity.ts'
import { assertNotDropped } from '../catalog/assert-not-dropped.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import type { Table } from '../catalog/table.ts'
import { isTransactionConflict } from '../catalog/transaction-conflict.ts'
import { transactOnTables, type DecideAt, type Transacting } from '../catalog/transact-on-tables.ts'
import { effectOfAll } from '../store/effect.ts'
import { replicatedWriteConflict } from '../strong/strong-errors.ts'
import { strongly } from '../strong/strong-replicas.ts'
import type { WritesUnderWay } from '../strong/writes-under-way.ts'
import { ChangePlan, storedOf, type ChangeOutcome } from './change-plan.ts'
import { foundForChange, isKeysOutdated, keysOfChange, spareKeys } from './keys-of-change.ts'
import type { StoredItem } from './stored-item.ts'
import { StrongWrite, type WrittenElsewhere } from './strong-write.ts'

/** What is needed to write items. */
export interface ItemWriting extends Transacting {
  readonly capacity: Capacity
  readonly underWay: WritesUnderWay
}

/** The outcome for an item. Returning `previous` itself as `next` leaves it unchanged. */
export interface Verdict<T> {
  readonly next: StoredItem | undefined
  readonly answer: (outcome: ChangeOutcome) => T
}

/** Changes one item: `decide` sees the previous item and returns the next. The item, its index entries and everything
 *  that belongs to them are written together; if `decide` throws, nothing is. `leastUnits` is the cost as far as it
 *  is known before. */
export async function changeItem<T>(
  writing: ItemWriting,
  table: Table,
  item: Item,
  decide: (previous: StoredItem | undefined) => Verdict<T>,
  leastUnits = 1,
): Promise<T> {
  const { capacity } = writing
  const key = keyInTable(table, item)
  const admission = capacity.admitWrite(table, key, item, leastUnits)
  const ownKeys = keysOfChange(table, key)
  const strong = strongly(table.definition) && new StrongWrite(writing, table, key)
  const keys = strong === undefined ? ownKeys : [...ownKeys, ...strong.keys]
  const decideChange: DecideAt<Changed<T> | Refused> = (values, at) => {
    assertNotDropped(table)
    const found = foundForChange(table, ownKeys, values)
    const everywhere = strong?.look(values.slice(ownKeys.length), found.stamp?.value, at)
    const previous = storedOf(found.item)
    const verdict = verdictOf(decide, previous)
    if (verdict instanceof Refused) return { writes: [], answer: verdict }
    const plan = new ChangePlan({ at, expired: false })
    const change = { table, key, previous, next: verdict.next, stamp: found.stamp }
    const outcome = plan.add(
      everywhere === undefined ? change : { ...change, strong: everywhere.stamp },
      found.collection,
    )
    const others = everywhere?.addTo(plan, previous, verdict.next)
    capacity.assertIndexesTake(table, outcome.indexWrites, at.nowMs)
    const holding = capacity.holdingIndexWrites(admission, table, outcome.indexWrites)
    return {
      writes: plan.writes,
      answer: { outcome, answer: verdict.answer(outcome), others },
      effect: holding === undefined ? plan.effect : effectOfAll([plan.effect, holding]),
    }
  }
  let foundBytes = 0
  let ended: (() => void) | undefined
  try {
    ended = strong?.begin()
    const tables = strong === undefined ? [table] : [table, ...strong.others]
    const isSpare = strong === undefined ? spareKeys(table) : undefined
    const changed = await transactOnTables(writing, tables, keys, decideChange, writing.store, isSpare)
    if (changed instanceof Refused) {
      foundBytes = changed.foundBytes
      throw changed.error
    }
    const { units, indexWrites } = changed.outcome
    capacity.didWrite(table, key, unitsOfTable(units), item, indexWrites)
    for (const other of changed.others ?? []) {
      capacity.didWrite(other.table, other.key, unitsOfTable(other.outcome.units), item, other.outcome.indexWrites)
    }
    return changed.answer
  } catch (error) {
    if (isKeysOutdated(error)) {
      ended?.()
      ended = undefined
      return await changeItem(writing, table, item, decide, leastUnits)
    }
    capacity.didNotWrite(table, key, item, foundBytes, error)
    throw strong !== undefined && isTransactionConflict(error) ? replicatedWriteConflict() : error
  } finally {
    ended?.()
    admission?.release()
  }
}

interface Changed<T> {
  readonly outcome: ChangeOutcome
  readonly answer: T
  /** What it is in the other replicas of a strongly consistent global table. */
  readonly others: readonly WrittenElsewhere[] | undefined
}

/** An item was left as it was, with the reason. This costs as much as the item that was found. */
class Refused {
  readonly error: unknown
  readonly foundBytes: number

  constructor(error: unknown, foundBytes: number) {
    this.error = error
    this.foundBytes = foundBytes
  }
}

function verdictOf<T>(
  decide: (previous: StoredItem | undefined) => Verdict<T>,
  previous: StoredItem | undefined,
): Verdict<T> | Refused {
  try {
    return decide(previous)
  } catch (error) {
    return new Refused(error, previous?.sizeBytes ?? 0)
  }
}
