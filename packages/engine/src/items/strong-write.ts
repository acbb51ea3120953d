import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import { keySpace, movedItemKey } from '../layout/key-space.ts'
import { missedWriteKey, regionConditionsKey, strongStateKey } from '../layout/replication-keys.ts'
import { decodeItemStamp, stampOfWrite, type ItemStamp } from '../stamps/item-stamp.ts'
import type { Key, Value, Write } from '../store/store.ts'
import { isCutOff, parseConditions } from '../strong/region-conditions.ts'
import { replicatedWriteConflict } from '../strong/strong-errors.ts'
import { assertServes, strongly, strongReplicas } from '../strong/strong-replicas.ts'
import { encodeStrongState, missed, parseStrongState } from '../strong/strong-state.ts'
import type { WritesUnderWay } from '../strong/writes-under-way.ts'
import type { Moment } from '../time/store-clock.ts'
import { storedOf, type ChangeOutcome, type ChangePlan } from './change-plan.ts'
import { KeysOutdated } from './keys-of-change.ts'
import type { StoredItem } from './stored-item.ts'

/** A write of an item in a strongly consistent global table. It is made in all replicas, in one transaction of the
 *  store, except in those that cannot be reached: there, what they miss is noted, and brought to them later
 *  (docs/decisions/0042). */
export class StrongWrite {
  /** The other replicas. */
  readonly others: readonly Table[]
  /** What the transaction reads besides the item and its stamp. */
  readonly keys: readonly Key[]
  readonly #writing: { readonly catalog: Catalog; readonly underWay: WritesUnderWay }
  readonly #table: Table
  readonly #key: Key
  #first: { readonly stamp: Value | undefined } | undefined

  constructor(writing: { readonly catalog: Catalog; readonly underWay: WritesUnderWay }, table: Table, key: Key) {
    this.#writing = writing
    this.#table = table
    this.#key = key
    this.others = strongReplicas(writing.catalog, table)
    this.keys = [
      regionConditionsKey(),
      strongStateKey(stampsIdOf(table)),
      ...this.others.flatMap((other) => [this.#keyIn(other), strongStateKey(stampsIdOf(other))]),
    ]
  }

  /** Throws if another region is writing the item. */
  begin(): () => void {
    return this.#writing.underWay.begin(this.#table.definition, this.#key)
  }

  /** Throws if the region cannot write now, or if another region has written the item since the decision was first
   *  asked for. */
  look(values: readonly (Value | undefined)[], stamp: Value | undefined, at: Moment): StrongChange {
    const { definition } = this.#table
    const now = strongReplicas(this.#writing.catalog, this.#table)
    if (now.length !== this.others.length || now.some((one, index) => one !== this.others[index])) {
      throw new KeysOutdated()
    }
    const [condition, ownState, ...rest] = values
    const conditions = parseConditions(condition)
    assertServes(definition, conditions, ownState !== undefined)
    this.#assertNotOvertaken(stamp)
    const before = stamp && decodeItemStamp(stamp)
    const next: ItemStamp = { ...stampOfWrite(before, at.nowMs, definition.region), seen: {} }
    const replicas = this.others.map((table, index) => ({
      table,
      key: this.#keyIn(table),
      item: rest[2 * index],
      state: rest[2 * index + 1],
      isCutOff: isCutOff(conditions[table.definition.region]),
    }))
    return new StrongChange(next, replicas)
  }

  #assertNotOvertaken(stamp: Value | undefined): void {
    this.#first ??= { stamp }
    const { stamp: first } = this.#first
    if (stamp === undefined ? first === undefined : first?.equals(stamp) === true) return
    const region = stamp && decodeItemStamp(stamp).stamp.region
    if (region !== this.#table.definition.region) throw replicatedWriteConflict()
  }

  #keyIn(other: Table): Key {
    return movedItemKey(keySpace.item, other.id, this.#key)
  }
}

interface ReplicaState {
  readonly table: Table
  readonly key: Key
  readonly item: Value | undefined
  readonly state: Value | undefined
  readonly isCutOff: boolean
}

/** A write as it was made in another replica. */
export interface WrittenElsewhere {
  readonly table: Table
  readonly key: Key
  readonly outcome: ChangeOutcome
}

/** What a write means for the other replicas, as they are now. */
class StrongChange {
  readonly stamp: ItemStamp
  readonly #replicas: readonly ReplicaState[]

  constructor(stamp: ItemStamp, replicas: readonly ReplicaState[]) {
    this.stamp = stamp
    this.#replicas = replicas
  }

  addTo(
    plan: ChangePlan,
    previous: StoredItem | undefined,
    next: StoredItem | undefined,
  ): readonly WrittenElsewhere[] {
    if (next === previous) return []
    const written: WrittenElsewhere[] = []
    for (const { table, key, item, state: stored, isCutOff: isAway } of this.#replicas) {
      const stampsId = stampsIdOf(table)
      const state = parseStrongState(stored)
      if (isAway || state?.is === 'behind') {
        plan.writes.push({ kind: 'put', key: missedWriteKey(stampsId, key), value: missed })
        if (state?.is !== 'behind') plan.writes.push(fallsBehind(stampsId, state?.turn ?? 0))
        continue
      }
      if (state !== undefined) plan.writes.push({ kind: 'delete', key: missedWriteKey(stampsId, key) })
      const change = { table, key, previous: storedOf(item), next, strong: this.stamp }
      written.push({ table, key, outcome: plan.add(change, undefined) })
    }
    return written
  }
}

function fallsBehind(stampsId: number, turn: number): Write {
  return { kind: 'put', key: strongStateKey(stampsId), value: encodeStrongState({ is: 'behind', turn: turn + 1 }) }
}

function stampsIdOf({ definition }: Table): number {
  const replication = strongly(definition)
  if (replication === undefined) throw new KeysOutdated()
  return replication.stampsId
}
