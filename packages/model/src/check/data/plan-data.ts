import type { EntityDescription, ModelDescription } from '../../description.ts'
import { distinctKeysOf, isCollection } from '../cardinality.ts'
import { holesOf } from '../model-index.ts'

/** How much of an entity is generated. */
export interface EntityPlan {
  readonly entity: EntityDescription
  readonly partitions: number
  readonly perPartition: number
  /** Items in the first partition, which represents the largest. */
  readonly inLargest: number
}

export interface PlanBounds {
  readonly maxItems: number
  /** Of one entity. */
  readonly maxBytes: number
}

/** Decides how many items of each entity represent the declared ones: partitions are as full as declared, but there
 *  are fewer of them. By default, a collection has ten items. */
export function planData(
  model: ModelDescription,
  itemBytesOf: (entity: EntityDescription) => number,
  bounds: PlanBounds,
): readonly EntityPlan[] {
  const budget = Math.max(50, Math.floor(bounds.maxItems / Math.max(1, model.entities.length)))
  const wishes = model.entities.map((entity) =>
    wishFor(entity, Math.min(budget, bounds.maxBytes / itemBytesOf(entity))),
  )
  // Entities that share a partition key are generated for the same partitions, so that their collections are
  // complete.
  const shared = new Map<string, number>()
  for (const { entity, partitions } of wishes) {
    const group = groupOf(entity)
    shared.set(group, Math.max(shared.get(group) ?? 0, partitions))
  }
  return wishes.map((wish) => {
    const partitions = shared.get(groupOf(wish.entity)) ?? wish.partitions
    const most = Math.max(1, Math.floor((budget * 2) / wish.perPartition))
    return { ...wish, partitions: Math.min(partitions, most, partitionsOf(wish.entity) ?? Infinity) }
  })
}

const usualPartitions = 40

function wishFor(entity: EntityDescription, maxItems: number): EntityPlan {
  const most = Math.max(20, Math.floor(maxItems))
  const typical = typicalPerPartition(entity)
  const perPartition = Math.max(1, Math.min(Math.round(typical), Math.floor(most / 2)))
  const partitions = Math.max(
    1,
    Math.min(usualPartitions, Math.floor(most / perPartition), partitionsOf(entity) ?? Infinity),
  )
  const largest = Math.max(
    perPartition,
    Math.min(entity.volume.maxPerPartition ?? perPartition, Math.floor(most / 2)),
  )
  return { entity, partitions, perPartition, inLargest: largest }
}

/** Items of the entity under one partition key: declared, or derived, or ten. */
export function typicalPerPartition(entity: EntityDescription): number {
  const { perPartition, items, maxPerPartition } = entity.volume
  const { partition, sort } = entity.key
  if (perPartition !== undefined) return Math.max(1, perPartition)
  if (sort === undefined || !isCollection([sort], [partition])) return 1
  const keys = distinctKeysOf(entity, [partition])
  if (items !== undefined && Number.isFinite(keys)) return Math.max(1, items / keys)
  return Math.min(10, maxPerPartition ?? 10)
}

/** The declared number of partitions, if it is known. */
export function partitionsOf(entity: EntityDescription): number | undefined {
  const keys = distinctKeysOf(entity, [entity.key.partition])
  const { items } = entity.volume
  const byItems = items === undefined ? Infinity : Math.max(1, Math.round(items / typicalPerPartition(entity)))
  const least = Math.min(keys, byItems)
  return Number.isFinite(least) ? least : undefined
}

function groupOf({ table, key }: EntityDescription): string {
  return `${table} ${key.partition.text}`
}

/** The entity that an attribute identifies by itself: its primary key consists of nothing else. */
export function homeOf(model: ModelDescription, attribute: string): EntityDescription | undefined {
  return model.entities.find(({ key }) => {
    const holes = new Set(holesOf(key.sort === undefined ? [key.partition] : [key.partition, key.sort]))
    return holes.size === 1 && holes.has(attribute)
  })
}

/** The entity whose items contain those of another in the same partition: its sort key has the first holes of the
 *  other's, including `attribute`. */
export function parentOf(
  model: ModelDescription,
  entity: EntityDescription,
  attribute: string,
): EntityDescription | undefined {
  if (entity.key.sort === undefined) return undefined
  const holes = holesOf([entity.key.sort])
  return model.entities.find((other) => {
    if (other === entity || groupOf(other) !== groupOf(entity) || other.key.sort === undefined) return false
    const first = holesOf([other.key.sort])
    return first.length < holes.length && first.includes(attribute) && first.every((hole, i) => holes[i] === hole)
  })
}
