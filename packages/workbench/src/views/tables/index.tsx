import type { ViewProps } from '../../app/views.tsx'
import { TableDetail } from './detail/table-detail.tsx'
import { TableList } from './table-list.tsx'

/** The list of tables, or all about one of them. */
export default function TablesView({ table }: ViewProps) {
  return table === undefined ? <TableList /> : <TableDetail key={table} name={table} />
}
