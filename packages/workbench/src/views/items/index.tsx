import { Rows3 } from '../../icons/icons.generated.ts'
import { useTable } from '../../api/queries.ts'
import type { ViewProps } from '../views.tsx'
import { Waiting } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { ChooseTable } from '../../components/page/choose-table.tsx'
import { ItemsView } from './items-view.tsx'

export default function Items({ table: name }: ViewProps) {
  const { data: table, error, refetch } = useTable(name)
  if (name === undefined) {
    return (
      <ChooseTable view="items" title="Items" icon={<Rows3 />}>
        A table's items in a grid: find them by their key, edit them, import and export them.
      </ChooseTable>
    )
  }
  if (table === undefined) {
    return (
      <Page title="Items">
        <Waiting error={error} onRetry={refetch} lines={8} />
      </Page>
    )
  }
  return <ItemsView key={table.TableArn} table={table} />
}
