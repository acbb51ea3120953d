import type { EntityDescription, PatternDescription } from '../../description.ts'
import { isCollection } from '../cardinality.ts'
import { partitionsOf } from '../data/plan-data.ts'
import type { Finding } from '../finding.ts'
import { formatCount } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** While a transaction is under way, for some ten milliseconds, another one on the same item is cancelled. From about this many a
 *  second on, every fourth meets another. */
const busyRate = 25
const hopelessRate = 100

/** Transactions that meet on one item cancel each other, long before the partition is busy. */
export function reviewContention(context: ReviewContext): Finding[] {
  return context.model.model.patterns.flatMap((pattern): Finding[] => {
    if (pattern.operation !== 'TransactWriteItems') return []
    const rate = pattern.traffic.peakRate ?? pattern.traffic.rate ?? 0
    const steps = pattern.steps ?? pattern.entities.map((entity) => ({ entity, action: pattern.action, count: 1 }))
    const busiest = steps
      .flatMap(({ entity: name, action, count }) => {
        const entity = context.model.entity(name)
        const isWrite = !['create', 'get', 'check'].includes(action)
        return entity === undefined || !isWrite ? [] : [{ entity, rate: rate * itemShare(pattern, entity, count) }]
      })
      .toSorted((a, b) => b.rate - a.rate)[0]
    if (busiest === undefined || busiest.rate <= busyRate) return []
    return [
      {
        code: 'transaction-contention',
        severity: busiest.rate > hopelessRate ? 'error' : 'warning',
        where: context.atPattern(pattern),
        reason: `At its peak, ${formatCount(busiest.rate)} transactions a second write the busiest ${busiest.entity.name}. Transactions that write one item at the same time cancel each other (TransactionConflict), and each retry can conflict again.`,
        remedy: `Write each change as an item of its own, and add the changes up on read or from a stream; or queue the changes of one ${busiest.entity.name}; or, for a counter without conditions, update it outside of the transaction.`,
      },
    ]
  })
}

/** The share of calls that write the busiest item. Of many items under one partition key, nothing is known. */
function itemShare({ traffic }: PatternDescription, entity: EntityDescription, count: number): number {
  const { partition, sort } = entity.key
  if (sort !== undefined && isCollection([sort], [partition])) return 0
  const items = partitionsOf(entity)
  const even = items === undefined ? 0 : Math.min(1, count / items)
  return Math.max(even, traffic.hotKeyShare ?? 0)
}
