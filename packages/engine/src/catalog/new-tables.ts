import { withLogOf } from '../changes/change-log.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { catalogKey, nextIdKey } from '../layout/key-space.ts'
import { decodeCounters, encodeCounters } from '../store/counters.ts'
import type { Key, Value, Write } from '../store/store.ts'

/** Allocates identifiers, which are never used again. */
export interface NewIds {
  readonly tableId: number
  indexIds(count: number): number[]
}

/** Tables that are made in one transaction. */
export interface NewTables {
  readonly accountId: string
  readonly tables: readonly NewTable[]
}

export interface NewTable {
  readonly region: string
  readonly tableName: string
  /** `first` is the first of the tables that are changed in the same transaction. */
  readonly draft: (first: TableDefinition | undefined, ids: NewIds) => TableDefinition
}

/** What the transaction must read: the next identifier, and whether the names are free. */
export function keysOfNewTables({ accountId, tables }: NewTables): readonly Key[] {
  return [nextIdKey(), ...tables.map(({ region, tableName }) => catalogKey(accountId, region, tableName))]
}

/** The definitions of new tables, and the write that takes their identifiers. `values` are those of
 *  `keysOfNewTables`. */
export function draftTables(
  { tables }: NewTables,
  first: TableDefinition | undefined,
  [next, ...existing]: readonly (Value | undefined)[],
  steadyMs: number,
): {
  readonly definitions: readonly TableDefinition[]
  readonly taken: Write
  readonly exists: string | undefined
} {
  let nextId = decodeCounters(next)[0] ?? 1
  const exists = tables.find((_, position) => existing[position] !== undefined)?.tableName
  const definitions = tables.map(({ draft }) => {
    const ids = {
      tableId: nextId++,
      indexIds: (count: number) => Array.from({ length: count }, () => nextId++),
    }
    return { ...withLogOf(undefined, draft(first, ids), steadyMs), version: 1 }
  })
  return { definitions, taken: { kind: 'put', key: nextIdKey(), value: encodeCounters([nextId]) }, exists }
}
