import { useTable } from '../../api/queries.ts'
import type { ViewProps } from '../views.tsx'
import { Waiting } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { EnableStream } from './enable-stream.tsx'
import { StreamList } from './stream-list.tsx'
import { StreamView } from './stream-view.tsx'
import './streams.css'

/** The streams there are, or one of them as it flows. */
export default function StreamsView({ table: name }: ViewProps) {
  const { data: table, error, refetch } = useTable(name)
  if (name === undefined) return <StreamList />
  if (table === undefined) {
    return (
      <Page title={`Stream of ${name}`}>
        <Waiting error={error} onRetry={refetch} lines={8} />
      </Page>
    )
  }
  const { LatestStreamArn: arn, StreamSpecification: specification } = table
  if (arn === undefined) return <EnableStream key={table.TableArn} table={table} />
  return (
    <StreamView
      key={arn}
      table={table}
      streamArn={arn}
      isEnabled={specification?.StreamEnabled === true}
      viewType={specification?.StreamViewType}
    />
  )
}
