import { validationException } from '@hashrange/core'
import { type ReadKey } from '@hashrange/core/partiql'
import type { Table } from '../catalog/table.ts'
import { isVectorIndex, sourceOf, type Source } from '../reads/source.ts'

/** What a SELECT reads. Statements do not support multi-attribute keys, and have their own messages for indexes. */
export function statementSource(table: Table, indexName: string | undefined, consistent: boolean): Source {
  if (indexName === undefined) return sourceOf(table, undefined, consistent, 'Scan')
  const index = table.index(indexName)
  if (index === undefined || index.status === 'DELETING') {
    if (isVectorIndex(table, indexName)) return sourceOf(table, indexName, false, 'Scan')
    throw validationException('The table does not have the specified index')
  }
  if (index.keySchema.hash.length > 1 || index.keySchema.range.length > 1) {
    throw validationException(
      'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
    )
  }
  if (index.kind === 'global' && consistent) {
    throw validationException('Strongly consistent read is not supported on Global Secondary Indexes')
  }
  return sourceOf(table, indexName, consistent, 'Scan')
}

export function readKeyOf({ keySchema }: Source): ReadKey {
  const [hash = ''] = keySchema.hash
  return { hash, range: keySchema.range[0] }
}
