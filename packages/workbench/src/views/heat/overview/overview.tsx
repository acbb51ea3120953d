import { Flame } from '../../../icons/icons.generated.ts'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { Badge } from '../../../components/values/badge.tsx'
import { TextInput } from '../../../components/controls/field.tsx'
import { EmptyState, ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { Page, Panel } from '../../../components/page/page.tsx'
import { TableLinks } from '../../../components/page/table-links.tsx'
import { useLink } from '../../../state/links.ts'
import { text, useUrlState } from '../../../state/url-state.ts'
import { formatCount, formatMs, formatUnits, plural } from '../../../values/format.ts'
import { percent } from '../figures/percent.ts'
import { HeatLegend } from '../map/heat-legend.tsx'
import { useHeatOverview } from '../answers/heat-queries.ts'
import { HeatStrip } from './heat-strip.tsx'
import type { HeatOverview, PlaceOverview, Side, TableOverview } from '../../../answers/heat.ts'
import { LiveSwitch, useLive } from '../answers/live-switch.tsx'
import { isBusyPlace, sortByHeat } from './sort-overview.ts'

const schema = { filter: text() }

/** All tables, the hottest first. */
export function Overview() {
  const live = useLive()
  const { data, error, refetch } = useHeatOverview(live.isPaused)
  const [{ filter }, setState] = useUrlState(schema)
  const { busy, idle } = useMemo(() => sortByHeat(data?.tables ?? [], filter), [data, filter])
  return (
    <Page
      title="Heat"
      aside={data !== undefined && <Totals overview={data} />}
      actions={
        <>
          <TextInput
            type="search"
            className="heat-filter"
            aria-label="Filter tables by name"
            placeholder="Filter by name"
            value={filter}
            onChange={(event) => setState({ filter: event.target.value })}
          />
          <LiveSwitch live={live} />
        </>
      }
    >
      <div className="stack">
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={6} />}
        {busy.length > 0 && (
          <Panel>
            <HeatLegend />
            <BusyTables tables={busy} />
          </Panel>
        )}
        {data !== undefined && busy.length === 0 && filter === '' && <NoTraffic hasTables={idle.length > 0} />}
        {data !== undefined && busy.length === 0 && filter !== '' && idle.length === 0 && (
          <p className="muted">No table has “{filter}” in its name.</p>
        )}
        {idle.length > 0 && <IdleTables tables={idle} />}
        {data !== undefined && data.leftOut > 0 && (
          <p className="muted">{plural(data.leftOut, 'more table')} are not included.</p>
        )}
      </div>
    </Page>
  )
}

function Totals({ overview }: { readonly overview: HeatOverview }) {
  const places = overview.tables.flatMap((table) => table.places)
  const sum = (read: (place: PlaceOverview) => number): number =>
    places.reduce((total, place) => total + read(place), 0)
  return (
    <span className="number">
      {formatUnits(sum((place) => place.readUnitsPerSecond))} RCU/s ·{' '}
      {formatUnits(sum((place) => place.writeUnitsPerSecond))} WCU/s
      {overview.userErrors > 0 && <> · {plural(overview.userErrors, 'invalid request')} in the last minute</>}
    </span>
  )
}

