import { Grid3x3, Rows3 } from '../../../icons/icons.generated.ts'
import { useMemo } from 'react'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { Button } from '../../../components/controls/button.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { flag, useUrlState } from '../../../state/url-state.ts'
import { formatUnits, plural } from '../../../values/format.ts'
import { FigureHead } from '../figures/figure-head.tsx'
import { heatColumns } from './heat-columns.ts'
import { HeatLegend } from './heat-legend.tsx'
import { HeatMap } from './heat-map.tsx'
import { percent } from '../figures/percent.ts'
import { useHeatMemory } from '../answers/heat-queries.ts'
import type { PartitionNow, PlaceHeat, TableHeat } from '../../../answers/heat.ts'
import { rangeLabel } from './key-axis.ts'

const schema = { rows: flag() }

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** What the map shows, for the requested time. */
const shown = [
  { words: 'the last 5 minutes', lengthMs: 5 * minuteMs, hint: '' },
  { words: 'the last hour', lengthMs: 60 * minuteMs, hint: '' },
  { words: 'the last 24 hours', lengthMs: dayMs, hint: ' Ten-minute averages.' },
  { words: 'the last 7 days', lengthMs: 7 * dayMs, hint: ' One-hour averages.' },
  { words: 'the last 30 days', lengthMs: 30 * dayMs, hint: ' Six-hour averages.' },
]

export interface PartitionsProps {
  readonly table: string
  readonly place: PlaceHeat
  readonly atMs: number
  /** That of the data, which may not be there yet for what was chosen last. */
  readonly range: TableHeat['range']
}

/** The partitions as heat maps of reads and of writes, or as rows. */
export function Partitions({ table, place, atMs, range }: PartitionsProps) {
  const [{ rows }, setState] = useUrlState(schema)
  const { partitions, partitionCount } = place.report
  const memory = useHeatMemory(table, place.report.indexName)
  const lengthMs = range.toMs - range.fromMs
  const about = shown.find((one) => one.lengthMs === lengthMs)
  const columns = useMemo(() => {
    const known = heatColumns(place.keyRanges, partitions, range.fromMs, atMs)
    return range.periodMs < minuteMs ? memory.live(atMs, known) : known
  }, [place, partitions, memory, atMs, range])
  // What has been idle for long has no partitions now, but may have had some.
  const isUnused = partitionCount === 0 && place.keyRanges.periods.length === 0
  const isPart = partitions.length < partitionCount
  return (
    <Panel
      title={`${partitionCount === 0 ? 'Partitions' : plural(partitionCount, 'partition')}, ${about?.words ?? ''}`}
      hint={
        isUnused
          ? 'It has not been used yet.'
          : partitionCount === 0
            ? 'Not used since hashrange was started. These are earlier recordings; partitions are shown again from the next read or write.'
            : `Ranges of the hash of the partition key, from 00 to ff.${isPart ? ` The ${String(partitions.length)} busiest are shown.` : ''}${about?.hint ?? ''}`
      }
      actions={
        !isUnused && (
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
      {isUnused ? (
        <p className="muted">
          Partitions appear with the first read or write. Each supports 3,000 read units and 1,000 write units per
          second.
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
    <ScrollRegion label="Partitions, scrolled">
      <table className="heat-table" aria-label="Partitions">
        <FigureHead
          rows="Key range"
          figures={[
            'RCU/s',
            'of 3,000',
            'busiest minute of the last hour',
            'WCU/s',
            'of 1,000',
            'busiest minute of the last hour',
            'throttled or would be, in this minute',
          ]}
        />
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
    </ScrollRegion>
  )
}

function busiest(history: readonly number[]): number {
  return Math.max(0, ...history) / 60
}
