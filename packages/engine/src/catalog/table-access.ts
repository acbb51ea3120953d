import type { Scope } from '../scope.ts'
import type { Table } from './table.ts'

/** Finds the tables that requests name. */
export interface TableAccess {
  /** The table that an operation on items names; throws the service's error if it does not exist. */
  requireTable(scope: Scope, tableName: string): Table
}
