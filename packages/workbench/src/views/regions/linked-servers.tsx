import type { LinkedServer } from '../../answers/regions.ts'
import { Panel } from '../../components/page/page.tsx'
import { ScrollRegion } from '../../components/page/scroll-region.tsx'
import { Badge } from '../../components/values/badge.tsx'
import '../../components/page/plain-table.css'
import { formatMs } from '../../values/format.ts'

/** The servers of other regions, each with a store of its own. */
export function LinkedServers({ servers }: { readonly servers: readonly LinkedServer[] }) {
  return (
    <Panel title="Linked servers" hint="Servers of other regions, which this one receives writes from.">
      <ScrollRegion label="Linked servers, scrolled">
        <table className="plain-table" aria-label="Linked servers">
          <thead>
            <tr>
              <th scope="col">Region</th>
              <th scope="col">Address</th>
              <th scope="col">Link</th>
              <th scope="col" className="is-end">
                Clock
              </th>
            </tr>
          </thead>
          <tbody>
            {servers.map(({ region, url, state, isDown, error, clockAheadMs }) => (
              <tr key={region}>
                <td>{region}</td>
                <td className="mono">{url}</td>
                <td>
                  <Badge tone={isDown ? 'danger' : 'success'}>{state}</Badge> {error}
                </td>
                <td className="is-end number">{clockText(clockAheadMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  )
}

/** Smaller differences are those of the network. */
const noticedMs = 1_000

function clockText(aheadMs: number): string {
  if (Math.abs(aheadMs) < noticedMs) return 'agrees'
  return `${formatMs(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`
}
