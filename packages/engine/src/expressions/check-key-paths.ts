import { assertKeysNotNested, type Path } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { namesOf } from '../definitions/key-names.ts'

/** Key attributes are scalars, so no path can lead into one. */
export function checkKeyPaths(table: Table, paths: readonly Path[]): void {
  if (paths.every((path) => path.length === 1)) return
  const { keySchema, globalIndexes, localIndexes } = table.definition
  assertKeysNotNested(paths, namesOf(keySchema), 'Key')
  for (const index of [...globalIndexes, ...localIndexes]) {
    assertKeysNotNested(paths, namesOf(index.keySchema), 'IndexKey')
  }
}
