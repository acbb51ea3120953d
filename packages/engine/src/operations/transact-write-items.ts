import { limits, validationException } from '@hashrange/core'
import type { TransactWriteItemsInput } from '../api/inputs.ts'
import type { ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { readUnits, tableUnits } from '../capacity/units.ts'
import type { Engine } from '../engine.ts'
import { assertCondition } from '../items/assert-condition.ts'
import { assertNotDropped, keyInTable } from '../items/change-item.ts'
import { ChangePlan, keysOfChange, storedOf } from '../items/change-plan.ts'
import { itemCollectionMetrics, type ItemCollectionMetrics } from '../items/item-collection-metrics.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import { keyText } from '../layout/key-bounds.ts'
import type { Scope } from '../scope.ts'
import type { Decision, Key, Value } from '../store/store.ts'
import { forAllOrCancel } from '../transactions/cancellation.ts'
import { clientTokenOf } from '../transactions/client-token.ts'
import { UnitsByTable } from '../transactions/units-by-table.ts'
import { readWriteAction, type WriteAction } from '../transactions/write-action.ts'

export interface TransactWriteItemsOutput {
  readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined
  readonly ItemCollectionMetrics?: Readonly<Record<string, readonly ItemCollectionMetrics[]>> | undefined
}

/** An action, and where its values stand among those that were read. */
interface PlacedAction extends WriteAction {
  readonly key: Key
  readonly itemAt: number
  readonly collectionAt: number | undefined
}

export async function transactWriteItems(
  engine: Engine,
  scope: Scope,
  input: TransactWriteItemsInput,
): Promise<TransactWriteItemsOutput> {
  const actions = input.TransactItems.map((item) => readWriteAction(engine, scope, item))
  forAllOrCancel(actions, ({ check }) => check())
  assertFits(actions)
  const token =
    input.ClientRequestToken === undefined
      ? undefined
      : clientTokenOf(scope, input.ClientRequestToken, input.TransactItems)
  const keys: Key[] = token === undefined ? [] : [token.key]
  const placed = actions.map((action) => place(action, keys))
  assertApart(placed)
  return engine.store.transact(keys, (values) => {
    const nowMs = engine.clock.now()
    if (token?.isReplay(values[0], nowMs)) return { writes: [], answer: answerReplay(input, placed, values) }
    const decision = decide(input, placed, values, nowMs)
    return token === undefined ? decision : { ...decision, writes: [...decision.writes, ...token.writes(values[0], nowMs)] }
  })
}

function decide(
  input: TransactWriteItemsInput,
  actions: readonly PlacedAction[],
  values: readonly (Value | undefined)[],
  nowMs: number,
): Decision<TransactWriteItemsOutput> {
  const changes = forAllOrCancel(actions, (action) => {
    assertNotDropped(action.table)
    const previous = storedOf(values[action.itemAt])
    assertCondition(action.condition, previous, action.onFailure)
    return { previous, next: action.next(previous) }
  })
  const plan = new ChangePlan({ atMs: nowMs, expired: false })
  const units = new UnitsByTable()
  const metrics = new Map<string, ItemCollectionMetrics[]>()
  forAllOrCancel(actions, ({ table, key, item, collectionAt }, position) => {
    const change = changes[position]
    if (change === undefined) throw new Error('every action has its change')
    const outcome = plan.add({ table, key, ...change }, collectionAt === undefined ? undefined : values[collectionAt])
    units.add(table.name, { ...outcome.units, table: outcome.units.table * 2 })
    const metric = itemCollectionMetrics(input.ReturnItemCollectionMetrics, table, item, outcome.collectionBytes)
    if (metric !== undefined) metrics.set(table.name, [...(metrics.get(table.name) ?? []), metric])
  })
  return {
    writes: plan.writes,
    answer: {
      ConsumedCapacity: units.consumed(input.ReturnConsumedCapacity, 'write'),
      ItemCollectionMetrics: metrics.size === 0 ? undefined : Object.fromEntries(metrics),
    },
  }
}

/** The transaction has happened: its items are read, and that is paid for. */
function answerReplay(
  input: TransactWriteItemsInput,
  actions: readonly PlacedAction[],
  values: readonly (Value | undefined)[],
): TransactWriteItemsOutput {
  const units = new UnitsByTable()
  for (const { table, itemAt } of actions) {
    const value = values[itemAt]
    units.add(table.name, tableUnits(2 * readUnits(value === undefined ? 0 : storedSizeBytes(value), true)))
  }
  return { ConsumedCapacity: units.consumed(input.ReturnConsumedCapacity, 'read') }
}

function place(action: WriteAction, keys: Key[]): PlacedAction {
  const key = keyInTable(action.table, action.item)
  const itemAt = keys.length
  keys.push(...keysOfChange(action.table, key))
  return { ...action, key, itemAt, collectionAt: keys.length - itemAt > 1 ? itemAt + 1 : undefined }
}

function assertFits(actions: readonly WriteAction[]): void {
  const bytes = actions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes > limits.transactionBytes) {
    throw validationException('Collection of items exceeds the maximum size of a transaction: 4 MB')
  }
}

function assertApart(actions: readonly PlacedAction[]): void {
  const seen = new Set(actions.map(({ key }) => keyText(key)))
  if (seen.size < actions.length) throw multipleOperationsOnOneItem()
}

export function multipleOperationsOnOneItem(): Error {
  return validationException('Transaction request cannot include multiple operations on one item')
}
