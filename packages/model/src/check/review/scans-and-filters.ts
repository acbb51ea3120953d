import type { Finding } from '../finding.ts'
import { wasRun } from '../run/pattern-measurement.ts'
import { formatCount, formatShare, listOf } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** Reads that pay for items they do not return. */
export function reviewScansAndFilters(context: ReviewContext): Finding[] {
  return context.model.model.patterns.flatMap((pattern): Finding[] => {
    if (pattern.operation === 'Scan') return [scanFinding(context, pattern)]
    const filter = pattern.filter ?? []
    const measured = context.measured(pattern)
    if (filter.length === 0 || !wasRun(measured)) return []
    const kept = measured.itemsRead === 0 ? 1 : measured.itemsReturned / measured.itemsRead
    return [
      {
        code: 'filter',
        severity: kept < 0.5 ? 'warning' : 'note',
        where: context.atPattern(pattern),
        reason: `It reads ${formatCount(measured.itemsRead)} items to return ${formatCount(measured.itemsReturned)}: the filter on ${listOf(filter)} is applied after the read, so ${formatShare(1 - kept)} of what you pay for is discarded.`,
        remedy: `Make ${listOf(filter)} part of a key: put it before the sort key's other parts, or add an index whose partition key contains it.`,
      },
    ]
  })
}

function scanFinding(context: ReviewContext, pattern: Parameters<ReviewContext['atPattern']>[0]): Finding {
  const place = context.model.placeOf(pattern)
  const isSparse =
    place.index !== undefined && context.model.kindsIn(place).every(({ indexKey }) => indexKey?.when !== undefined)
  const rate = pattern.traffic.peakRate ?? pattern.traffic.rate ?? 0
  const what = place.index === undefined ? `the table ${place.table.name}` : `the index ${place.name}`
  return {
    code: 'scan',
    severity: isSparse ? 'note' : rate > 1 / 60 ? 'error' : 'warning',
    where: context.atPattern(pattern),
    reason: `It reads all of ${what}, so its cost grows with everything stored there${rate >= 0.01 ? `, ${formatCount(rate)} times a second` : ''}.`,
    remedy: isSparse
      ? 'Keep the index small, or give its items a partition key that you can query.'
      : 'Give the items a key, in the table or in an index, so that one Query finds them. For exports, use ExportTableToPointInTime.',
  }
}
