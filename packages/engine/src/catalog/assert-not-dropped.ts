import { resourceNotFound } from './catalog.ts'
import type { Table } from './table.ts'

/** The table may have been deleted while the request was waiting. */
export function assertNotDropped(table: Table): void {
  if (table.definition.status === 'DELETING') throw resourceNotFound()
}
