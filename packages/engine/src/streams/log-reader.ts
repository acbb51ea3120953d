import { decodeChangeRecord, type ChangeRecord } from '../changes/change-record.ts'
import { resourceNotFound } from '../catalog/catalog-errors.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { changeLogKey, changeLogRange } from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import { logEntryKey, sequenceOfKey } from '../store/sequence.ts'
import type { Snapshot } from '../store/store.ts'
import { lastSequence } from './shard.ts'
import type { Streaming } from './streaming.ts'

/** A change, and its place in the log. */
export interface LoggedChange extends ChangeRecord {
  /** Two changes in different shards may have the same sequence. */
  readonly shardId: number
  readonly sequence: bigint
}

export interface LogPage {
  readonly changes: readonly LoggedChange[]
  /** Where reading continues; undefined if the shard is closed and nothing is left in it. */
  readonly nextPosition: bigint | undefined
}

/** The change logs of tables, for services that deliver them. Unlike a stream, a log shows whole images, and no iterator
 *  is needed to read it. */
export interface LogReader {
  /** Keeps the log of a table as long as `holder` wants it, and returns the definition afterwards. */
  hold(scope: Scope, tableName: string, holder: string, isHeld: boolean): Promise<TableDefinition>
  /** The table as it is now, and as other servers have changed it. */
  table(scope: Scope, tableName: string): Promise<TableDefinition | undefined>
  /** The position after everything that is in a shard now. */
  end(tableId: number, shardId: number): Promise<bigint>
  read(table: TableDefinition, shardId: number, position: bigint, limit: number): Promise<LogPage>
}

/** A page ends after the change that exceeds this many stored bytes. */
const pageBytes = 2 ** 20

export function logReader(engine: Streaming): LogReader {
  const { catalog } = engine
  return {
    async hold(scope, tableName, holder, isHeld) {
      await catalog.refresh()
      const table = catalog.find(scope, tableName)
      if (table === undefined) throw resourceNotFound()
      if ((table.definition.logHolders?.includes(holder) ?? false) === isHeld) return table.definition
      return catalog.change(table, ({ logHolders = [], ...rest }) => {
        const others = logHolders.filter((other) => other !== holder)
        const holders = isHeld ? [...others, holder] : others
        return { ...rest, ...(holders.length > 0 && { logHolders: holders }) }
      })
    },
    async table(scope, tableName) {
      await catalog.refresh()
      return catalog.find(scope, tableName)?.definition
    },
    async end(tableId, shardId) {
      const last = await engine.store.view((snapshot) => lastSequence(snapshot, tableId, shardId))
      return last === undefined ? 0n : last + 1n
    },
    read: (table, shardId, position, limit) =>
      Promise.resolve(engine.store.view((snapshot) => readPage(engine, snapshot, table, shardId, position, limit))),
  }
}

async function readPage(
  { catalog }: Streaming,
  snapshot: Snapshot,
  table: TableDefinition,
  shardId: number,
  position: bigint,
  limit: number,
): Promise<LogPage> {
  // Requests see a shard closed before that is committed. Only what is committed counts here.
  const definition = await catalog.definitionIn(snapshot, table)
  const shard = definition?.shards?.find((candidate) => candidate.shardId === shardId)
  const changes: LoggedChange[] = []
  let sizeBytes = 0
  let isExhausted = true
  let nextPosition = position
  const range = {
    from: logEntryKey(changeLogKey(table.tableId, shardId), position),
    to: changeLogRange(table.tableId, shardId).to,
  }
  await snapshot.range({ ...range, limit: limit + 1 }, (key, value) => {
    isExhausted = changes.length < limit && sizeBytes <= pageBytes
    if (!isExhausted) return false
    const sequence = sequenceOfKey(key)
    sizeBytes += value.length
    changes.push({ ...decodeChangeRecord(value), shardId, sequence })
    nextPosition = sequence + 1n
    return true
  })
  const isClosed = shard === undefined || shard.closedAt !== undefined
  return { changes, nextPosition: isClosed && isExhausted ? undefined : nextPosition }
}
