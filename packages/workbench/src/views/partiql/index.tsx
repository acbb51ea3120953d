import type { ViewProps } from '../../app/views.tsx'
import { PartiqlDesk } from './partiql-desk.tsx'
import '../query/query.css'
import './partiql.css'

export default function PartiqlView({ table }: ViewProps) {
  return <PartiqlDesk table={table} />
}
