import type { ReportedKey, TableReport } from '@hashrange/engine'
import { printable } from '../../printable.ts'
import { bar, cell, cut, figure } from './cells.ts'
import type { Style } from './style.ts'

interface RankedKey extends ReportedKey {
  readonly place: string
  readonly use: 'read' | 'write' | 'throttled'
}

const barWidth = 12

/** The most used keys, in the table and its indexes, reads and writes together; then those that were throttled. */
export function hotKeyLines(
  table: TableReport,
  { columns, style }: { readonly columns: number; readonly style: Style },
): string[] {
  const used = ranked(table, 'used')
  const throttled = ranked(table, 'throttled')
  return [...lines(used, columns), ...lines(throttled, columns).map((line) => style.red(line))]
}

function lines(keys: readonly RankedKey[], columns: number): string[] {
  const most = keys[0]?.amount ?? 0
  const placeWidth = Math.max(0, ...keys.map(({ place }) => Math.min(place.length, 24)))
  return keys.map(({ text, amount, overestimate, place, use }) => {
    // A count of many keys in little memory may be too high by this much.
    const about = overestimate > amount * 0.01 ? '≤' : ''
    const line = `  ${bar(amount / most, barWidth)} ${cell(`${about}${figure(amount)}`, 9, 'right')} ${cell(use, 10)}${cell(place, placeWidth)}  ${printable(text)}`
    return cut(line, columns)
  })
}

function ranked(table: TableReport, kind: 'used' | 'throttled'): readonly RankedKey[] {
  const keys = table.places.flatMap((place): RankedKey[] => {
    const name = place.indexName ?? table.tableName
    const of = (all: readonly ReportedKey[], use: RankedKey['use']): RankedKey[] =>
      all.map((key) => ({ ...key, place: name, use }))
    return kind === 'used'
      ? [...of(place.hottestReads, 'read'), ...of(place.hottestWrites, 'write')]
      : [...of(place.mostThrottledReads, 'throttled'), ...of(place.mostThrottledWrites, 'throttled')]
  })
  return keys.toSorted((a, b) => b.amount - a.amount).slice(0, 10)
}
