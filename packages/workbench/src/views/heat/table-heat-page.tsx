import { useMemo } from 'react'
import { useTable } from '../../api/queries.ts'
import { BackTitle } from '../../components/page/back-title.tsx'
import { Badge } from '../../components/values/badge.tsx'
import { Choice, Select } from '../../components/controls/field.tsx'
import { ErrorBox, Skeleton } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { useCommands } from '../../commands/commands.ts'
import { useLink } from '../../state/links.ts'
import { flag, oneOf, text, useUrlState } from '../../state/url-state.ts'
import { formatUnits } from '../../values/format.ts'
import { useTableHeat } from './answers/heat-queries.ts'
import { rangeNames, type PlaceHeat, type RangeName, type TableHeat } from '../../answers/heat.ts'
import { LiveSwitch, useLive } from './answers/live-switch.tsx'
import { Operations } from './figures/operations.tsx'
import { Partitions } from './map/partitions.tsx'
import { SideColumn } from './side-column.tsx'
import { ThrottleNotices } from './throttling/throttle-notices.tsx'

const schema = { index: text(), range: oneOf(rangeNames, '5m'), rows: flag() }

const rangeText: Readonly<Record<RangeName, string>> = {
  '5m': '5 min',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
}

/** All about the heat of one table and its indexes. */
export function TableHeatPage({ table }: { readonly table: string }) {
  const [{ index, range }, setState] = useUrlState(schema)
  const live = useLive()
  const { data, error, refetch } = useTableHeat(table, range, live.isPaused)
  const link = useLink()
  const place = data?.places.find(({ report }) => (report.indexName ?? '') === index) ?? data?.places[0]
  useCommands(
    useMemo(
      () =>
        rangeNames.map((name, position) => ({
          id: `heat-range:${name}`,
          title: `Look back ${rangeText[name]}`,
          group: 'Heat',
          shortcut: String(position + 1),
          run: () => setState({ range: name }),
        })),
      [setState],
    ),
  )
  return (
    <Page
      title={
        <BackTitle href={link('heat')} backTo="All tables">
          Heat of {table}
        </BackTitle>
      }
      aside={
        data !== undefined && (
          <Badge>{data.table.billingMode === 'PROVISIONED' ? 'provisioned' : 'on-demand'}</Badge>
        )
      }
      actions={<LiveSwitch live={live} />}
      toolbar={
        <>
          {data !== undefined && data.places.length > 1 && (
            <Select
              aria-label="Table or index"
              className="heat-place"
              value={place?.report.indexName ?? ''}
              options={data.places.map(({ report }) => placeOption(report))}
              onChange={(next) => setState({ index: next }, { push: true })}
            />
          )}
          <Choice
            shape="segments"
            label="How far back"
            value={range}
            options={rangeNames.map((name) => ({ value: name, label: rangeText[name] }))}
            onChange={(next) => setState({ range: next })}
          />
        </>
      }
    >
      <div className="stack">
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={8} />}
        {data !== undefined && place !== undefined && (
          <PlaceContent table={table} heat={data} place={place} range={range} />
        )}
      </div>
    </Page>
  )
}

function PlaceContent({
  table,
  heat,
  place,
  range,
}: {
  readonly table: string
  readonly heat: TableHeat
  readonly place: PlaceHeat
  readonly range: RangeName
}) {
  const description = useTable(table).data
  const { indexName } = place.report
  return (
    <>
      <ThrottleNotices place={place} description={description} range={rangeText[range]} />
      <Partitions table={table} place={place} atMs={heat.atMs} range={heat.range} />
      <div className="heat-columns">
        <SideColumn side="read" table={table} place={place} heat={heat} />
        <SideColumn side="write" table={table} place={place} heat={heat} />
      </div>
      {indexName === undefined && <Operations heat={heat} />}
    </>
  )
}

function placeOption(report: PlaceHeat['report']) {
  const { indexName, readUnitsPerSecond, writeUnitsPerSecond } = report
  const use = `${formatUnits(readUnitsPerSecond)} R/s, ${formatUnits(writeUnitsPerSecond)} W/s`
  return { value: indexName ?? '', label: `${indexName === undefined ? 'Table' : indexName} · ${use}` }
}
