import { formatShare } from '../review/format-figures.ts'
import { textTable } from '../report/text-table.ts'
import type { ChangeCost, DerivedReport } from './derived-report.ts'

const columns = ['changes of', 'derive', 'new item', 'in a batch', 'removed', 'busiest item'] as const

/** What derived items cost, for people at a terminal. Findings are shown with those of the model. */
export function derivedText({ model, sources }: DerivedReport): string {
  const rows = sources.map((each) => [
    each.source,
    each.derivations.join(', '),
    unitsText(each.insert),
    unitsText(each.insertInBatch),
    unitsText(each.remove),
    each.busiest === undefined ? '' : `${formatShare(each.busiest.share)} of ${each.busiest.target}`,
  ])
  return [
    `${model}: derived items, in write + read units of the handler for one change`,
    ...textTable(columns, rows, new Set()),
  ].join('\n')
}

function unitsText({ readUnits, writeUnits }: ChangeCost): string {
  const round = (units: number): string => String(Math.round(units * 10) / 10)
  return `${round(writeUnits)} + ${round(readUnits)}`
}
