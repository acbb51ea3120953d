import { limits, ServiceError, validationException } from '@hashrange/core'
import type { ReturnItemCollectionMetrics } from '../api/item-inputs.ts'
import { noIndexWrites, type Capacity } from '../capacity/capacity.ts'
import type { ConsumedCapacity, ReturnConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { throttledBy } from '../capacity/throttled.ts'
import { readUnits, tableUnits, unitsOfTable } from '../capacity/units.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { ItemWriting } from '../items/change-item.ts'
import { assertCondition } from '../items/assert-condition.ts'
import { assertNotDropped } from '../catalog/assert-not-dropped.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { ChangePlan, storedOf } from '../items/change-plan.ts'
import { foundForChange, isKeysOutdated, keysOfChange } from '../items/keys-of-change.ts'
import { itemCollectionMetrics, type ItemCollectionMetrics } from '../items/item-collection-metrics.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import { effectOfAll } from '../store/effect.ts'
import type { Decision, Key, Value } from '../store/store.ts'
import type { Moment } from '../time/store-clock.ts'
import { assertTransactable } from '../strong/strong-replicas.ts'
import { assertApart } from './assert-apart.ts'
import { forAllOrCancel, transactionCanceled } from './cancellation.ts'
import { tokensExpireBy, type ClientToken, type Replay } from './client-token.ts'
import { conflictReason, isTransactionConflict } from '../catalog/transaction-conflict.ts'
import { Cancelled, TransactionUse, type ActionUse, type IndexRefusal } from './transaction-use.ts'
import { UnitsByTable } from './units-by-table.ts'
import type { WriteAction } from './write-action.ts'

export interface WriteActionsAnswer {
  readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined
  readonly ItemCollectionMetrics?: Readonly<Record<string, readonly ItemCollectionMetrics[]>> | undefined
}

/** What the response of a transaction must contain. */
interface WantedAnswer {
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}

/** An action, and the position of its values among those that were read. */
interface PlacedAction extends WriteAction {
  readonly key: Key
  readonly itemAt: number
  /** The keys of its values, the first of which is the item's. */
  readonly keys: readonly Key[]
}

/** Carries out actions that have been checked against their tables: all of them, or none. */
export async function runWriteActions(
  engine: ItemWriting,
  actions: readonly WriteAction[],
  token: ClientToken | undefined,
  wanted: WantedAnswer,
): Promise<WriteActionsAnswer> {
  for (const { table } of actions) assertTransactable(table)
  assertFits(actions)
  const keys: Key[] = token === undefined ? [] : [token.key]
  const placed = actions.map((action) => place(action, keys))
  assertApart(placed.map(({ key }) => key))
  const tables = actions.map(({ table }) => table)
  forAllOrCancel(placed, ({ table, key, item }) => engine.capacity.assertTakes(table, 'write', key, item))
  const use = new TransactionUse(engine.capacity, placed)
  const expiredByMs = token === undefined ? 0 : tokensExpireBy(engine.clock)
  try {
    const decided = await transactOnTables(engine, tables, keys, (values, at): Decision<Decided | Cancelled> => {
      const replay = token?.replayOf(values[0], expiredByMs)
      if (replay !== undefined) return { writes: [], answer: decideReplay(wanted, placed, values, replay) }
      assertWorkable(placed, values)
      const planned = planActions(engine.capacity, wanted, placed, values, at)
      if (planned instanceof Cancelled) return { writes: [], answer: planned }
      const { plan, answer, uses, sizesBytes } = planned
      const tokenWrites = token?.writes(values[0], at.steadyMs, sizesBytes)
      return {
        writes: tokenWrites === undefined ? plan.writes : [...plan.writes, ...tokenWrites],
        answer: { answer, uses },
        effect: effectOfAll([plan.effect, use.holding(uses)]),
      }
    })
    if (decided instanceof Cancelled) {
      use.chargeCancelled(decided)
      throw decided.error
    }
    use.charge(decided.uses)
    return decided.answer
  } catch (error) {
    if (isKeysOutdated(error)) return await runWriteActions(engine, actions, token, wanted)
    throw isTransactionConflict(error) ? transactionCanceled(actions.map(() => conflictReason)) : error
  } finally {
    use.release()
  }
}

interface Decided {
  readonly answer: WriteActionsAnswer
  readonly uses: readonly ActionUse[]
}

interface Planned extends Decided {
  readonly plan: ChangePlan
  /** Of each action's item, before or after it, whichever is larger. */
  readonly sizesBytes: readonly number[]
}

function planActions(
  capacity: Capacity,
  wanted: WantedAnswer,
  actions: readonly PlacedAction[],
  values: readonly (Value | undefined)[],
  at: Moment,
): Planned | Cancelled {
  const plan = new ChangePlan({ at, expired: false })
  const units = new UnitsByTable()
  const metrics = new Map<string, ItemCollectionMetrics[]>()
  const uses: ActionUse[] = []
  const refusals: IndexRefusal[] = []
  const sizesBytes: number[] = []
  try {
    const changes = forAllOrCancel(actions, (action) => {
      assertNotDropped(action.table)
      const previous = storedOf(values[action.itemAt])
      assertCondition(action.condition, previous, action.onFailure)
      return { previous, next: action.next(previous) }
    })
    forAllOrCancel(actions, ({ table, tableName, key, item, keys, itemAt }, position) => {
      const change = changes[position]
      if (change === undefined) throw new Error('every action has its change')
      sizesBytes.push(Math.max(change.previous?.sizeBytes ?? 0, change.next?.sizeBytes ?? 0))
      const { collection, stamp } = foundForChange(table, keys, values, itemAt)
      const outcome = plan.add({ table, key, ...change, stamp }, collection)
      const actionUnits = { ...outcome.units, table: outcome.units.table * 2 }
      const { indexWrites } = outcome
      const refusal = throttledBy(() => capacity.assertIndexesTake(table, indexWrites, at.nowMs))
      if (refusal !== undefined) {
        refusals.push({ position, error: refusal })
        throw refusal
      }
      uses.push({ kind: 'write', position, units: unitsOfTable(actionUnits), indexWrites })
      units.add(table.name, actionUnits, tableName)
      const metric = itemCollectionMetrics(wanted.ReturnItemCollectionMetrics, table, item, outcome.collectionBytes)
      if (metric !== undefined) metrics.set(table.name, [...(metrics.get(table.name) ?? []), metric])
    })
  } catch (error) {
    if (error instanceof ServiceError) return new Cancelled(error, refusals, values)
    throw error
  }
  const answer = {
    ConsumedCapacity: units.consumed(wanted.ReturnConsumedCapacity, 'write'),
    ItemCollectionMetrics: metrics.size === 0 ? undefined : Object.fromEntries(metrics),
  }
  return { plan, answer, uses, sizesBytes }
}

/** The transaction has already happened: reading its items is charged, with the sizes that they had then (measured on
 *  AWS by dynoxide). */
function decideReplay(
  wanted: WantedAnswer,
  actions: readonly PlacedAction[],
  values: readonly (Value | undefined)[],
  { sizesBytes }: Replay,
): Decided {
  const units = new UnitsByTable()
  const uses = actions.map(({ table, tableName, itemAt }, position): ActionUse => {
    const value = values[itemAt]
    const sizeBytes = sizesBytes?.[position] ?? (value === undefined ? 0 : storedSizeBytes(value))
    const itemUnits = 2 * readUnits(sizeBytes, true)
    units.add(table.name, tableUnits(itemUnits), tableName)
    return { kind: 'read', position, units: itemUnits, indexWrites: noIndexWrites }
  })
  return { answer: { ConsumedCapacity: units.consumed(wanted.ReturnConsumedCapacity, 'read') }, uses }
}

function place(action: WriteAction, keys: Key[]): PlacedAction {
  const { table, tableName, item, sizeBytes, condition, onFailure, check, next } = action
  const key = keyInTable(table, item)
  const itemAt = keys.length
  const own = keysOfChange(table, key)
  keys.push(...own)
  return { table, tableName, item, sizeBytes, condition, onFailure, check, next, key, itemAt, keys: own }
}

/** What is sent counts, not what it replaces. The service says it twice. */
function assertFits(actions: readonly WriteAction[]): void {
  const bytes = actions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes > limits.transactionBytes) {
    const message = 'Transaction payload size cannot exceed 4MB. Payload Size: '
    throw validationException(`${message}: ${message}${bytes}`)
  }
}

/** How much longer the JSON of a transaction's items may be than their size by the service's rules: a million values
 *  or so. */
const mostExtraBytes = 16 * 1024 * 1024

/** All items of a transaction are parsed and written in one go, while others wait. An item of 400 KB can be megabytes
 *  of JSON if it consists of the smallest possible values: a hundred of those would take half a minute. */
function assertWorkable(actions: readonly PlacedAction[], values: readonly (Value | undefined)[]): void {
  let extraBytes = 0
  for (const { itemAt } of actions) {
    const value = values[itemAt]
    if (value !== undefined) extraBytes += Math.max(0, value.length - storedSizeBytes(value))
  }
  if (extraBytes <= mostExtraBytes) return
  throw validationException(
    'The items of this transaction hold too many values to be changed together. Change fewer of them at once.',
  )
}
