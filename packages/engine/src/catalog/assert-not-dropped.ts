import { resourceNotFound } from './catalog-errors.ts'
import type { Table } from './table.ts'

/** The table may have been deleted while the request was waiting. */
export function assertNotDropped(table: Table): void {
  if (table.definition.status === 'DELETING') throw resourceNotFound()
}
