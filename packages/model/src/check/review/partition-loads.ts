import type { EntityDescription, KeyTemplateDescription, PatternDescription } from '../../description.ts'
import { concurrentKeysOf, distinctKeysOf, isCollection } from '../cardinality.ts'
import { partitionsOf } from '../data/plan-data.ts'
import { holesOf, type Place } from '../model-index.ts'
import type { ReviewContext } from './review-context.ts'
import { textOfTemplates } from '../../model/text-of-templates.ts'

/** What one pattern puts on the busiest key of one kind of partition, in units a second at its peak. */
export interface PartitionLoad {
  readonly place: Place
  readonly templates: readonly KeyTemplateDescription[]
  readonly entity: EntityDescription
  readonly pattern: PatternDescription
  readonly readUnits: number
  readonly writeUnits: number
  /** How it is known which share of the calls goes to the busiest key. */
  readonly shareIs: 'declared' | 'inferred' | 'even'
}

/** Where the declared traffic goes: each pattern's measured units, times its rate, times the share of its busiest key. */
export function partitionLoads(context: ReviewContext): readonly PartitionLoad[] {
  return context.model.model.patterns.flatMap((pattern) => {
    const rate = pattern.traffic.peakRate ?? pattern.traffic.rate ?? 0
    if (rate === 0 || pattern.operation === 'Scan') return []
    const measured = context.measured(pattern)
    return (measured?.places ?? []).flatMap(({ place: name, readUnits, writeUnits }) => {
      const place = context.model.places().find((each) => (each.index?.name ?? each.table.name) === name)
      if (place === undefined) return []
      const loads = [
        ...readLoads(context, pattern, place).map((load) => ({
          ...load,
          readUnits: load.share * readUnits * rate,
          writeUnits: 0,
        })),
        ...writeLoads(context, pattern, place).map((load) => ({
          ...load,
          readUnits: 0,
          writeUnits: load.share * writeUnits * rate,
        })),
      ]
      return loads.map(({ share: _share, ...load }) => ({ ...load, place, pattern }))
    })
  })
}

type Target = Pick<PartitionLoad, 'templates' | 'entity' | 'shareIs'> & { readonly share: number }

function readLoads({ model }: ReviewContext, pattern: PatternDescription, place: Place): readonly Target[] {
  const kinds = pattern.entities.flatMap((kind) => model.ownerOf(kind) ?? [])
  const [entity] = kinds
  if (entity === undefined) return []
  const { hotKeyShare } = pattern.traffic
  if (pattern.partition !== undefined) {
    const shards = pattern.shards?.count ?? 1
    const keys = distinctKeysOf(entity, pattern.partition) / shards
    // A sharded read goes to all shards, with a part of its units for each.
    const busiest = busiestShare(entity, pattern.partition, hotKeyShare, keys)
    return [{ ...busiest, entity, templates: pattern.partition, share: busiest.share / shards }]
  }
  if (place.index !== undefined) return []
  return kinds.map((each) => {
    const templates = [each.key.partition]
    const busiest = busiestShare(each, templates, hotKeyShare, partitionsOf(each) ?? Infinity)
    return { ...busiest, entity: each, templates, share: busiest.share / kinds.length }
  })
}

function writeLoads({ model }: ReviewContext, pattern: PatternDescription, place: Place): readonly Target[] {
  const steps = pattern.steps ?? pattern.entities.map((entity) => ({ entity, action: 'put', count: 1 }))
  const writes = steps.flatMap(({ entity: name, action, count }) => {
    const entity = model.entity(name)
    if (entity === undefined || action === 'get' || entity.table !== place.table.id) return []
    const indexKey = entity.indexKeys.find(({ index }) => index === place.index?.name)
    if (place.index !== undefined && indexKey === undefined) return []
    const isOwn = place.index === undefined || place.index.kind === 'local'
    return [{ entity, count, templates: isOwn ? [entity.key.partition] : (indexKey?.partition ?? []) }]
  })
  const all = writes.reduce((total, { count }) => total + count, 0)
  return writes.map(({ entity, templates, count }) => {
    const keys = Math.min(concurrentKeysOf(entity, templates), distinctKeysOf(entity, templates))
    const follows = holesOf([entity.key.partition])
    const holes = holesOf(templates)
    // The declared share is that of the busiest primary key; an index whose key contains it is as busy.
    const isAsBusy =
      follows.length > 0 &&
      follows.every((hole) => holes.includes(hole)) &&
      !holes.some((hole) => isShard(entity, hole))
    const declared = isAsBusy || templates[0] === entity.key.partition ? pattern.traffic.hotKeyShare : undefined
    const busiest = busiestShare(entity, templates, declared, keys)
    // No transaction writes an item twice: of single items, the busiest key gets one write of each call, not all of them.
    const isSingle = place.index === undefined && !isCollectionOf(entity)
    const writesOfKey = busiest.shareIs === 'even' || !isSingle ? count : 1
    return { ...busiest, entity, templates, share: (busiest.share * writesOfKey) / all }
  })
}

/** Where the model declares no skew, the largest partition tells: it is taken to have as large a share of the calls as of the
 *  items. */
function busiestShare(
  entity: EntityDescription,
  templates: readonly KeyTemplateDescription[],
  declared: number | undefined,
  keys: number,
): Pick<Target, 'share' | 'shareIs'> {
  if (declared !== undefined) return { share: declared, shareIs: 'declared' }
  const { items, maxPerPartition } = entity.volume
  const isOwn = templates[0] === entity.key.partition || templates[0]?.text === entity.key.partition.text
  const inferred =
    isOwn && items !== undefined && maxPerPartition !== undefined && isCollectionOf(entity)
      ? Math.min(1, maxPerPartition / items)
      : 0
  const even = shareOf(keys)
  return inferred > even ? { share: inferred, shareIs: 'inferred' } : { share: even, shareIs: 'even' }
}

function isCollectionOf({ key }: EntityDescription): boolean {
  return key.sort !== undefined && isCollection([key.sort], [key.partition])
}

function isShard(entity: EntityDescription, name: string): boolean {
  return entity.attributes.some((attribute) => attribute.name === name && attribute.shard !== undefined)
}

function shareOf(keys: number): number {
  return Number.isFinite(keys) ? 1 / Math.max(1, keys) : 0
}

export function loadKey({ place, templates }: PartitionLoad): string {
  return `${place.name} ${textOfTemplates(templates)}`
}
