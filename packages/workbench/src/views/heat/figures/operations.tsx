import { useMemo, useState } from 'react'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { Chart, type ChartSeries } from '../../../components/chart/chart.tsx'
import { Select } from '../../../components/controls/field.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { formatCount, formatUnits } from '../../../values/format.ts'
import { FigureHead } from './figure-head.tsx'
import type { OperationHistory, TableHeat } from '../../../answers/heat.ts'

/** How long requests took, operation by operation, and what went wrong. */
export function Operations({ heat }: { readonly heat: TableHeat }) {
  const { operations, errors } = heat
  const [chosen, choose] = useState('')
  const shown = operations.find(({ operation }) => operation === chosen) ?? operations[0]
  return (
    <>
      <Panel
        title="Latency"
        hint="Measured in the server, without the network. Half of the requests took at most p50, and 99 in 100 took at most p99."
        actions={
          operations.length > 1 && (
            <Select
              aria-label="Operation"
              className="heat-operation"
              value={shown?.operation ?? ''}
              options={operations.map(({ operation }) => operation)}
              onChange={choose}
            />
          )
        }
      >
        {shown === undefined ? (
          <p className="muted">No requests in this period.</p>
        ) : (
          <div className="heat-columns heat-latency">
            <LatencyChart history={shown} />
            <OperationTable heat={heat} />
          </div>
        )}
      </Panel>
      <Errors heat={heat} errors={errors} />
    </>
  )
}

function LatencyChart({ history }: { readonly history: OperationHistory }) {
  const times = useMemo(() => history.timesMs.map((ms) => ms / 1000), [history])
  const series = useMemo(
    (): readonly ChartSeries[] => [
      { label: `${history.operation} p99`, values: history.p99Ms, colour: '--chart-3', hasPoints: true },
      { label: 'p50', values: history.p50Ms, colour: '--chart-2', hasPoints: true },
    ],
    [history],
  )
  return (
    <Chart
      label={`Latency of ${history.operation}`}
      times={times}
      series={series}
      heightPx={190}
      leastTop={0.1}
      format={formatLatency}
    />
  )
}

function OperationTable({ heat }: { readonly heat: TableHeat }) {
  const now = new Map(heat.table.operations.map((one) => [one.operation, one]))
  return (
    <ScrollRegion label="Operations, scrolled">
      <table className="heat-table" aria-label="Operations">
        <FigureHead rows="Operation" figures={['requests', 'per s now', 'p50', 'p99', 'throttled', 'errors']} />
        <tbody>
          {heat.operations.map(({ operation, requests, p50Ms, p99Ms, throttled, systemErrors }) => (
            <tr key={operation}>
              <th scope="row">{operation}</th>
              <td className="is-end number">{formatCount(requests.reduce((sum, count) => sum + count, 0))}</td>
              <td className="is-end number">{formatUnits(now.get(operation)?.requestsPerSecond ?? 0)}</td>
              <td className="is-end number">{formatLatency(now.get(operation)?.p50Ms ?? last(p50Ms))}</td>
              <td className="is-end number">{formatLatency(now.get(operation)?.p99Ms ?? last(p99Ms))}</td>
              <td className="is-end number">{formatCount(throttled)}</td>
              <td className="is-end number">{formatCount(systemErrors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const errorText: Readonly<Record<string, string>> = {
  ConditionalCheckFailedRequests: 'Failed conditions',
  TransactionConflict: 'Transaction conflicts',
}

function Errors({ heat, errors }: { readonly heat: TableHeat; readonly errors: TableHeat['errors'] }) {
  const first = errors[0]
  const times = useMemo(() => (first?.timesMs ?? []).map((ms) => ms / 1000), [first])
  const series = useMemo(
    (): readonly ChartSeries[] =>
      errors.map(({ name, counts }) => ({ label: errorText[name] ?? name, values: counts, isStepped: true })),
    [errors],
  )
  const systemErrors = heat.operations.reduce((sum, operation) => sum + operation.systemErrors, 0)
  return (
    <Panel
      title="Errors"
      hint="A write with a failed condition is charged like the write. Invalid requests (UserErrors) are counted for the account, not for a table."
    >
      {first === undefined ? (
        <p className="muted">
          {systemErrors === 0
            ? 'None in this period: no failed conditions, transaction conflicts or system errors.'
            : `${formatCount(systemErrors)} system errors in the database itself; see its output for details.`}
        </p>
      ) : (
        <Chart
          label="Failed conditions and conflicts"
          times={times}
          series={series}
          heightPx={140}
          format={formatCount}
        />
      )}
    </Panel>
  )
}

function last(values: readonly (number | null)[]): number {
  return values.findLast((value) => value !== null) ?? 0
}

/** Microseconds matter here. */
function formatLatency(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 1) return `${String(Math.round(ms * 1000))} µs`
  return ms < 1000
    ? `${ms.toLocaleString('en-US', { maximumFractionDigits: 1 })} ms`
    : `${formatUnits(ms / 1000)} s`
}
