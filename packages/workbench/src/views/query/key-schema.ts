import { typeOfKey } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api/types.ts'

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
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
  const schema = index === '' ? table.KeySchema : indexes.find(({ IndexName }) => IndexName === index)?.KeySchema
  const attributes = (type: 'HASH' | 'RANGE'): KeyAttribute[] =>
    (schema ?? [])
      .filter(({ KeyType }) => KeyType === type)
      .map(({ AttributeName }) => ({ name: AttributeName, type: typeOfKey(table, AttributeName) }))
  return { partition: attributes('HASH'), sort: attributes('RANGE') }
}

export function isGlobalIndex(table: TableDescription, index: string): boolean {
  return (table.GlobalSecondaryIndexes ?? []).some(({ IndexName }) => IndexName === index)
}
