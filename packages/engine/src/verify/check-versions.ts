import { decodeTableVersion, encodeTableVersion } from '../catalog/stored-definition.ts'
import { idOfTableVersionKey, tableVersionKey, tableVersionRange } from '../layout/key-space.ts'
import type { Key, MaybePromise, Snapshot, Value, Write } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { Fault, Repair } from './finding.ts'
import { KnownTable } from './known-table.ts'
import { placeOfKey, placeOfTable } from './place.ts'
import type { ReadCatalog } from './read-catalog.ts'

/** Checks the versions of definitions that the servers of a shared store use: one for each table, equal to the
 *  definition's own. A store that has never been shared has none, and gets them from the first server that shares it. */
export function versionFaults(snapshot: Snapshot, { tables }: ReadCatalog): MaybePromise<readonly Fault[]> {
  const versions = new Map<number, { readonly key: Key; readonly value: Value }>()
  const faults: Fault[] = []
  const visit = (key: Key, value: Value): boolean => {
    if (key.length === 5) versions.set(idOfTableVersionKey(key), { key, value })
    else
      faults.push({
        kind: 'definition',
        place: placeOfKey(key),
        problem: 'A version of a table has no identifier.',
      })
    return true
  }
  return whenThere(snapshot.range(tableVersionRange(), visit), () => {
    if (versions.size === 0) return faults
    for (const definition of tables) {
      const found = versions.get(definition.tableId)
      versions.delete(definition.tableId)
      if (found !== undefined && isVersionOf(found.value, encodeTableVersion(definition))) continue
      faults.push({
        kind: 'definition',
        place: placeOfTable(definition),
        problem: 'The version number that servers share for the table is not that of its definition.',
        repair: versionRepair(new KnownTable(definition)),
      })
    }
    for (const { key } of versions.values()) {
      faults.push({
        kind: 'leftover',
        place: placeOfKey(key),
        problem: 'There is a version number for a table that does not exist.',
      })
    }
    return faults
  })
}

function isVersionOf(found: Value, expected: Value): boolean {
  return found.length > 6 && decodeTableVersion(found).version > 0 && found.equals(expected)
}

function versionRepair(table: KnownTable): Repair {
  const key = tableVersionKey(table.tableId)
  return {
    isExact: false,
    keys: [table.key, key],
    decide: ([value]): readonly Write[] => {
      const definition = table.read(value)
      return definition === undefined ? [] : [{ kind: 'put', key, value: encodeTableVersion(definition) }]
    },
  }
}
