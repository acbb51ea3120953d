import { validationException } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition, KeySchema } from '../definitions/table-definition.ts'
import { namesOf } from '../definitions/key-names.ts'
import { keySpace } from '../layout/key-space.ts'

/** What a Query or Scan reads: a table, or one of its indexes. */
export interface Source {
  readonly table: Table
  readonly index: IndexDefinition | undefined
  readonly space: typeof keySpace.item | typeof keySpace.indexEntry
  readonly id: number
  readonly keySchema: KeySchema
  /** The attributes that say where a page ended: the table's key, and the index's. */
  readonly startKeyNames: readonly string[]
}

export function sourceOf(
  table: Table,
  indexName: string | undefined,
  consistent: boolean | undefined,
  operation: 'Query' | 'Scan',
): Source {
  const { definition } = table
  const tableKeyNames = namesOf(definition.keySchema)
  if (indexName === undefined) {
    return {
      table,
      index: undefined,
      space: keySpace.item,
      id: definition.tableId,
      keySchema: definition.keySchema,
      startKeyNames: tableKeyNames,
    }
  }
  const index = table.index(indexName)
  if (index === undefined && isVectorIndex(table, indexName)) {
    throw validationException(
      consistent === true && operation === 'Query'
        ? 'Consistent reads are not supported on global secondary indexes'
        : `${operation} operation not supported on this index type${operation === 'Query' ? '.' : ''}`,
    )
  }
  if (index === undefined || index.status === 'DELETING') {
    throw validationException(`The table does not have the specified index: ${indexName}`)
  }
  if (index.kind === 'global' && consistent === true) {
    throw validationException('Consistent reads are not supported on global secondary indexes')
  }
  if (index.status === 'CREATING') {
    throw validationException(`Cannot read from backfilling global secondary index: ${indexName}`)
  }
  return {
    table,
    index,
    space: keySpace.indexEntry,
    id: index.indexId,
    keySchema: index.keySchema,
    startKeyNames: [...new Set([...tableKeyNames, ...namesOf(index.keySchema)])],
  }
}

/** Vector indexes are only for SearchVectors. */
export function isVectorIndex({ definition }: Table, name: string): boolean {
  return definition.vectorIndexes?.some(({ indexName }) => indexName === name) === true
}
