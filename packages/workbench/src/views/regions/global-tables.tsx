import { ArrowRight } from '../../icons/icons.generated.ts'
import type { GlobalTable } from '../../answers/regions.ts'
import { Panel } from '../../components/page/page.tsx'
import { ScrollRegion } from '../../components/page/scroll-region.tsx'
import { Badge, StatusBadge } from '../../components/values/badge.tsx'
import '../../components/page/plain-table.css'
import { formatCount, formatMs } from '../../values/format.ts'

/** Each global table with its replicas, and what they must still send to each other. */
export function GlobalTables({ tables }: { readonly tables: readonly GlobalTable[] }) {
  return tables.map(({ tableName, replicas, links }) => (
    <Panel
      key={tableName}
      title={tableName}
      actions={
        <ul className="replica-list" aria-label={`Replicas of ${tableName}`}>
          {replicas.map(({ region, status }) => (
            <li key={region}>
              {region} <StatusBadge status={status} />
            </li>
          ))}
        </ul>
      }
    >
      <ScrollRegion label={`Replication of ${tableName}, scrolled`}>
        <table className="plain-table" aria-label={`Replication of ${tableName}`}>
          <thead>
            <tr>
              <th scope="col">From, to</th>
              <th scope="col">Link</th>
              <th scope="col" className="is-end">
                Pending
              </th>
              <th scope="col" className="is-end">
                Lag
              </th>
            </tr>
          </thead>
          <tbody>
            {links.map(({ from, to, isCut, pending, lagMs }) => (
              <tr key={`${from} ${to}`}>
                <td>
                  <span className="replica-link">
                    {from} <ArrowRight aria-label="to" /> {to}
                  </span>
                </td>
                <td>{isCut ? <Badge tone="danger">cut</Badge> : <Badge tone="success">connected</Badge>}</td>
                <td className="is-end number">{pending >= mostCounted ? '10,000+' : formatCount(pending)}</td>
                <td className="is-end number">{pending === 0 ? 'none' : formatMs(lagMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  ))
}

const mostCounted = 10_000
