import type { Table } from '../catalog/table.ts'
import { stampInside } from '../items/stored-item.ts'
import { decodeItemStamp } from '../stamps/item-stamp.ts'
import type { Key } from '../store/store.ts'
import type { ItemState } from './conflict-write.ts'
import { readCursor } from './cursor.ts'
import { cursorThrough, isSentFrom, type OutgoingPage } from './outgoing-changes.ts'
import { readStates } from './read-states.ts'
import type { ReplicatedChange } from './replicated-change.ts'
import type { ReplicationHost } from './replication-host.ts'
import type { Outbox, UnsentState } from './unsent-changes.ts'

/** Everything that is in an outbox. Undefined if nothing is to be sent any more. */
export async function readOutbox(
  { store, clock, unsent }: ReplicationHost,
  source: Table,
  target: Table,
  outbox: Outbox,
): Promise<OutgoingPage | undefined> {
  const { definition } = source
  const { through, sinceSteadyMs } = outbox
  const states = outbox.take()
  return store.view(async (snapshot) => {
    const cursor = await readCursor(snapshot, source.id, target.definition.region)
    if (cursor === undefined) {
      unsent.forget(source, target)
      return undefined
    }
    const absent = states.filter(({ value }) => value === undefined).map(({ key }) => key)
    const looked = absent.length === 0 ? [] : await readStates(snapshot, definition, absent)
    let next = 0
    const changes: ReplicatedChange[] = []
    for (const state of states) {
      const change = state.value === undefined ? found(state.key, looked[next++]) : inMemory(state, outbox.stampsId)
      if (change !== undefined && isSentFrom(definition, change.stamp)) changes.push(change)
    }
    return {
      changes,
      // There may be nothing but what other regions have written.
      entries: Math.max(1, states.length),
      cursor: cursorThrough(definition, cursor, through),
      oldestAtMs: sinceSteadyMs === Infinity ? undefined : clock.now() - (clock.steady() - sinceSteadyMs),
      isLast: true,
    }
  })
}

function found(itemKey: Key, state: ItemState | undefined): ReplicatedChange | undefined {
  return state && { itemKey, ...state }
}

function inMemory({ key, value, record, indexKeys }: UnsentState, stampsId: number): ReplicatedChange | undefined {
  const stamp = value && stampInside(value, stampsId)
  return stamp && { itemKey: key, stamp: decodeItemStamp(stamp), item: value, isStamped: true, record, indexKeys }
}
