import { ServiceError } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Scope } from '../scope.ts'
import { readTableName } from '../tables/read-table-name.ts'

/** The table that an operation on backups names. These operations have their own error for a table that does not
 *  exist. */
export function findBackedUpTable(catalog: Catalog, scope: Scope, nameOrArn: string): Table {
  const tableName = readTableName(scope, nameOrArn)
  const table = catalog.find(scope, tableName)
  if (table === undefined || table.isRestoring) throw backedUpTableNotFound(tableName)
  return table
}

export function backedUpTableNotFound(tableName: string): ServiceError {
  return new ServiceError('TableNotFoundException', `Table not found: ${tableName}`)
}
