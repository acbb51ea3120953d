import { Search } from '../../icons/icons.generated.ts'
import { lazy, Suspense } from 'react'
import { useTable } from '../../api/queries.ts'
import type { ViewProps } from '../views.tsx'
import { Skeleton, Waiting } from '../../components/messages/notices.tsx'
import { useUrlState } from '../../state/url-state.ts'
import { ChooseTable } from '../../components/page/choose-table.tsx'
// Before its parts, whose styles refine these.
import './query.css'
import { querySchema } from './asked/query-url.ts'
import { QueryDesk } from './query-desk.tsx'

const WriteDesk = lazy(() => import('./write/write-desk.tsx'))

export default function QueryView({ table }: ViewProps) {
  const { data, error, refetch } = useTable(table)
  const [{ mode }] = useUrlState(querySchema)
  if (table === undefined) {
    return (
      <ChooseTable view="query" title="Query" icon={<Search />}>
        Find items by an access pattern of your model or by key, and see what it costs.
      </ChooseTable>
    )
  }
  if (data !== undefined && mode === 'write') {
    return (
      <Suspense
        fallback={
          <div className="loading">
            <Skeleton lines={6} />
          </div>
        }
      >
        <WriteDesk key={table} table={data} />
      </Suspense>
    )
  }
  if (data !== undefined) return <QueryDesk key={table} table={data} />
  return (
    <div className="loading">
      <Waiting error={error} onRetry={refetch} lines={6} />
    </div>
  )
}
