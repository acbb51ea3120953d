import { Globe } from '../../icons/icons.generated.ts'
import { Link } from 'wouter'
import { EmptyState, ErrorBox, Waiting } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { useLink } from '../../state/links.ts'
import { plural } from '../../values/format.ts'
import { Conflicts } from './conflicts.tsx'
import { GlobalTables } from './global-tables.tsx'
import { LinkedServers } from './linked-servers.tsx'
import { RegionCards } from './region-cards.tsx'
import { useRegions } from './use-regions.ts'
import './regions.css'

/** Global tables: their regions, which can be lost on purpose; what is still to be sent; and what was lost for good. */
export default function RegionsView() {
  const { data, error, refetch } = useRegions()
  const link = useLink()
  if (data === undefined) {
    return (
      <Page title="Regions">
        <Waiting error={error} onRetry={refetch} lines={6} />
      </Page>
    )
  }
  return (
    <Page title="Regions" aside={data.tables.length > 0 && plural(data.tables.length, 'global table')}>
      <div className="stack">
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {data.regions.length > 0 && <RegionCards regions={data.regions} tables={data.tables} />}
        {data.servers !== undefined && <LinkedServers servers={data.servers} />}
        {data.tables.length === 0 ? (
          <EmptyState
            icon={<Globe />}
            title="No table has replicas"
            actions={<Link href={link('tables')}>Choose a table</Link>}
          >
            A global table is one table in several regions, each of which takes writes. To make a table global, call
            UpdateTable with <code>ReplicaUpdates</code>, such as{' '}
            <code>{'[{"Create": {"RegionName": "eu-west-1"}}]'}</code>.
          </EmptyState>
        ) : (
          <>
            <GlobalTables tables={data.tables} />
            <Conflicts />
          </>
        )}
      </div>
    </Page>
  )
}
