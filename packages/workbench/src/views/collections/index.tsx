import { Layers } from '../../icons/icons.generated.ts'
import { useTable } from '../../api/queries.ts'
import type { ViewProps } from '../views.tsx'
import { Waiting } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { ChooseTable } from '../../components/page/choose-table.tsx'
import { CollectionsView } from './collections-view.tsx'

export default function Collections({ table: name }: ViewProps) {
  const { data: table, error, refetch } = useTable(name)
  if (name === undefined) {
    return (
      <ChooseTable view="collections" title="Collections" icon={<Layers />}>
        Shows the items that share a partition key together, as a Query returns them, in the table and in each of
        its indexes side by side.
      </ChooseTable>
    )
  }
  if (table === undefined) {
    return (
      <Page title="Collections">
        <Waiting error={error} onRetry={refetch} lines={8} />
      </Page>
    )
  }
  return <CollectionsView key={table.TableArn} table={table} />
}
