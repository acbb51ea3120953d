import type { ServiceError } from '@hashrange/core'
import type { Admission } from '../capacity/admission.ts'
import type { Capacity, IndexWrite } from '../capacity/capacity.ts'
import type { ThrottledError } from '../capacity/throttled.ts'
import { writeUnits } from '../capacity/units.ts'
import { effectOfAll, type Effect } from '../store/effect.ts'
import type { Key, Value } from '../store/store.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import type { WriteAction } from './write-action.ts'

interface UsedAction extends WriteAction {
  readonly key: Key
  readonly itemAt: number
}

/** What one of a transaction's actions uses. */
export interface ActionUse {
  readonly kind: 'write' | 'read'
  readonly position: number
  readonly units: number
  readonly indexWrites: readonly IndexWrite[]
}

/** A transaction was cancelled, and what is known about its cost. */
export class Cancelled {
  readonly error: ServiceError
  readonly refusals: readonly IndexRefusal[]
  readonly values: readonly (Value | undefined)[]

  constructor(error: ServiceError, refusals: readonly IndexRefusal[], values: readonly (Value | undefined)[]) {
    this.error = error
    this.refusals = refusals
    this.values = values
  }
}

/** An action that an index of its table could not take. */
export interface IndexRefusal {
  readonly position: number
  readonly error: ThrottledError
}

/** What a transaction uses: charged when it is done. Until then the least it can cost is reserved. */
export class TransactionUse {
  readonly #capacity: Capacity
  readonly #actions: readonly UsedAction[]
  readonly #admission: Admission | undefined

  constructor(capacity: Capacity, actions: readonly UsedAction[]) {
    this.#capacity = capacity
    this.#actions = actions
    this.#admission = capacity.admitTogether('write', actions, 2)
  }

  /** What its writes do to indexes is reserved once all of its actions were admitted: they do not block each other. */
  holding(uses: readonly ActionUse[]): Effect | undefined {
    if (this.#admission === undefined) return undefined
    return effectOfAll(
      uses.map(({ position, indexWrites }) => {
        const action = this.#actions[position]
        return action && this.#capacity.holdingIndexWrites(this.#admission, action.table, indexWrites)
      }),
    )
  }

  release(): void {
    this.#admission?.release()
  }

  charge(uses: readonly ActionUse[]): void {
    for (const { kind, position, units, indexWrites } of uses) {
      const action = this.#actions[position]
      if (action === undefined) continue
      const { table, key, item } = action
      if (kind === 'read') this.#capacity.didRead(table, undefined, key, units, item)
      else this.#capacity.didWrite(table, key, units, item, indexWrites)
    }
  }

  /** A cancelled transaction is charged for what it has read, as if it had written; a rejected one is not. */
  chargeCancelled({ error, refusals, values }: Cancelled): void {
    for (const { position, error: refusal } of refusals) {
      const action = this.#actions[position]
      if (action !== undefined) this.#capacity.didNotWrite(action.table, action.key, action.item, 0, refusal)
    }
    const reasons = error.members['CancellationReasons']
    if (!Array.isArray(reasons) || refusals.length > 0) return
    reasons.forEach((reason: { readonly Code?: unknown }, position) => {
      const action = this.#actions[position]
      if (action === undefined) return
      if (reason.Code === 'ConditionalCheckFailed') this.#capacity.didFailCondition(action.table)
      const value = values[action.itemAt]
      const units = 2 * writeUnits(value === undefined ? 0 : storedSizeBytes(value))
      this.#capacity.didWrite(action.table, action.key, units, action.item, [])
    })
  }
}
