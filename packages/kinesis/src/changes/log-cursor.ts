import type { LoggedChange, LogReader, TableDefinition } from '@hashrange/engine'

/** How far a consumer has come in the change log of a table. ON DISK as part of the consumer's record. */
export interface LogCursor {
  /** A table that was created again is another. */
  readonly tableId: number
  /** Shards from this one on are read from their beginning. */
  readonly fromShard: number
  /** The next position in each shard that is being read; `end` if nothing is left in it. */
  readonly positions: Readonly<Record<string, string>>
}

type LogShard = NonNullable<TableDefinition['shards']>[number]

/** The cursor of a consumer that begins now: it sees what is changed from here on. */
export async function cursorFromNow(logs: LogReader, table: TableDefinition): Promise<LogCursor> {
  const positions: Record<string, string> = {}
  for (const { shardId, closedAt } of table.shards ?? []) {
    positions[shardId] = closedAt === undefined ? String(await logs.end(table.tableId, shardId)) : 'end'
  }
  return { tableId: table.tableId, fromShard: table.nextShardId ?? 0, positions }
}

/** The cursor of a consumer that begins with what is still in the log. */
export function cursorFromStart({ tableId }: TableDefinition): LogCursor {
  return { tableId, fromShard: 0, positions: {} }
}

/** Some changes of one shard, in order, and the cursor after them. */
export interface LogBatch {
  readonly shardId: number
  readonly changes: readonly LoggedChange[]
  readonly cursor: LogCursor
}

/** The next changes of every shard that may be read now. A shard that took over from another one waits for it, so that
 *  the changes of an item come in their order. */
export async function nextBatches(
  logs: LogReader,
  table: TableDefinition,
  cursor: LogCursor,
  limit: number,
): Promise<readonly LogBatch[]> {
  const batches: LogBatch[] = []
  let current = withoutGone(table, cursor)
  for (const { shardId } of readable(table, current)) {
    const position = BigInt(current.positions[shardId] ?? 0)
    const { changes, nextPosition } = await logs.read(table, shardId, position, limit)
    if (nextPosition === position) continue
    const positions = { ...current.positions, [shardId]: nextPosition === undefined ? 'end' : String(nextPosition) }
    current = { ...current, positions }
    batches.push({ shardId, changes, cursor: current })
  }
  return batches
}

function readable(table: TableDefinition, cursor: LogCursor): readonly LogShard[] {
  const unfinished = (table.shards ?? []).filter(
    ({ shardId }) =>
      cursor.positions[shardId] !== 'end' &&
      (shardId >= cursor.fromShard || cursor.positions[shardId] !== undefined),
  )
  return unfinished.filter((shard) => !unfinished.some((other) => isBefore(other, shard)))
}

/** Whether changes of the same items were written to `other` first. */
function isBefore(other: LogShard, shard: LogShard): boolean {
  return (
    other.shardId < shard.shardId &&
    other.closedAt !== undefined &&
    other.fromHash < shard.toHash &&
    shard.fromHash < other.toHash
  )
}

/** Forgets shards that are no longer there. */
function withoutGone({ shards = [] }: TableDefinition, cursor: LogCursor): LogCursor {
  const known = new Set(shards.map(({ shardId }) => String(shardId)))
  const kept = Object.entries(cursor.positions).filter(([shardId]) => known.has(shardId))
  if (kept.length === Object.keys(cursor.positions).length) return cursor
  return { ...cursor, positions: Object.fromEntries(kept) }
}
