import type { ViewProps } from '../views.tsx'
import { Overview } from './overview/overview.tsx'
import { TableHeatPage } from './table-heat-page.tsx'
import './heat.css'

/** How hot all tables are, or all about the heat of one. */
export default function HeatView({ table }: ViewProps) {
  return table === undefined ? <Overview /> : <TableHeatPage key={table} table={table} />
}
