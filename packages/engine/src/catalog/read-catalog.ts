import {
  catalogRange,
  catalogVersionKey,
  droppedTableRange,
  idOfTableVersionKey,
  tableVersionRange,
} from '../layout/key-space.ts'
import { decodeCounters } from '../store/counters.ts'
import type { Key, MaybePromise, Range, Snapshot, Store } from '../store/store.ts'
import { decodeTableVersion, parseDefinition } from './stored-definition.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'

/** What a snapshot says about the tables, for a server that already knows part of it. */
export interface CatalogNews {
  readonly catalogVersion: number
  /** The identifiers of all existing tables. */
  readonly tableIds: ReadonlySet<number>
  /** Of tables that are new, or have changed. */
  readonly definitions: readonly TableDefinition[]
  readonly dropped: readonly TableDefinition[]
}

/** Increases with each change to a table or a backup, in a store that several servers share. One small read. */
export async function readCatalogVersion(store: Store): Promise<number> {
  const [version = 0] = decodeCounters(await store.view((snapshot) => snapshot.get(catalogVersionKey())))
  return version
}

/** Reads each table's version, and the definitions of those that `knownVersion` does not know yet. */
export async function readCatalogNews(
  snapshot: Snapshot,
  knownVersion: (tableId: number) => number,
): Promise<CatalogNews> {
  const [catalogVersion = 0] = decodeCounters(await snapshot.get(catalogVersionKey()))
  const tableIds = new Set<number>()
  const wanted: Key[] = []
  await snapshot.range(tableVersionRange(), (key, value) => {
    const tableId = idOfTableVersionKey(key)
    tableIds.add(tableId)
    const { version, definitionKey } = decodeTableVersion(value)
    if (version > knownVersion(tableId)) wanted.push(definitionKey)
    return true
  })
  const values = wanted.length === 0 ? [] : await snapshot.getMany(wanted)
  return {
    catalogVersion,
    tableIds,
    definitions: values.flatMap((value) => (value === undefined ? [] : parseDefinition(value))),
    dropped: await definitionsIn(snapshot, droppedTableRange()),
  }
}

/** Of all tables, and of deleted ones of which something is kept. */
export function allDefinitions(
  store: Store,
): MaybePromise<readonly [tables: readonly TableDefinition[], dropped: readonly TableDefinition[]]> {
  return store.view(async (snapshot) => [
    await definitionsIn(snapshot, catalogRange()),
    await definitionsIn(snapshot, droppedTableRange()),
  ])
}

export async function definitionsIn(snapshot: Snapshot, range: Range): Promise<readonly TableDefinition[]> {
  const definitions: TableDefinition[] = []
  await snapshot.range(range, (_key, value) => definitions.push(parseDefinition(value)) > 0)
  return definitions
}
