import { Search } from 'lucide-react'
import { useTable } from '../../api/queries.ts'
import type { ViewProps } from '../views.tsx'
import { Waiting } from '../../components/messages/notices.tsx'
import { ChooseTable } from '../../components/page/choose-table.tsx'
// Before its parts, whose styles refine these.
import './query.css'
import { QueryDesk } from './query-desk.tsx'

export default function QueryView({ table }: ViewProps) {
  const { data, error, refetch } = useTable(table)
  if (table === undefined) {
    return (
      <ChooseTable view="query" title="Query" icon={<Search />}>
        Find items by an access pattern of your model or by key, and see what it costs.
      </ChooseTable>
    )
  }
  if (data !== undefined) return <QueryDesk key={table} table={data} />
  return (
    <div className="loading">
      <Waiting error={error} onRetry={refetch} lines={6} />
    </div>
  )
}
