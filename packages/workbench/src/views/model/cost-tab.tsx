import type { ModelCharges } from '@hashrange/model/cost'
import { ScrollRegion } from '../../components/page/scroll-region.tsx'
import { Notice, Skeleton } from '../../components/messages/notices.tsx'
import { formatBytes, formatCount, formatUnits } from '../../values/format.ts'
import '../../components/page/plain-table.css'
import { formatDollars } from '../../values/dollars.ts'
import type { ModelTabProps } from './patterns-tab.tsx'
import './cost-tab.css'

/** Dollars a month, by pattern, from the declared traffic and the measured units. */
export function CostTab({ cost }: ModelTabProps) {
  if (cost === undefined) {
    return (
      <div className="model-pad">
        <Skeleton lines={6} />
      </div>
    )
  }
  const { unknown } = cost
  const left = [
    ...(unknown.patternsWithoutRate.length > 0 ? [`no rate: ${unknown.patternsWithoutRate.join(', ')}`] : []),
    ...(unknown.patternsNotRun.length > 0 ? [`could not be run: ${unknown.patternsNotRun.join(', ')}`] : []),
    ...(unknown.entitiesWithoutVolume.length > 0 ? [`no volume: ${unknown.entitiesWithoutVolume.join(', ')}`] : []),
  ]
  const sorted = cost.patterns.toSorted((a, b) => b.onDemand - a.onDemand)
  const most = Math.max(...sorted.map(({ onDemand }) => onDemand), 0)
  return (
    <ScrollRegion label="Cost" className="model-scroll model-pad stack">
      <div className="model-sums">
        <Sum title="On demand" charges={cost.onDemand} isCheaper={cost.breakEven.cheaper === 'on-demand'} />
        <Sum
          title={`Provisioned (${formatCount(cost.provisioned.readUnits)} R, ${formatCount(cost.provisioned.writeUnits)} W)`}
          charges={cost.provisioned}
          isCheaper={cost.breakEven.cheaper === 'provisioned'}
        />
      </div>
      <p className="model-hint">
        Prices of {cost.pricesOf} as of {cost.pricesFrom}. Provisioned capacity is cheaper while the peak stays
        below {formatUnits(Math.round(cost.breakEven.peakToAverage * 10) / 10)} times the average.
        {cost.reserved.map(({ years, readUnits, writeUnits, upfront, perMonth }) => (
          <span key={years}>
            {' '}
            With {formatCount(readUnits)} RCU and {formatCount(writeUnits)} WCU reserved for{' '}
            {years === 1 ? '1 year' : '3 years'}, it costs {formatDollars(perMonth)} per month, including a share of
            the {formatDollars(upfront)} paid upfront.
          </span>
        ))}
      </p>
      {left.length > 0 && (
        <Notice title="Not included, because the model does not declare it">{left.join('; ')}.</Notice>
      )}
      <table className="plain-table" aria-label="Cost by pattern">
        <thead>
          <tr>
            <th>Pattern</th>
            <th className="is-end">Calls/s</th>
            <th className="is-end">Read units</th>
            <th className="is-end">Write units</th>
            <th className="is-end">of which for indexes</th>
            <th className="is-end">On demand</th>
            <th className="is-end">Provisioned</th>
            <th className="model-bar-head">
              <span className="visually-hidden">Share</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((each) => (
            <tr key={each.pattern}>
              <td className="mono plain-name">{each.pattern}</td>
              <td className="is-end number">{each.rate === undefined ? '–' : formatUnits(each.rate)}</td>
              <td className="is-end number">{formatUnits(each.readUnits)}</td>
              <td className="is-end number">{formatUnits(each.writeUnits)}</td>
              <td className="is-end number">{formatUnits(each.indexWriteUnits)}</td>
              <td className="is-end number">{each.isKnown ? formatDollars(each.onDemand) : '?'}</td>
              <td className="is-end number">{each.isKnown ? formatDollars(each.provisioned) : '?'}</td>
              <td>
                <div
                  className="model-bar"
                  style={{ width: `${String(most === 0 ? 0 : (each.onDemand / most) * 100)}%` }}
                  aria-hidden
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className="plain-table" aria-label="Cost of storage and replicas">
        <thead>
          <tr>
            <th>Storage and replicas</th>
            <th>Kind</th>
            <th className="is-end">Size</th>
            <th className="is-end">Per month</th>
          </tr>
        </thead>
        <tbody>
          {cost.storage.map((each) => (
            <tr key={`${each.kind}/${each.place}`}>
              <td className="mono plain-name">{each.place}</td>
              <td className="muted">{each.kind}</td>
              <td className="is-end number">{formatBytes(each.bytes)}</td>
              <td className="is-end number">{formatDollars(each.dollars)}</td>
            </tr>
          ))}
          {cost.others.map(({ name, onDemand }) => (
            <tr key={name}>
              <td className="plain-name" colSpan={3}>
                {name}
              </td>
              <td className="is-end number">{formatDollars(onDemand)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Sum({
  title,
  charges,
  isCheaper,
}: {
  readonly title: string
  readonly charges: ModelCharges
  readonly isCheaper: boolean
}) {
  return (
    <div className={`model-sum ${isCheaper ? 'is-cheaper' : ''}`}>
      <div className="model-sum-title">
        {title}
        {isCheaper && <span className="model-sum-note">cheaper</span>}
      </div>
      <div className="model-sum-total number">
        {formatDollars(charges.total)} <span className="muted">per month</span>
      </div>
      <div className="model-hint number">
        reads {formatDollars(charges.reads)} · writes {formatDollars(charges.writes)} · storage{' '}
        {formatDollars(charges.storage)}
        {charges.others > 0 && <> · others {formatDollars(charges.others)}</>}
      </div>
    </div>
  )
}
