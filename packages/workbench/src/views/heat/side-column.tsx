import { useMemo } from 'react'
import { Chart, type ChartSeries } from '../../components/chart/chart.tsx'
import { ApiError } from '../../api/api.ts'
import { ErrorBox } from '../../components/messages/notices.tsx'
import { Panel } from '../../components/page/page.tsx'
import { formatCount, formatUnits } from '../../values/format.ts'
import { percent } from './figures/percent.ts'
import type { PlaceHeat, Side, TableHeat } from '../../answers/heat.ts'
import { HotKeys } from './keys/hot-keys.tsx'

export interface SideColumnProps {
  readonly side: Side
  readonly table: string
  readonly place: PlaceHeat
  readonly heat: TableHeat
}

/** Reads, or writes: what is used of what there is, what is throttled, and which keys it is. */
export function SideColumn({ side, table, place, heat }: SideColumnProps) {
  const isRead = side === 'read'
  const { report, history, keys } = place
  const unit = isRead ? 'RCU' : 'WCU'
  const used = isRead ? history.read : history.write
  const provisioned = isRead ? history.provisionedRead : history.provisionedWrite
  const capacity = isRead ? report.readCapacity : report.writeCapacity
  const isProvisioned = report.provisioned !== undefined
  const times = useMemo(() => history.timesMs.map((ms) => ms / 1000), [history])
  const peak = Math.max(0, ...used)
  const series = useMemo((): readonly ChartSeries[] => {
    const limit = isProvisioned ? provisioned : used.map(() => capacity)
    const line: ChartSeries = {
      label: isProvisioned ? 'provisioned' : 'supported now',
      values: limit,
      colour: '--chart-6',
      isDashed: true,
      isStepped: true,
    }
    const consumed: ChartSeries = {
      label: 'consumed',
      values: used,
      colour: isRead ? '--chart-1' : '--chart-3',
      isFilled: true,
    }
    // A limit far above would press what is used to the ground.
    return capacity > 0 && peak >= capacity * drawnFrom ? [consumed, line] : [consumed]
  }, [isRead, isProvisioned, provisioned, used, capacity, peak])
  const throttles = useThrottles(place, side)
  return (
    <div className="stack">
      <Panel
        title={isRead ? 'Most read keys' : 'Most written keys'}
        hint={`Partition keys by ${unit} over ${rangeText(heat.range)}.`}
      >
        {heat.keysDenied === undefined ? (
          <HotKeys
            table={table}
            indexName={report.indexName}
            top={keys}
            side={side}
            label={isRead ? 'Most read keys' : 'Most written keys'}
            isMeasured={throttles.refused === 0}
          />
        ) : (
          <ErrorBox error={new ApiError('AccessDeniedException', heat.keysDenied, 400)} />
        )}
      </Panel>
      <Panel
        title={isRead ? 'Reads' : 'Writes'}
        hint={
          <span className="number">
            {formatUnits(isRead ? report.readUnitsPerSecond : report.writeUnitsPerSecond)} {unit}/s now,{' '}
            {formatUnits(peak)} at most{' '}
            {capacity > 0 && (
              <>
                · {percent(peak / capacity)} of the {formatCount(capacity)}{' '}
                {isProvisioned ? 'that are provisioned' : 'that on-demand capacity supports now'}
              </>
            )}
          </span>
        }
      >
        <Chart
          label={`${isRead ? 'Read' : 'Write'} units per second, at most ${formatUnits(peak)}`}
          times={times}
          series={series}
          heightPx={170}
          format={formatUnits}
        />
        {throttles.total > 0 && (
          <>
            <h3 className="heat-subtitle">Throttled requests</h3>
            <Chart
              label={`${isRead ? 'Reads' : 'Writes'} that were throttled or would have been: ${formatCount(throttles.total)}`}
              times={times}
              series={throttles.series}
              heightPx={120}
              format={formatCount}
            />
          </>
        )}
      </Panel>
    </div>
  )
}

const drawnFrom = 0.15

function useThrottles({ history }: PlaceHeat, side: Side) {
  return useMemo(() => {
    const throttled = side === 'read' ? history.readThrottles : history.writeThrottles
    const would = side === 'read' ? history.readWouldThrottles : history.writeWouldThrottles
    const series: ChartSeries[] = []
    if (sum(throttled) > 0) {
      series.push({ label: 'throttled', values: throttled, colour: '--chart-4', isStepped: true, isFilled: true })
    }
    if (sum(would) > 0) {
      series.push({ label: 'would have been', values: would, colour: '--chart-5', isStepped: true, isFilled: true })
    }
    return { total: sum(throttled) + sum(would), refused: sum(throttled), series }
  }, [history, side])
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

function rangeText({ fromMs, toMs }: TableHeat['range']): string {
  const minutes = Math.round((toMs - fromMs) / 60_000)
  if (minutes <= 60) return minutes === 60 ? 'the last hour' : `the last ${String(minutes)} minutes`
  return minutes <= 24 * 60 ? 'the last 24 hours' : `the last ${String(Math.round(minutes / 1440))} days`
}
