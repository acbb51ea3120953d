import type { ViewProps } from '../views.tsx'
import { TableTriggers } from './table-triggers.tsx'
import { TriggerList } from './trigger-list.tsx'
import './triggers.css'

/** Who gets the changes of tables: an overview, or the consumers of one table. */
export default function TriggersView({ table }: ViewProps) {
  return table === undefined ? <TriggerList /> : <TableTriggers key={table} table={table} />
}
