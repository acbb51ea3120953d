import type { PatternDescription } from '../../description.ts'
import { distinctKeysOf, indexedShareOf } from '../cardinality.ts'
import { typicalPerPartition } from '../data/plan-data.ts'
import { holesOf, type ModelIndex } from '../model-index.ts'

/** How many items the model says one call of a query reads; undefined if it does not say.
 *  Generated data has fewer partitions than the real one, and so fewer items under each key of an index. */
export function expectedItems(model: ModelIndex, pattern: PatternDescription): number | undefined {
  if (pattern.operation !== 'Query' || pattern.via !== undefined) return undefined
  const declared = pattern.traffic.items ?? declaredByVolume(model, pattern)
  if (declared === undefined) return undefined
  const { limit, shards } = pattern
  // Each shard is asked for as many items as the whole result may have.
  return limit === undefined ? declared : Math.min(declared, limit * (shards?.count ?? 1))
}

function declaredByVolume(model: ModelIndex, pattern: PatternDescription): number | undefined {
  const { sort } = pattern
  if (sort?.kind === 'equals' || sort?.kind === 'between') return undefined
  if (sort !== undefined && holesOf(sort.templates).length > 0) return undefined
  const place = model.placeOf(pattern)
  let items = 0
  for (const { kind, entity, indexKey, partition } of model.kindsIn(place)) {
    if (!pattern.entities.includes(kind)) continue
    if (indexKey === undefined || place.index?.kind === 'local') {
      if (entity.volume.perPartition === undefined && entity.volume.items === undefined) return undefined
      items += typicalPerPartition(entity) * (indexKey === undefined ? 1 : indexedShareOf(entity, indexKey.index))
      continue
    }
    const shards = pattern.shards?.count ?? 1
    const keys = distinctKeysOf(entity, partition) / shards
    if (entity.volume.items === undefined || !Number.isFinite(keys)) return undefined
    items += (entity.volume.items * indexedShareOf(entity, indexKey.index)) / keys
  }
  return items
}
