import type { Table } from '../catalog/table.ts'
import { stampInside } from '../items/stored-item.ts'
import { decodeItemStamp } from '../stamps/item-stamp.ts'
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
    const changes = states.flatMap((state): ReplicatedChange | readonly [] => {
      const found = state.value === undefined ? looked[next++] : inMemory(state, outbox.stampsId)
      return found !== undefined && isSentFrom(definition, found.stamp) ? { itemKey: state.key, ...found } : []
    })
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

function inMemory({ value, record }: UnsentState, stampsId: number): Omit<ReplicatedChange, 'itemKey'> | undefined {
  const stamp = value && stampInside(value, stampsId)
  return stamp && { stamp: decodeItemStamp(stamp), item: value, isStamped: true, record }
}
