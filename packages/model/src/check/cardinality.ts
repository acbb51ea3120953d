import type {
  AttributeDescription,
  DatePrecision,
  EntityDescription,
  KeyTemplateDescription,
} from '../description.ts'
import { attributeOf, holesOf } from './model-index.ts'

/** How many different values an attribute has; infinity if nothing known limits it. */
export function distinctValuesOf(attribute: AttributeDescription | undefined): number {
  if (attribute === undefined) return Infinity
  if (attribute.distinct !== undefined) return attribute.distinct
  const { type, values, shard, range } = attribute
  if (type === 'enum') return Math.max(1, values?.length ?? 1)
  if (type === 'boolean') return 2
  if (type === 'shard') return shard?.count ?? 1
  if (type === 'int' && range?.min !== undefined && range.max !== undefined)
    return Math.max(1, range.max - range.min + 1)
  return Infinity
}

/** How many different keys the templates give, over all time. */
export function distinctKeysOf(entity: EntityDescription, templates: readonly KeyTemplateDescription[]): number {
  return productOver(entity, templates, distinctValuesOf)
}

/** How many of these are in use at one moment. A key that begins with today's date is one key until midnight, however
 *  many days there are. */
export function concurrentKeysOf(entity: EntityDescription, templates: readonly KeyTemplateDescription[]): number {
  return productOver(entity, templates, (attribute, precision) => {
    const kept = precision ?? (attribute?.type === 'iso' ? (attribute.precision ?? 'millisecond') : undefined)
    return kept !== undefined && isCoarse(kept) ? 1 : distinctValuesOf(attribute)
  })
}

function isCoarse(precision: DatePrecision): boolean {
  return precision !== 'second' && precision !== 'millisecond'
}

type Count = (attribute: AttributeDescription | undefined, precision: DatePrecision | undefined) => number

function productOver(
  entity: EntityDescription,
  templates: readonly KeyTemplateDescription[],
  count: Count,
): number {
  let product = 1
  const counted = new Set<string>()
  for (const { parts } of templates) {
    for (const part of parts) {
      if (part.kind !== 'hole' || counted.has(part.attribute)) continue
      counted.add(part.attribute)
      if (part.format.kind === 'bucket') {
        product *= part.format.count
        continue
      }
      const precision = part.format.kind === 'date' ? part.format.precision : undefined
      product *= count(attributeOf(entity, part.attribute), precision)
    }
  }
  return product
}

/** The share of an entity's items that a sparse index contains, by the number of values that its condition allows. */
export function indexedShareOf(entity: EntityDescription, index: string): number {
  const key = entity.indexKeys.find((each) => each.index === index)
  if (key === undefined) return 0
  let share = 1
  for (const { attribute, values } of key.when ?? []) {
    const all = distinctValuesOf(attributeOf(entity, attribute))
    share *= Number.isFinite(all) ? Math.min(1, values.length / all) : 0.5
  }
  return share
}

/** Whether items of one partition differ in their sort key, so that there can be many. */
export function isCollection(
  sort: readonly KeyTemplateDescription[],
  partition: readonly KeyTemplateDescription[],
): boolean {
  const fixed = new Set(holesOf(partition))
  return holesOf(sort).some((hole) => !fixed.has(hole))
}