function BusyTables({ tables }: { readonly tables: readonly TableOverview[] }) {
  return (
    <ScrollRegion label="Tables by heat, scrolled">
      <table className="heat-table" aria-label="Tables by heat">
        <thead>
          <tr>
            <th scope="col">Table, index</th>
            <th scope="col">Reads, last hour</th>
            <th scope="col" className="is-end">
              RCU/s
            </th>
            <th scope="col">Writes, last hour</th>
            <th scope="col" className="is-end">
              WCU/s
            </th>
            <th scope="col" className="is-end">
              p99
            </th>
            <th scope="col">Throttling, last minute</th>
          </tr>
        </thead>
        <tbody>
          {tables.flatMap((table) =>
            table.places
              .filter((place) => place.indexName === undefined || isBusyPlace(place))
              .map((place) => (
                <PlaceRow key={`${table.tableName}/${place.indexName ?? ''}`} table={table} place={place} />
              )),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function PlaceRow({ table, place }: { readonly table: TableOverview; readonly place: PlaceOverview }) {
  const link = useLink()
  const { indexName } = place
  const slowest = Math.max(0, ...table.operations.map(({ p99Ms }) => p99Ms))
  return (
    <tr className={indexName === undefined ? '' : 'is-index'}>
      <th scope="row">
        <Link href={link('heat', table.tableName, { index: indexName })}>{indexName ?? table.tableName}</Link>
        {indexName === undefined && table.billingMode === 'PROVISIONED' && <Badge>provisioned</Badge>}
      </th>
      <SideCells side="read" place={place} />
      <SideCells side="write" place={place} />
      <td className="is-end number">{indexName === undefined && slowest > 0 ? formatMs(slowest) : ''}</td>
      <td>
        <Throttles place={place} />
      </td>
    </tr>
  )
}

function SideCells({ side, place }: { readonly side: Side; readonly place: PlaceOverview }) {
  const isRead = side === 'read'
  const share = isRead ? place.readShare : place.writeShare
  const units = isRead ? place.readUnitsPerSecond : place.writeUnitsPerSecond
  const capacity = isRead ? place.readCapacity : place.writeCapacity
  const hottest = isRead ? place.hottestRead : place.hottestWrite
  const minutes = isRead ? place.readMinutes : place.writeMinutes
  if (minutes.length === 0) {
    return (
      <>
        <td className="muted">none</td>
        <td className="is-end muted">0</td>
      </>
    )
  }
  return (
    <>
      <td>
        <div className="heat-side">
          <HeatStrip
            label={`The busiest partition is at ${percent(share)} of its ${side} capacity.`}
            minutes={minutes}
          />
          <strong className="number">{percent(share)}</strong>
        </div>
        {hottest !== undefined && (
          <p
            className="heat-hottest truncate"
            dir="auto"
            title={`${hottest.text} gets ${percent(hottest.share)} of it`}
          >
            {hottest.text}
          </p>
        )}
      </td>
      <td className="is-end number">
        {formatUnits(units)} <span className="muted">of {formatCount(capacity)}</span>
      </td>
    </>
  )
}

function Throttles({ place }: { readonly place: PlaceOverview }) {
  const throttled = place.readThrottles + place.writeThrottles
  const would = place.readWouldThrottles + place.writeWouldThrottles
  if (throttled + would === 0) return <span className="muted">none</span>
  return (
    <span className="heat-badges">
      {throttled > 0 && <Badge tone="danger">{formatCount(throttled)} throttled</Badge>}
      {would > 0 && <Badge tone="warning">{formatCount(would)} would be</Badge>}
    </span>
  )
}

function IdleTables({ tables }: { readonly tables: readonly TableOverview[] }) {
  return (
    <Panel title={`Idle · ${plural(tables.length, 'table')}`} hint="No reads or writes in the last hour.">
      <TableLinks view="heat" tables={tables.map(({ tableName }) => tableName)} />
    </Panel>
  )
}

function NoTraffic({ hasTables }: { readonly hasTables: boolean }) {
  const link = useLink()
  return (
    <EmptyState
      icon={<Flame />}
      title="No traffic yet"
      actions={!hasTables && <Link href={link('tables', undefined, { create: true })}>Create a table</Link>}
    >
      Run your application or its tests against this endpoint to see its reads and writes here: which partitions and
      keys they use, and what AWS would have throttled. There is nothing to turn on.
      <pre>{`export AWS_ENDPOINT_URL=${window.location.origin}
npm test

hashrange top               # the same in a terminal
hashrange cost --recorded   # what the traffic would cost per month`}</pre>
    </EmptyState>
  )
}
