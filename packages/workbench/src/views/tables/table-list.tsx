import { useTableNames } from '../../api/queries.ts'
import { Page } from '../../components/page.tsx'

export function TableList() {
  const names = useTableNames().data ?? []
  return <Page title="Tables">{names.join(', ')}</Page>
}
