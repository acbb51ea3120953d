import type { ViewProps } from '../views.tsx'
// Before its parts, whose styles refine these.
import '../query/query.css'
import { PartiqlDesk } from './partiql-desk.tsx'
import './partiql.css'

export default function PartiqlView({ table }: ViewProps) {
  return <PartiqlDesk table={table} />
}
