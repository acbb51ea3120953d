import { ServiceError } from '@hashrange/core'
import type { Admission } from '../capacity/admission.ts'
import type { Capacity, IndexWrite } from '../capacity/capacity.ts'
import { ThrottledError } from '../capacity/throttled.ts'
import { writeUnits } from '../capacity/units.ts'
import type { Key, Value } from '../store/store.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import type { WriteAction } from './write-action.ts'

interface UsedAction extends WriteAction {
  readonly key: Key
  readonly itemAt: number
}

interface ActionUse {
  readonly kind: 'write' | 'read'
  readonly position: number
  readonly units: number
  readonly indexWrites: readonly IndexWrite[]
}

/** What a transaction uses, collected while it is decided upon, which may happen more than once, and charged when it is
 *  done. Until then the least it may cost is held. */
export class TransactionUse {
  readonly #capacity: Capacity
  readonly #actions: readonly UsedAction[]
  readonly #admission: Admission | undefined
  #uses: ActionUse[] = []
  #values: readonly (Value | undefined)[] = []
  #refusals: { readonly position: number; readonly error: ThrottledError }[] = []

  constructor(capacity: Capacity, actions: readonly UsedAction[]) {
    this.#capacity = capacity
    this.#actions = actions
    this.#admission = capacity.admitTogether('write', actions, 2)
  }

  restart(values: readonly (Value | undefined)[]): void {
    this.#admission?.releaseIndexes()
    this.#values = values
    this.#uses = []
    this.#refusals = []
  }

  /** Refuses an action that an index of its table cannot take. */
  wrote(position: number, units: number, indexWrites: readonly IndexWrite[]): void {
    const action = this.#actions[position]
    if (action === undefined) return
    try {
      this.#capacity.assertIndexesTake(action.table, indexWrites)
    } catch (error) {
      if (error instanceof ThrottledError) this.#refusals.push({ position, error })
      throw error
    }
    this.#uses.push({ kind: 'write', position, units, indexWrites })
  }

  reread(position: number, units: number): void {
    this.#uses.push({ kind: 'read', position, units, indexWrites: [] })
  }

  /** Once all of its actions were let in: they do not stand in each other's way. */
  holdIndexWrites(): void {
    if (this.#admission === undefined) return
    for (const { position, indexWrites } of this.#uses) {
      const action = this.#actions[position]
      if (action !== undefined) this.#capacity.holdIndexWrites(this.#admission, action.table, indexWrites)
    }
  }

  release(): void {
    this.#admission?.release()
  }

  charge(): void {
    for (const { kind, position, units, indexWrites } of this.#uses) {
      const action = this.#actions[position]
      if (action === undefined) continue
      const { table, key, item } = action
      if (kind === 'read') this.#capacity.didRead(table, undefined, key, units, item)
      else this.#capacity.didWrite(table, key, units, item, indexWrites)
    }
  }

  /** A cancelled transaction is charged for what it has looked at, as if it had written; one that was refused is not. */
  chargeFailed(error: unknown): void {
    for (const { position, error: refusal } of this.#refusals) {
      const action = this.#actions[position]
      if (action !== undefined) this.#capacity.didNotWrite(action.table, action.key, action.item, 0, refusal)
    }
    if (!(error instanceof ServiceError) || this.#refusals.length > 0) return
    const reasons = error.members['CancellationReasons']
    if (!Array.isArray(reasons)) return
    reasons.forEach((reason: { readonly Code?: unknown }, position) => {
      const action = this.#actions[position]
      if (action === undefined) return
      if (reason.Code === 'ConditionalCheckFailed') this.#capacity.didFailCondition(action.table)
      const value = this.#values[action.itemAt]
      const units = 2 * writeUnits(value === undefined ? 0 : storedSizeBytes(value))
      this.#capacity.didWrite(action.table, action.key, units, action.item, [])
    })
  }
}
