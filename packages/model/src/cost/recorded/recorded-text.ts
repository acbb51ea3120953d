import { formatBytes, formatCount, formatShare } from '../../check/review/format-figures.ts'
import { textTable } from '../../check/report/text-table.ts'
import { dollars, pricesText } from '../cost-text.ts'
import type { Demand, RecordedCost, RecordedPlaceCost, RecordedTableCost, WaysToPay } from './recorded-cost.ts'

/** The cost of recorded traffic for people at a terminal. */
export function recordedText(cost: RecordedCost): string {
  const { minutes, region, targetUtilisation, tables, unusedTables } = cost
  const heading =
    `${formatCount(minutes)} ${minutes === 1 ? 'minute' : 'minutes'} of traffic, starting at ${new Date(cost.fromMs).toISOString().slice(0, 16)}Z, ` +
    `repeated for a month: ${region}, ${pricesText(cost)}, 730 hours`
  const unused = unusedTables.length === 0 ? [] : [`No traffic, so not included: ${some(unusedTables)}.`]
  if (tables.length === 0) return [heading, '', cost.advice, ...unused].join('\n')
  const atUtilisation = `at ${formatShare(targetUtilisation)}`
  const columns = ['$ per month', 'RCU', 'WCU', 'stored', 'on demand', 'at the peak', atUtilisation, 'auto scaling']
  const rows = tables.flatMap((table) =>
    table.places.map((place) => placeRow(table, place, hasSeveralScopes(cost))),
  )
  const total = ['total', '', '', '', ...wayCells(cost.total)]
  return [
    heading,
    '',
    ...textTable(columns, [...rows, total], new Set(columns.slice(1))),
    '',
    'RCU and WCU are units per second: the average, and in the busiest minute. Provisioned for that minute, which then uses all of',
    `the capacity ("at the peak") or ${formatShare(targetUtilisation)} of it; auto scaling follows the traffic minute by minute, with the delays it has on AWS.`,
    '',
    ...(tables.length > 1 ? [cost.advice] : []),
    ...tables.slice(0, adviceLines).map(({ advice }) => advice),
    ...unused,
  ].join('\n')
}

const adviceLines = 10

function placeRow(table: RecordedTableCost, place: RecordedPlaceCost, withScope: boolean): string[] {
  const scope = withScope ? `${table.accountId}/${table.region}/` : ''
  const name = place.indexName === undefined ? `${scope}${table.tableName}` : `  index ${place.indexName}`
  return [name, demandText(place.reads), demandText(place.writes), formatBytes(place.bytes), ...wayCells(place)]
}

function demandText({ average, peak }: Demand): string {
  return peak === 0 ? '0' : `${formatCount(average)} / ${formatCount(peak)}`
}

function wayCells(ways: WaysToPay): string[] {
  const { onDemand, provisionedAtPeak, provisioned, autoScaled } = ways
  return [onDemand, provisionedAtPeak, provisioned, autoScaled].map(({ total }) => dollars(total))
}

function hasSeveralScopes({ tables }: RecordedCost): boolean {
  return new Set(tables.map(({ accountId, region }) => `${accountId}/${region}`)).size > 1
}

function some(names: readonly string[]): string {
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
}
