import { lazy } from 'react'
import type { ViewProps } from '../views.tsx'
import { TableList } from './table-list.tsx'

const TableDetail = lazy(() => import('./detail/table-detail.tsx'))

/** The list of tables, or all about one of them. */
export default function TablesView({ table }: ViewProps) {
  return table === undefined ? <TableList /> : <TableDetail key={table} name={table} />
}
