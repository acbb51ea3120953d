import type { Table } from '../catalog/table.ts'
import { changedKeyOf, isReplicatedRecord } from '../changes/change-record.ts'
import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { itemKey } from '../layout/item-keys.ts'
import { keyText } from '../store/key-text.ts'
import { changeLogKey, changeLogRange } from '../layout/key-space.ts'
import { logEntryKey, sequenceAt, sequenceOfKey, timeOfSequence } from '../store/sequence.ts'
import type { ItemStamp } from '../stamps/item-stamp.ts'
import type { Key, Snapshot, Store, Value } from '../store/store.ts'
import { readCursor, type ReplicationCursor } from './cursor.ts'
import { readStates } from './read-states.ts'
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

/** How much one page has. */
export interface PageLimits {
  readonly entries: number
  /** It ends after the items with which it has so many. */
  readonly bytes: number
}

/** Enough that a few transactions a second suffice: each makes writers wait for the disk once more. */
const usualLimits: PageLimits = { entries: 2_000, bytes: 4 * 2 ** 20 }

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
      return cursor && outgoingAfter(snapshot, source.definition, cursor, untilSteadyMs)
    }),
  )
}

/** The same, after a position that the caller knows. */
export async function outgoingAfter(
  snapshot: Snapshot,
  definition: TableDefinition,
  cursor: ReplicationCursor,
  untilSteadyMs: number,
  limits = usualLimits,
): Promise<OutgoingPage> {
  const entries = await readLog(snapshot, definition, cursor, untilSteadyMs, limits.entries)
  const { changes, covered } = await changesOf(snapshot, definition, entries, limits.bytes)
  return {
    changes,
    entries: covered,
    cursor: cursorAfter(definition, cursor, entries.slice(0, covered)),
    oldestAtMs: oldestOf(entries.slice(0, covered)),
    isLast: entries.length < limits.entries && covered === entries.length,
  }
}

/** An entry of the log. */
interface LogEntry {
  readonly shardId: number
  readonly sequence: bigint
  /** Absent if another region made the change, so that there is nothing to send. */
  readonly own?: OwnChange
}

interface OwnChange {
  readonly atMs: number
  readonly itemKey: Key
}

async function readLog(
  snapshot: Snapshot,
  { tableId, keySchema, attributeTypes, shards = [] }: TableDefinition,
  cursor: ReplicationCursor,
  untilSteadyMs: number,
  entriesPerPage: number,
): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  const ownChange = (value: Value): OwnChange => {
    const { keys, atMs } = changedKeyOf(value)
    return { atMs, itemKey: itemKey(tableId, keySchema, attributeTypes, keys) }
  }
  for (const shard of shards) {
    const limit = entriesPerPage - entries.length
    if (limit === 0) break
    const range = unsentRange(tableId, shard, positionIn(cursor, shard), untilSteadyMs)
    await snapshot.range({ ...range, limit }, (key, value) => {
      entries.push({
        shardId: shard.shardId,
        sequence: sequenceOfKey(key),
        ...(!isReplicatedRecord(value) && { own: ownChange(value) }),
      })
      return entries.length < entriesPerPage
    })
  }
  return entries
}

function oldestOf(entries: readonly LogEntry[]): number | undefined {
  const times = entries.flatMap(({ own }) => own?.atMs ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Shards that are gone are forgotten. */
function cursorAfter(
  { shards = [] }: TableDefinition,
  cursor: ReplicationCursor,
  entries: readonly LogEntry[],
): ReplicationCursor {
  const positions: Record<string, string> = {}
  for (const shard of shards) positions[shard.shardId] = positionIn(cursor, shard).toString()
  for (const { shardId, sequence } of entries) positions[shardId] = (sequence + 1n).toString()
  return { positions }
}

/** The position after everything that was logged up to `through`, in any shard. */
export function cursorThrough(
  { shards = [] }: TableDefinition,
  cursor: ReplicationCursor,
  through: bigint,
): ReplicationCursor {
  const positions: Record<string, string> = {}
  for (const shard of shards) {
    const position = positionIn(cursor, shard)
    positions[shard.shardId] = (position > through ? position : through + 1n).toString()
  }
  return { positions }
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

const itemsPerRead = 50

/** The states of the items that entries name, each once, and how many of the entries they cover. */
async function changesOf(
  snapshot: Snapshot,
  definition: TableDefinition,
  entries: readonly LogEntry[],
  bytesPerPage: number,
): Promise<{ readonly changes: readonly ReplicatedChange[]; readonly covered: number }> {
  const changes: ReplicatedChange[] = []
  const seen = new Set<string>()
  let bytes = 0
  let covered = 0
  if (definition.replication === undefined) return { changes, covered: entries.length }
  while (covered < entries.length && bytes < bytesPerPage) {
    const page = entries.slice(covered, covered + itemsPerRead).map(({ own }) => ownKey(seen, own))
    const itemKeys = page.filter((key) => key !== undefined)
    const states = await readStates(snapshot, definition, itemKeys)
    let next = 0
    for (const key of page) {
      // Items may be large: what is left of those that were read is read again for the next page.
      if (bytes >= bytesPerPage) break
      covered++
      const state = key && states[next++]
      if (key === undefined || state === undefined || !isSentFrom(definition, state.stamp)) continue
      bytes += state.item?.length ?? 0
      changes.push({ itemKey: key, ...state })
    }
  }
  return { changes, covered }
}

/** Each region sends its own writes. What was there before the table had replicas was nobody's write. */
export function isSentFrom({ region }: TableDefinition, { stamp }: ItemStamp): boolean {
  return stamp.region === region && stamp.micros > 0
}

/** The key of the item that an entry is about, unless it was there before. */
function ownKey(seen: Set<string>, own: OwnChange | undefined): Key | undefined {
  if (own === undefined) return undefined
  const text = keyText(own.itemKey)
  if (seen.has(text)) return undefined
  seen.add(text)
  return own.itemKey
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
    await snapshot.range({ ...range, limit: 1, keysOnly: true }, (key) => {
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
  if (replication === undefined || replication.consistency === 'STRONG') return Infinity
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
    await snapshot.range({ ...range, limit: mostCounted - count, keysOnly: true }, (key) => {
      sinceSteadyMs = Math.min(sinceSteadyMs, timeOfSequence(sequenceOfKey(key)))
      return ++count < mostCounted
    })
    if (count >= mostCounted) break
  }
  return { count, sinceSteadyMs }
}
