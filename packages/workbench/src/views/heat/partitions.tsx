import { Grid3x3, Rows3 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/page.tsx'
import { flag, useUrlState } from '../../state/url-state.ts'
import { formatUnits, plural } from '../../values/format.ts'
import { HeatLegend } from './heat-legend.tsx'
import { HeatMap, percent } from './heat-map.tsx'
import { useHeatMemory } from './heat-queries.ts'
import type { PartitionNow, PlaceHeat, RangeName } from './heat-types.ts'
import { rangeLabel } from './key-axis.ts'

const schema = { rows: flag() }

export interface PartitionsProps {
  readonly table: string
  readonly place: PlaceHeat
  readonly atMs: number
  readonly range: RangeName
}

/** The partitions as heat maps of reads and of writes, or as rows. */
export function Partitions({ table, place, atMs, range }: PartitionsProps) {
  const [{ rows }, setState] = useUrlState(schema)
  const { partitions, partitionCount } = place.report
  const memory = useHeatMemory(table, place.report.indexName)
  const isLive = range === '5m'
  const columns = isLive ? memory.live(atMs) : memory.byMinute(atMs)
  const lengthMs = (isLive ? 5 : 60) * 60_000
  const isLonger = range !== '5m' && range !== '1h'
  const isPart = partitions.length < partitionCount
  return (
    <Panel
      title={`${plural(partitionCount, 'partition')}, ${isLive ? 'the last 5 minutes' : 'the last hour'}`}
      hint={
        partitionCount === 0
          ? 'Nobody has used it yet.'
          : `Ranges of the hash of the partition key, from 00 to ff.${isPart ? ` The ${String(partitions.length)} busiest are shown.` : ''}${isLonger ? ' The map goes back an hour; keys, charts and throttling below go back as far as chosen.' : ''}`
      }
      actions={
        partitionCount > 0 && (
          <Button
            tone="quiet"
            icon={rows ? <Grid3x3 /> : <Rows3 />}
            aria-pressed={rows}
            onClick={() => setState({ rows: !rows })}
          >
            {rows ? 'As a map' : 'As a table'}
          </Button>
        )
      }
    >
      {partitionCount === 0 ? (
        <p className="muted">
          Partitions show with the first read or write. One takes 3,000 read and 1,000 write units a second.
        </p>
      ) : rows ? (
        <PartitionRows partitions={partitions} />
      ) : (
        <>
          <div className="heat-columns">
            <figure className="heat-figure">
              <figcaption>Reads</figcaption>
              <HeatMap side="read" columns={columns} fromMs={atMs - lengthMs} toMs={atMs} />
            </figure>
            <figure className="heat-figure">
              <figcaption>Writes</figcaption>
              <HeatMap side="write" columns={columns} fromMs={atMs - lengthMs} toMs={atMs} />
            </figure>
          </div>
          <div className="heat-panel-legend">
            <HeatLegend />
          </div>
        </>
      )}
    </Panel>
  )
}

function PartitionRows({ partitions }: { readonly partitions: readonly PartitionNow[] }) {
  return (
    <table className="heat-table" aria-label="Partitions">
      <thead>
        <tr>
          <th scope="col">Key range</th>
          <th scope="col" className="is-end">
            RCU/s
          </th>
          <th scope="col" className="is-end">
            of 3,000
          </th>
          <th scope="col" className="is-end">
            busiest minute of the hour
          </th>
          <th scope="col" className="is-end">
            WCU/s
          </th>
          <th scope="col" className="is-end">
            of 1,000
          </th>
          <th scope="col" className="is-end">
            busiest minute of the hour
          </th>
          <th scope="col" className="is-end">
            throttled or would be, this minute
          </th>
        </tr>
      </thead>
      <tbody>
        {partitions.map((one) => (
          <tr key={one.fromKey}>
            <th scope="row" className="mono">
              {rangeLabel(one.fromKey, one.toKey)}
            </th>
            <td className="is-end number">{formatUnits(one.readUnitsPerSecond)}</td>
            <td className="is-end number">{percent(one.readUnitsPerSecond / one.readCapacity)}</td>
            <td className="is-end number">{percent(busiest(one.readHistory) / one.readCapacity)}</td>
            <td className="is-end number">{formatUnits(one.writeUnitsPerSecond)}</td>
            <td className="is-end number">{percent(one.writeUnitsPerSecond / one.writeCapacity)}</td>
            <td className="is-end number">{percent(busiest(one.writeHistory) / one.writeCapacity)}</td>
            <td className="is-end number">{formatUnits(one.readThrottles + one.writeThrottles)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function busiest(history: readonly number[]): number {
  return Math.max(0, ...history) / 60
}
