import { resourceNotFound } from './catalog.ts'
import type { Table } from './table.ts'

/** A request may have been waiting for its turn while its table was dropped. */
export function assertNotDropped(table: Table): void {
  if (table.definition.status === 'DELETING') throw resourceNotFound()
}
