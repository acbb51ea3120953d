import {
  catalogVersionKey,
  droppedTableRange,
  idOfTableVersionKey,
  tableVersionRange,
} from '../layout/key-space.ts'
import { decodeCounters } from '../store/counters.ts'
import type { Key, Range, Snapshot } from '../store/store.ts'
import { decodeTableVersion, parseDefinition } from './stored-definition.ts'
import type { TableDefinition } from './table-definition.ts'

/** What a snapshot says of the tables, to a server that knows some of it already. */
export interface CatalogNews {
  readonly catalogVersion: number
  /** The identifiers of all tables there are. */
  readonly tableIds: ReadonlySet<number>
  /** Of tables that are new, or have changed. */
  readonly definitions: readonly TableDefinition[]
  readonly dropped: readonly TableDefinition[]
}

/** Costs one small read if nothing has changed. Otherwise each table's version is read, and the definitions of those that
 *  `knownVersion` does not know yet. */
export async function readCatalogNews(
  snapshot: Snapshot,
  knownCatalogVersion: number,
  knownVersion: (tableId: number) => number,
): Promise<CatalogNews | undefined> {
  const [catalogVersion = 0] = decodeCounters(await snapshot.get(catalogVersionKey()))
  if (catalogVersion === knownCatalogVersion) return undefined
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

export async function definitionsIn(snapshot: Snapshot, range: Range): Promise<readonly TableDefinition[]> {
  const definitions: TableDefinition[] = []
  await snapshot.range(range, (_key, value) => definitions.push(parseDefinition(value)) > 0)
  return definitions
}
