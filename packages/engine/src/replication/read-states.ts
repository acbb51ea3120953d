import type { TableDefinition } from '../definitions/table-definition.ts'
import { foundStamp } from '../items/keys-of-change.ts'
import { hasStampInside } from '../items/stored-item.ts'
import { itemStampKey } from '../layout/replication-keys.ts'
import { decodeItemStamp } from '../stamps/item-stamp.ts'
import type { Key, Snapshot, Value } from '../store/store.ts'
import type { ItemState } from './conflict-write.ts'

/** The states of some items of a replica, as one snapshot has them; undefined where it knows nothing of an item. An item
 *  from before the table had replicas is older than any write since. */
export async function readStates(
  snapshot: Snapshot,
  definition: TableDefinition,
  itemKeys: readonly Key[],
): Promise<readonly (ItemState | undefined)[]> {
  const stampsId = definition.replication?.stampsId
  if (stampsId === undefined) return []
  const items = await snapshot.getMany(itemKeys)
  // Most items have their stamp in them. The others were deleted, or are older than their table's replicas.
  const isApart = items.map((item) => item === undefined || !hasStampInside(item, stampsId))
  const apart = await snapshot.getMany(
    itemKeys.filter((_, position) => isApart[position]).map((key) => itemStampKey(stampsId, key)),
  )
  let next = 0
  return items.map((item, position) =>
    stateOf(definition, stampsId, item, isApart[position] === true ? apart[next++] : undefined),
  )
}

function stateOf(
  { region }: TableDefinition,
  stampsId: number,
  item: Value | undefined,
  apart: Value | undefined,
): ItemState | undefined {
  const found = foundStamp(stampsId, item, apart)
  if (found !== undefined) return { stamp: decodeItemStamp(found.value), item }
  return item && { stamp: { stamp: { micros: 0, region }, seen: {} }, item }
}
