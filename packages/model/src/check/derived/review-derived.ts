import type { ModelDescription } from '../../description.ts'
import type { Finding, FindingPlace } from '../finding.ts'
import { formatCount, formatShare } from '../review/format-figures.ts'
import type { SourceReport } from './derived-report.ts'

/** Transactions that meet on one item cancel each other: from about this many a second on, every fourth meets another. */
const busyRate = 25
/** How many changes of a busy item a transaction of the handler combines, if batches are full. */
const combined = 50
/** Below this, a writer hardly ever meets another. */
const quietRate = 5

/** Where derived items are too busy, and where they are not worth it. */
export function reviewDerived(
  model: ModelDescription,
  sources: readonly SourceReport[],
  itemUnits: (entity: string) => number,
): readonly Finding[] {
  return sources.flatMap((report) => [
    ...hotItem(model, report),
    ...cheaperInTransaction(model, report, itemUnits(report.source)),
  ])
}

function hotItem(model: ModelDescription, { source, busiest, peakRate }: SourceReport): readonly Finding[] {
  if (busiest === undefined) return []
  const rate = peakRate * busiest.share
  if (rate <= busyRate) return []
  const inBatches = rate / combined
  const shards = Math.max(2, Math.ceil(rate / busyRate))
  const target = model.entities.find(({ name }) => name === busiest.target)
  const shard = target?.attributes.find(
    ({ name, shard: own }) => own !== undefined && own.by === undefined && name !== '',
  )
  const pk = target?.key.partition.text ?? ''
  const remedy =
    shard === undefined
      ? `Spread it: add shard: s.shard(${shards}) to ${busiest.target}, write its partition key as '${pk}#{shard}', and read all shards with a query`
      : `Increase ${shard.name} of ${busiest.target} to ${(shard.shard?.count ?? 1) * shards} shards`
  return [
    {
      code: 'hot-derived-item',
      severity: inBatches > busyRate ? 'error' : 'warning',
      where: at(model, busiest.derivation, source),
      reason: `At the peak, ${formatCount(rate)} changes of ${source} a second (${formatShare(busiest.share)} of them) count for the busiest ${busiest.target}. If they are delivered one by one, that many transactions write one item and cancel each other; in full batches, it is about ${formatCount(inBatches)}.`,
      remedy: `${remedy}. Larger batches (BatchSize, MaximumBatchingWindowInSeconds) help as well.`,
    },
  ]
}

function cheaperInTransaction(
  model: ModelDescription,
  { source, busiest, peakRate, insert, derivations }: SourceReport,
  itemUnits: number,
): readonly Finding[] {
  if (busiest === undefined || peakRate === 0 || peakRate * busiest.share > quietRate) return []
  // The mark is one of the items that are written.
  const derivedItems = insert.writeUnits / 2 - 1
  const inTransaction = 2 * itemUnits + 2 * derivedItems
  const asDerived = itemUnits + insert.writeUnits
  if (derivedItems > 3 || inTransaction > asDerived || derivations.length === 0) return []
  return [
    {
      code: 'transaction-instead',
      severity: 'note',
      where: at(model, busiest.derivation, source),
      reason: `A change of ${source} with its derived items costs ${formatCount(asDerived)} write units, and readers see them later. In one transaction it would cost ${formatCount(inTransaction)}, and be exact at once; at ${formatCount(peakRate * busiest.share)} changes a second of the busiest ${busiest.target}, writers hardly ever conflict.`,
      remedy: `If all writers of ${source} are yours, consider t.${busiest.target}.upsert(key, { … add(1) }) in the transaction that writes it.`,
    },
  ]
}

function at(model: ModelDescription, name: string, source: string): FindingPlace {
  const location = model.entities.find((entity) => entity.name === source)?.location
  return { kind: 'derivation', name, ...(location !== undefined && { location }) }
}
