import type { IndexWrite } from '../capacity/capacity.ts'
import { unitsOfTable } from '../capacity/units.ts'
import { assertNotDropped } from '../catalog/assert-not-dropped.ts'
import type { Table } from '../catalog/table.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { KeyOwner } from '../metering/resource-meter.ts'
import type { ItemWriting } from '../items/change-item.ts'
import { ChangePlan, storedOf } from '../items/change-plan.ts'
import { UnreadKeys } from '../items/key-attributes.ts'
import {
  foundForChange,
  keysOfChange,
  spareKeys,
  withCurrentKeys,
  type FoundForChange,
} from '../items/keys-of-change.ts'
import { keySpace, movedItemKey } from '../layout/key-space.ts'
import { decodeItemStamp, hasSeen, mergedSeen } from '../stamps/item-stamp.ts'
import { isLater, sameStamp } from '../stamps/stamp.ts'
import type { Decision, Key, Write } from '../store/store.ts'
import type { Transactor } from '../store/transactor.ts'
import type { Moment } from '../time/store-clock.ts'
import { conflictWrite, type ItemState } from './conflict-write.ts'
import type { ReplicatedChange } from './replicated-change.ts'

export interface AppliedChanges {
  /** The writes of items that came of it, for whoever charges them. */
  readonly writes: readonly ChargedWrite[]
  /** How many writes lost against others that had not seen them. */
  readonly conflicts: number
}

export interface ChargedWrite {
  readonly key: Key
  readonly units: number
  /** Names the key. */
  readonly owner: KeyOwner
  readonly indexWrites: readonly IndexWrite[]
}

export interface ApplyOptions {
  readonly through: Transactor
  /** Written in the same transaction. */
  readonly beside?: readonly Write[]
  /** Whether a stream shows it. What a new replica is filled with is not a change. */
  readonly isLogged?: boolean
}

/** Applies changes that were made in other regions, each unless the replica has a later state of the item. It does not
 *  matter in which order they come, nor how often. */
export function applyChanges(
  engine: ItemWriting,
  table: Table,
  changes: readonly ReplicatedChange[],
  options: ApplyOptions,
): Promise<AppliedChanges> {
  return withCurrentKeys(() => {
    const placed = changes.map((change) => {
      const key = movedItemKey(keySpace.item, table.id, change.itemKey)
      return { change, key, keys: keysOfChange(table, key) }
    })
    const keys = placed.flatMap((one) => one.keys)
    return transactOnTables(
      engine,
      [table],
      keys,
      (values, at): Decision<AppliedChanges> => {
        assertNotDropped(table)
        const decision = new ApplyDecision(table, at, options.isLogged ?? true)
        let start = 0
        for (const { change, key, keys: own } of placed) {
          decision.add(change, key, foundForChange(table, own, values, start))
          start += own.length
        }
        return decision.made(options.beside ?? [])
      },
      options.through,
      spareKeys(table),
    )
  })
}

class ApplyDecision {
  readonly #table: Table
  readonly #plan: ChangePlan
  readonly #writes: Write[] = []
  readonly #at: Moment
  readonly #charged: ChargedWrite[] = []
  #conflicts = 0

  constructor(table: Table, at: Moment, isLogged: boolean) {
    this.#table = table
    this.#at = at
    // The region in which an item expired says so in its stream; in the others, it is a deletion like any other.
    this.#plan = new ChangePlan({ at, expired: false, isLogged })
  }

  add({ stamp, item, isStamped, record, indexKeys }: ReplicatedChange, key: Key, found: FoundForChange): void {
    const { replication } = this.#table.definition
    if (replication === undefined) return
    const before = found.stamp && decodeItemStamp(found.stamp.value)
    if (before !== undefined && !isLater(stamp.stamp, before.stamp)) {
      if (sameStamp(stamp.stamp, before.stamp) || hasSeen(before, stamp.stamp)) return
      // Nobody here has seen the other write, and nobody will: it is for its own region to find out as well.
      this.#note(key, { stamp: before, item: found.item }, { stamp, item })
      return
    }
    if (before !== undefined && !hasSeen(stamp, before.stamp)) {
      this.#note(key, { stamp, item }, { stamp: before, item: found.item })
    }
    const seen = before === undefined ? stamp.seen : mergedSeen(stamp, before)
    const previous = storedOf(found.item)
    const next = storedOf(item)
    const { units, indexWrites } = this.#plan.add(
      {
        table: this.#table,
        key,
        previous,
        next,
        stamp: found.stamp,
        stampBefore: before,
        replicated: seen === stamp.seen ? stamp : { ...stamp, seen },
        isStamped: isStamped === true && seen === stamp.seen,
        record,
        indexKeys,
      },
      found.collection,
    )
    const named = next ?? previous
    const owner = named && new UnreadKeys(this.#table.definition, named)
    this.#charged.push({ key, units: unitsOfTable(units), owner, indexWrites })
  }

  #note(key: Key, winner: ItemState, loser: ItemState): void {
    const write = conflictWrite(this.#table.definition, key, winner, loser, this.#at.nowMs)
    if (write === undefined) return
    this.#conflicts++
    this.#writes.push(write)
  }

  made(beside: readonly Write[]): Decision<AppliedChanges> {
    return {
      writes: [...this.#plan.writes, ...this.#writes, ...beside],
      answer: { writes: this.#charged, conflicts: this.#conflicts },
      effect: this.#plan.effect,
    }
  }
}
