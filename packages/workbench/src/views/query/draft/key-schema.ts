import { findIndex, schemaKeys, typeOfKey } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'

export interface KeyAttribute {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

/** The key of a table or an index; indexes have up to four attributes of each kind. */
export interface KeyShape {
  readonly partition: readonly KeyAttribute[]
  readonly sort: readonly KeyAttribute[]
}

/** Of an index that is not there, nothing is known. */
export function keyShapeOf(table: TableDescription, index: string): KeyShape {
  const { partition, sort } = schemaKeys((index === '' ? table : findIndex(table, index))?.KeySchema ?? [])
  const typed = (name: string): KeyAttribute => ({ name, type: typeOfKey(table, name) })
  return { partition: partition.map(typed), sort: sort.map(typed) }
}

export function isGlobalIndex(table: TableDescription, index: string): boolean {
  return (table.GlobalSecondaryIndexes ?? []).some(({ IndexName }) => IndexName === index)
}
