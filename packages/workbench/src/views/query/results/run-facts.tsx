import { Tooltip } from '../../../components/controls/tooltip.tsx'
import { formatCount, formatMs, formatUnits } from '../../../values/format.ts'
import type { ResultsPaneProps } from './results-pane.tsx'
import { formatDollars } from '../../../values/dollars.ts'
import { dollarsPerMonth, pricesOf, totalsOf, wastedUnits } from '../run/run-cost.ts'

/** What a run cost: in items, pages, units, time, and money at this rate. */
export function RunFacts({
  state,
  region,
  isWhole,
  isConsistent,
  isWrite = false,
  callsPerSecond,
  onCallsPerSecond,
}: Pick<
  ResultsPaneProps,
  'state' | 'region' | 'isWhole' | 'isConsistent' | 'isWrite' | 'callsPerSecond' | 'onCallsPerSecond'
>) {
  const totals = totalsOf(state.pages)
  const wasted = wastedUnits(state.pages, isWhole, isConsistent)
  const prices = pricesOf(region)
  const discarded = (totals.scannedCount ?? totals.count) - totals.count
  const share = totals.units === 0 ? 0 : wasted / totals.units
  return (
    <div className="run-facts">
      <dl className="run-numbers">
        <Fact name="Returned" value={formatCount(totals.count)} hint="Count: the items that were returned" />
        {totals.scannedCount !== undefined && (
          <Fact
            name="Read"
            value={formatCount(totals.scannedCount)}
            hint="ScannedCount: the items that were read and charged for, before the filter"
          />
        )}
        <Fact
          name={totals.requests === 1 ? 'Page' : 'Pages'}
          value={formatCount(totals.requests)}
          hint="Requests sent"
        />
        <Fact
          name="Units"
          value={formatUnits(totals.units)}
          hint={isWrite ? 'Write capacity units consumed' : 'Read capacity units consumed'}
        />
        <Fact name="Time" value={formatMs(state.ms)} hint="From this page to the database and back" />
        <div className="run-money">
          <dt>
            <label>
              At{' '}
              <input
                className="run-calls number"
                aria-label="Calls per second"
                inputMode="decimal"
                defaultValue={String(callsPerSecond)}
                key={callsPerSecond}
                onBlur={(event) => onCallsPerSecond(callsOf(event.target.value, callsPerSecond))}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') onCallsPerSecond(callsOf(event.currentTarget.value, callsPerSecond))
                }}
              />{' '}
              calls/s
            </label>
          </dt>
          <Tooltip
            text={`On demand in ${prices.takenFrom ?? prices.region}, by the prices of ${prices.effectiveFrom}: $${String(isWrite ? prices.onDemand.perMillionWriteUnits : prices.onDemand.perMillionReadUnits)} a million units`}
          >
            <dd tabIndex={0}>
              {formatDollars(dollarsPerMonth(totals.units, callsPerSecond, prices, isWrite))} per month
            </dd>
          </Tooltip>
        </div>
      </dl>
      {discarded > 0 && (
        <p className="run-waste">
          <span className="run-waste-bar" aria-hidden>
            <span style={{ width: `${String(Math.round(share * 100))}%` }} />
          </span>
          The filter dropped {formatCount(discarded)} of {formatCount(totals.scannedCount ?? 0)} items:{' '}
          {wasted === 0 ? (
            'so few that they made no difference, because a read costs at least half a unit. With more items they will.'
          ) : (
            <>
              <strong>
                {formatUnits(wasted)} of {formatUnits(totals.units)} units
              </strong>{' '}
              for nothing, {formatDollars(dollarsPerMonth(wasted, callsPerSecond, prices))} per month. A key or an
              index would avoid reading them.
            </>
          )}
        </p>
      )}
    </div>
  )
}

function Fact({ name, value, hint }: { readonly name: string; readonly value: string; readonly hint: string }) {
  return (
    <Tooltip text={hint}>
      <div className="run-fact" tabIndex={0}>
        <dt>{name}</dt>
        <dd className="number">{value}</dd>
      </div>
    </Tooltip>
  )
}

function callsOf(text: string, otherwise: number): number {
  const calls = Number(text)
  return Number.isFinite(calls) && calls >= 0 && text.trim() !== '' ? calls : otherwise
}
