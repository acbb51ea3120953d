import { formatBytes, formatCount, formatShare, listOf } from '../check/review/format-figures.ts'
import { unitsText } from '../check/report/pattern-rows.ts'
import { textTable } from '../check/report/text-table.ts'
import type { CostComparison } from './compare-costs.ts'
import type { ModelCost, ReservedCost } from './model-cost.ts'

/** A model's cost for people at a terminal. */
export function costText(cost: ModelCost): string {
  const patterns = cost.patterns.map((pattern) => [
    pattern.pattern,
    pattern.rate === undefined ? '?' : formatCount(pattern.rate),
    unitsText(pattern),
    pattern.indexWriteUnits > 0 ? formatCount(pattern.indexWriteUnits) : '',
    pattern.isKnown ? dollars(pattern.onDemand) : '?',
    pattern.isKnown ? dollars(pattern.provisioned) : '?',
  ])
  const storage = cost.storage.map(({ kind, place, bytes, dollars: amount }) => [
    `storage of ${kind === 'backup' ? 'backups of ' : `${kind} `}${place}`,
    '',
    formatBytes(bytes),
    '',
    dollars(amount),
    dollars(amount),
  ])
  const others = cost.others.map(({ name, onDemand, provisioned }) => [
    name,
    '',
    '',
    '',
    dollars(onDemand),
    dollars(provisioned),
  ])
  const total = ['total', '', '', '', dollars(cost.onDemand.total), dollars(cost.provisioned.total)]
  const columns = ['$ per month', 'calls/s', 'a call', 'WCU in indexes', 'on-demand', 'provisioned']
  const { breakEven, provisioned, unknown } = cost
  const lines = [
    `${cost.model}: ${cost.region}, ${pricesText(cost)}, 730 hours per month`,
    '',
    ...textTable(columns, [...patterns, ...storage, ...others, total], new Set(columns.slice(1))),
    '',
    `Provisioned for the declared peaks: ${formatCount(provisioned.readUnits)} RCU and ${formatCount(provisioned.writeUnits)} WCU.`,
    `Here ${breakEven.cheaper} is cheaper. Break-even: provisioned capacity is cheaper when you use more than ${formatShare(breakEven.writeUtilisation)} of it,`,
    `that is, when the peak is less than ${formatCount(Math.round(breakEven.peakToAverage * 10) / 10)} times the average.`,
    ...cost.reserved.map(reservedText),
  ]
  if (unknown.patternsWithoutRate.length > 0) {
    lines.push(`Not included, because they declare no rate: ${listOf(unknown.patternsWithoutRate)}.`)
  }
  if (unknown.patternsNotRun.length > 0) {
    lines.push(
      `Not included, because they could not be run (see hashrange check): ${listOf(unknown.patternsNotRun)}.`,
    )
  }
  if (unknown.entitiesWithoutVolume.length > 0) {
    lines.push(
      `Storage not included, because .volume({ items }) is missing: ${listOf(unknown.entitiesWithoutVolume)}.`,
    )
  }
  return lines.join('\n')
}

/** `prices as of 2024-11-01`, with their region if it is another one. */
export function pricesText({
  region,
  pricesOf,
  pricesFrom,
}: Pick<ModelCost, 'region' | 'pricesOf' | 'pricesFrom'>): string {
  return `prices ${pricesOf === region ? '' : `of ${pricesOf} `}as of ${pricesFrom}`
}

function reservedText({ years, readUnits, writeUnits, upfront, perMonth }: ReservedCost): string {
  const units = [
    ...(readUnits > 0 ? [`${formatCount(readUnits)} RCU`] : []),
    ...(writeUnits > 0 ? [`${formatCount(writeUnits)} WCU`] : []),
  ].join(' and ')
  return `With ${units} reserved for ${years === 1 ? '1 year' : '3 years'}, provisioned costs ${dollars(perMonth)} per month, including a share of the ${dollars(upfront)} paid upfront.`
}

/** The difference between two models; what stays the same is left out. */
export function comparisonText({ before, after, rows, total, notCompared }: CostComparison): string {
  const columns = ['$ per month', 'on-demand', 'now', 'change', 'provisioned', 'now', 'change']
  const cells = (name: string, { onDemand, provisioned }: CostComparison['total']): string[] => [
    name,
    dollars(onDemand.before),
    dollars(onDemand.after),
    signed(onDemand.difference),
    dollars(provisioned.before),
    dollars(provisioned.after),
    signed(provisioned.difference),
  ]
  const changed = rows.filter(
    ({ onDemand, provisioned }) => signed(onDemand.difference) !== '' || signed(provisioned.difference) !== '',
  )
  return [
    `${before} → ${after}`,
    '',
    ...textTable(
      columns,
      [
        ...changed.map((row) => cells(`${row.kind === 'storage' ? 'storage of ' : ''}${row.name}`, row)),
        cells('total', total),
      ],
      new Set(columns.slice(1)),
    ),
    ...(notCompared.length === 0
      ? []
      : [
          '',
          `Not compared, because they could not be run in one of the two models (see hashrange check): ${listOf(notCompared)}. The totals leave them out.`,
        ]),
  ].join('\n')
}

/** `$1,234.50`: amounts for a month, in columns that align. Hundredths of cents for small amounts, since small patterns are many. The
 *  workbench also shows what a single request costs, and writes that with two significant digits (`formatDollars`). */
export function dollars(amount: number): string {
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

/** Empty if nothing changed. */
function signed(difference: number): string {
  if (Math.abs(difference) < 0.00005) return ''
  return `${difference > 0 ? '+' : '-'}${dollars(Math.abs(difference))}`
}
