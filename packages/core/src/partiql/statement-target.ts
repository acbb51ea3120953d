import { validationException } from '../errors.ts'
import { refusedAt } from './statement-errors.ts'
import type { Target } from './syntax.ts'

export interface TargetNames {
  readonly tableName: string
  readonly indexName: string | undefined
}

/** The table, and the index, that a statement names. */
export function targetNames({ path, aliased }: Target): TargetNames {
  if (aliased) throw validationException('Aliasing is not supported')
  if (path.kind !== 'path') throw validationException('Unexpected from source')
  const names = path.parts.map((part) => {
    if (part.kind !== 'name') throw validationException('Unexpected from source')
    if (part.name === '') throw validationException('Path component cannot be an empty string')
    return part.name
  })
  const [tableName = '', indexName, ...rest] = names
  if (rest.length > 0) throw validationException('A path may contain at most 2 components in the FROM clause')
  return { tableName, indexName }
}

/** The table of a statement that changes an item. */
export function changedTable(target: Target): string {
  const { tableName, indexName } = targetNames(target)
  if (indexName !== undefined) throw validationException('This operation is not supported on an index')
  return tableName
}

/** The table of an INSERT. The syntax allows no index here. */
export function insertedTable({ path, aliased }: Target): string {
  if (path.kind === 'path' && path.parts.length > 1) {
    throw refusedAt('FROM clause may only contain a single table name in data manipulation statements', path.at)
  }
  return targetNames({ path, aliased }).tableName
}
