import { formatCount, formatShare } from '../../check/review/format-figures.ts'
import { dollars } from '../cost-text.ts'
import type { Demand, RecordedPlaceCost, RecordedTableCost, WayToPay } from './recorded-cost.ts'

type Advised = Omit<RecordedTableCost, 'advice'>

/** Above this, what auto scaling comes too late for is worth a word. */
const noticeableLateShare = 0.001

/** How a table should be paid for, and why, in a sentence or two. */
export function adviceFor(table: Advised): string {
  const { tableName, total, cheapest, billingMode } = table
  const current: WayToPay = billingMode === 'PAY_PER_REQUEST' ? 'onDemand' : 'provisioned'
  const amount = dollars(total[cheapest].total)
  const verdict =
    cheapest === current
      ? `${tableName}: stay ${wayName(cheapest)}, ${amount} per month.`
      : `${tableName}: ${wayName(cheapest)} would cost ${amount} per month, ${wayName(current)} costs ${dollars(total[current].total)}.`
  return [verdict, ...reasons(table), ...classAdvice(table)].join(' ')
}

export function adviceForAll(tables: readonly RecordedTableCost[]): string {
  if (tables.length === 0)
    return 'There was no traffic, so there is nothing to pay for except storage. (The current minute is not counted until it is over.)'
  const best = sumOf(tables, ({ total, cheapest }) => total[cheapest].total)
  const onDemand = sumOf(tables, ({ total }) => total.onDemand.total)
  const parts = (['onDemand', 'provisioned', 'autoScaled'] as const).flatMap((way) => {
    const names = tables.filter(({ cheapest }) => cheapest === way).map(({ tableName }) => tableName)
    return names.length === 0 ? [] : [`${some(names)} ${wayName(way)}`]
  })
  const saving = onDemand - best
  return saving < 0.005
    ? `Cheapest: ${parts.join('; ')}.`
    : `Cheapest: ${parts.join('; ')}. Together ${dollars(best)} per month, ${dollars(saving)} less than with everything on demand.`
}

/** The other table class, where it would be cheaper by more than it takes to think about it. */
function classAdvice({ tableClass, inOtherClass, total, cheapest }: Advised): string[] {
  const now = total[cheapest].total
  if (inOtherClass === undefined || inOtherClass > now * 0.95 || now - inOtherClass < 1) return []
  const other = tableClass === 'STANDARD' ? 'DynamoDB Standard-IA' : 'DynamoDB Standard'
  return [`In the table class ${other} it would cost ${dollars(inOtherClass)}.`]
}

/** The share of the units of a place that auto scaling would have come too late for, where it is largest. */
export function lateShareOf(places: readonly RecordedPlaceCost[]): number {
  return Math.max(0, ...demandsOf(places).map(({ scaledThrottledShare }) => scaledThrottledShare))
}

function reasons({ places, cheapest, total }: Advised): string[] {
  const busiest = demandsOf(places).toSorted((a, b) => b.peak - a.peak)[0]
  if (busiest === undefined) return []
  const ratio = busiest.peak / busiest.average
  const shape =
    ratio >= 1.5
      ? `Its busiest minute has ${formatCount(Math.round(ratio * 10) / 10)} times the average traffic.`
      : 'Its traffic is even.'
  const late = lateShareOf(places)
  if (late < noticeableLateShare || total.autoScaled.total > total[cheapest].total) return [shape]
  const lateness = `reacted too late for ${formatShare(late)} of the units, which would have been throttled`
  return cheapest === 'autoScaled'
    ? [shape, `Auto scaling would have ${lateness}.`]
    : [shape, `Auto scaling would cost ${dollars(total.autoScaled.total)}, but would have ${lateness}.`]
}

function demandsOf(places: readonly RecordedPlaceCost[]): readonly Demand[] {
  return places.flatMap(({ reads, writes }) => [reads, writes]).filter(({ average }) => average > 0)
}

function wayName(way: WayToPay): string {
  switch (way) {
    case 'onDemand':
      return 'on demand'
    case 'provisionedAtPeak':
      return 'provisioned at the peak'
    case 'provisioned':
      return 'provisioned'
    case 'autoScaled':
      return 'provisioned with auto scaling'
  }
}

function some(names: readonly string[]): string {
  return names.length <= 4 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
}

function sumOf(tables: readonly RecordedTableCost[], amount: (table: RecordedTableCost) => number): number {
  return tables.reduce((total, table) => total + amount(table), 0)
}
