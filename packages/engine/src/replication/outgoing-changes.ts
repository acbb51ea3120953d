import type { Item } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { decodeChangeRecord } from '../changes/change-record.ts'
import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { itemKey } from '../layout/item-keys.ts'
import { keyText } from '../layout/key-bounds.ts'
import { changeLogKey, changeLogRange } from '../layout/key-space.ts'
import { itemStampKey } from '../layout/replication-keys.ts'
import { decodeItemStamp } from '../stamps/item-stamp.ts'
import { logEntryKey, sequenceAt, sequenceOfKey, timeOfSequence } from '../store/sequence.ts'
import type { Key, Snapshot, Store } from '../store/store.ts'
import { readCursor, type ReplicationCursor } from './cursor.ts'
import type { ReplicatedChange } from './replicated-change.ts'

/** Some of what must still be sent to another region. */
export interface OutgoingPage {
  readonly changes: readonly ReplicatedChange[]
  /** To be written when the changes have been applied. */
  readonly cursor: ReplicationCursor
  /** How many entries of the log it covers; several may concern one item. */
  readonly entries: number
  /** When the oldest of them was made, by the calendar. */
  readonly oldestAtMs: number | undefined
  /** Whether nothing was left in the log. */
  readonly isLast: boolean
}

/** An item may have 400 KB. */
const entriesPerPage = 128

/** Reads the next entries of a replica's change log, and the present states of the items that they name. So an item that
 *  was changed many times is sent once, and shards can be read in any order. Only what was written in this region is
 *  sent: each region sends its own writes to all others. Undefined if sending has not begun. */
export function readOutgoing(
  store: Store,
  source: Table,
  toRegion: string,
  untilSteadyMs: number,
): Promise<OutgoingPage | undefined> {
  return Promise.resolve(
    store.view(async (snapshot) => {
      const cursor = await readCursor(snapshot, source.id, toRegion)
      if (cursor === undefined) return undefined
      const log = await readLog(snapshot, source.definition, cursor, untilSteadyMs)
      const changes = await changesOf(snapshot, source.definition, [...log.itemKeys.values()])
      return { ...log, changes }
    }),
  )
}

interface LogPage extends Omit<OutgoingPage, 'changes'> {
  readonly itemKeys: ReadonlyMap<string, Key>
}

async function readLog(
  snapshot: Snapshot,
  definition: TableDefinition,
  cursor: ReplicationCursor,
  untilSteadyMs: number,
): Promise<LogPage> {
  const { tableId, keySchema, attributeTypes, shards = [] } = definition
  const itemKeys = new Map<string, Key>()
  const positions: Record<string, string> = {}
  let entries = 0
  let oldestAtMs: number | undefined
  for (const shard of shards) {
    let position = positionIn(cursor, shard)
    if (entries < entriesPerPage) {
      const limit = entriesPerPage - entries
      const range = unsentRange(tableId, shard, position, untilSteadyMs)
      await snapshot.range({ ...range, limit }, (key, value) => {
        const { keys, atMs } = decodeChangeRecord(value)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by us.
        const changed = itemKey(tableId, keySchema, attributeTypes, keys.parse() as Item)
        itemKeys.set(keyText(changed), changed)
        oldestAtMs = Math.min(oldestAtMs ?? atMs, atMs)
        position = sequenceOfKey(key) + 1n
        return ++entries < entriesPerPage
      })
    }
    positions[shard.shardId] = position.toString()
  }
  return { itemKeys, entries, oldestAtMs, cursor: { positions }, isLast: entries < entriesPerPage }
}

function positionIn({ positions }: ReplicationCursor, { shardId }: ShardDefinition): bigint {
  return BigInt(positions[shardId] ?? 0)
}

function unsentRange(
  tableId: number,
  { shardId }: ShardDefinition,
  position: bigint,
  untilSteadyMs: number,
): { readonly from: Key; readonly to: Key } {
  const log = changeLogKey(tableId, shardId)
  const from = logEntryKey(log, position)
  if (untilSteadyMs === Infinity) return { from, to: changeLogRange(tableId, shardId).to }
  const to = logEntryKey(log, sequenceAt(Math.max(0, untilSteadyMs)))
  return { from, to: Buffer.compare(from, to) < 0 ? to : from }
}

async function changesOf(
  snapshot: Snapshot,
  { replication, region }: TableDefinition,
  itemKeys: readonly Key[],
): Promise<readonly ReplicatedChange[]> {
  if (replication === undefined || itemKeys.length === 0) return []
  const stamps = await snapshot.getMany(itemKeys.map((key) => itemStampKey(replication.stampsId, key)))
  const items = await snapshot.getMany(itemKeys)
  return itemKeys.flatMap((key, position): ReplicatedChange | readonly [] => {
    const value = stamps[position]
    if (value === undefined) return []
    const stamp = decodeItemStamp(value)
    return stamp.stamp.region === region ? { itemKey: key, stamp, item: items[position] } : []
  })
}

/** The steady time of the first entry that has not been sent; Infinity if all have, and 0 if sending has not begun. */
export async function unsentSince(
  snapshot: Snapshot,
  definition: TableDefinition,
  toRegion: string,
): Promise<number> {
  const cursor = await readCursor(snapshot, definition.tableId, toRegion)
  if (cursor === undefined) return 0
  let sinceMs = Infinity
  for (const shard of definition.shards ?? []) {
    const range = unsentRange(definition.tableId, shard, positionIn(cursor, shard), Infinity)
    await snapshot.range({ ...range, limit: 1 }, (key) => {
      sinceMs = Math.min(sinceMs, timeOfSequence(sequenceOfKey(key)))
      return false
    })
  }
  return sinceMs
}

/** What must not be removed from a change log yet: the steady time of the first entry that has not been sent to every
 *  other replica. Infinity if there is none. */
export async function unsentToAnySince(
  { store }: { readonly store: Store },
  definition: TableDefinition,
): Promise<number> {
  const { replication, region } = definition
  if (replication === undefined) return Infinity
  return store.view(async (snapshot) => {
    let sinceMs = Infinity
    for (const replica of replication.replicas) {
      if (replica.region === region) continue
      sinceMs = Math.min(sinceMs, await unsentSince(snapshot, definition, replica.region))
    }
    return sinceMs
  })
}

const mostCounted = 10_000

/** How many entries must still be sent to a region, and since when the oldest has waited. */
export async function countUnsent(
  snapshot: Snapshot,
  definition: TableDefinition,
  toRegion: string,
): Promise<{ readonly count: number; readonly sinceSteadyMs: number }> {
  const cursor = await readCursor(snapshot, definition.tableId, toRegion)
  let count = 0
  let sinceSteadyMs = Infinity
  for (const shard of cursor === undefined ? [] : (definition.shards ?? [])) {
    const range = unsentRange(definition.tableId, shard, positionIn(cursor ?? { positions: {} }, shard), Infinity)
    await snapshot.range({ ...range, limit: mostCounted - count }, (key) => {
      sinceSteadyMs = Math.min(sinceSteadyMs, timeOfSequence(sequenceOfKey(key)))
      return ++count < mostCounted
    })
    if (count >= mostCounted) break
  }
  return { count, sinceSteadyMs }
}
