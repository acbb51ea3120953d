import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { AttributeDescription, EntityDescription, ModelDescription } from '../../description.ts'
import { itemSizeBytes, type StoredItem } from '../item-size.ts'
import { distinctValuesOf, isCollection } from '../cardinality.ts'
import { attributeOf, holesOf, ModelIndex } from '../model-index.ts'
import { mix, type Random } from '../random.ts'
import { computeNothing, type ComputeAttributes } from './compute-attributes.ts'
import { generateText, generateValue } from './generate-value.ts'
import { homeOf, planData, type EntityPlan, type PlanBounds } from './plan-data.ts'
import { storeItem, storeSatellites, withShards, type Values } from './store-item.ts'

/** Items that are made later count on from here, so that they are not among those made before. */
const firstOther = 100_000

/** One generated item of an entity. */
export interface GeneratedItem {
  readonly entity: EntityDescription
  readonly values: Values
  readonly stored: StoredItem
  readonly satellites: readonly StoredItem[]
}

/** Makes items as the model declares them: their sizes, their number under a partition key, and which other items they
 *  refer to. */
export class DataGenerator {
  private readonly model: ModelDescription
  private readonly index: ModelIndex
  private readonly random: Random
  private readonly offset: number
  private readonly compute: ComputeAttributes
  private readonly plans: ReadonlyMap<string, EntityPlan>
  /** How many items of each entity were made. */
  private readonly made = new Map<string, number>()

  constructor(
    model: ModelDescription,
    random: Random,
    bounds: PlanBounds,
    compute: ComputeAttributes = computeNothing,
  ) {
    this.model = model
    this.index = new ModelIndex(model)
    this.random = random
    this.compute = compute
    this.offset = random.next()
    this.plans = new Map()
    const sample = (entity: EntityDescription): number => itemSizeBytes(this.make(entity, 0, 0).stored)
    this.plans = new Map(planData(model, sample, bounds).map((plan) => [plan.entity.name, plan]))
    this.made.clear()
  }

  all(): GeneratedItem[] {
    const items: GeneratedItem[] = []
    for (const plan of this.plans.values()) {
      const keys = new Set<string>()
      for (let partition = 0; partition < plan.partitions; partition++) {
        const count = partition === 0 ? plan.inLargest : plan.perPartition
        for (let n = 0; n < count; n++) {
          const item = this.make(plan.entity, partition, n)
          const key = primaryKeyText(plan.entity, item.stored)
          if (keys.has(key)) continue
          keys.add(key)
          items.push(item)
        }
      }
    }
    return items
  }

  /** An item that is not among `all()`: for patterns that create one. */
  another(entity: EntityDescription): GeneratedItem {
    const partitions = this.plans.get(entity.name)?.partitions ?? 1
    const isSingle = entity.key.sort === undefined || !isCollection([entity.key.sort], [entity.key.partition])
    const serial = firstOther + (this.made.get(entity.name) ?? 0)
    return this.make(entity, isSingle ? serial : this.random.below(partitions), serial)
  }

  private make(entity: EntityDescription, partition: number, n: number): GeneratedItem {
    const serial = this.made.get(entity.name) ?? 0
    this.made.set(entity.name, serial + 1)
    const values = new Map<string, AttributeValue>()
    for (const attribute of entity.attributes) {
      if (attribute.shard?.by !== undefined) continue
      values.set(
        attribute.name,
        generateValue(this.fitted(entity, attribute), this.numberFor(entity, attribute, { partition, n, serial })),
      )
    }
    this.compute(entity, values)
    withShards(entity, values)
    const table = this.index.tableOf(entity)
    padTo(entity, values, entity.volume.itemBytes, () => itemSizeBytes(storeItem(table, entity, values)))
    return {
      entity,
      values,
      stored: storeItem(table, entity, values),
      satellites: entity.satellites.flatMap((satellite) => storeSatellites(table, entity, satellite, values)),
    }
  }

  /** Which of an attribute's values an item has: this is where items come to refer to each other. */
  private numberFor(entity: EntityDescription, attribute: AttributeDescription, at: Position): number {
    const { partition, sort } = entity.key
    const inPartition = holesOf([partition])
    const place = inPartition.indexOf(attribute.name)
    if (place !== -1)
      return digitOf(
        at.partition,
        place,
        inPartition.map((hole) => distinctValuesOf(attributeOf(entity, hole))),
      )
    const inSort = sort !== undefined && holesOf([sort]).includes(attribute.name)
    const distinct = distinctValuesOf(attribute)
    const home = homeOf(this.model, attribute.name)
    if (home !== undefined && home.name !== entity.name && attribute.type !== 'iso') {
      const pool = this.plans.get(home.name)?.partitions ?? 40
      if (!inSort) return this.random.skewedBelow(pool)
      return at.n >= firstOther ? at.n : (at.partition * 7 + at.n) % Math.max(pool, at.n + 1)
    }
    if (inSort) return Number.isFinite(distinct) ? at.n % distinct : isIdentifier(attribute) ? at.serial : at.n
    if (Number.isFinite(distinct)) return Math.floor(spread(attribute.name, at.serial, this.offset) * distinct)
    if (this.groups(entity, attribute.name)) return Math.floor(at.serial / 10)
    return isIdentifier(attribute) ||
      attribute.type === 'string' ||
      attribute.type === 'iso' ||
      attribute.type === 'set'
      ? at.serial
      : this.random.below(100_000)
  }

  /** Whether the attribute makes the partition of an index that holds many items for each value. */
  private groups(entity: EntityDescription, attribute: string): boolean {
    return (
      !entity.satellites.some(({ kind, attributes }) => kind === 'unique' && attributes.includes(attribute)) &&
      entity.indexKeys.some(
        (key) => holesOf(key.partition).includes(attribute) && isCollection(key.sort, key.partition),
      )
    )
  }

  /** A number stays within the padding of its keys even if the model lets it grow further; the review has its say there. */
  private fitted(entity: EntityDescription, attribute: AttributeDescription): AttributeDescription {
    if (attribute.type !== 'int' && attribute.type !== 'number') return attribute
    let max = Infinity
    const keys = [
      entity.key.partition,
      entity.key.sort,
      ...entity.indexKeys.flatMap((key) => [...key.partition, ...key.sort]),
    ]
    for (const template of [...keys, ...entity.satellites.flatMap(({ key }) => [key.partition, key.sort])]) {
      for (const part of template?.parts ?? []) {
        if (part.kind !== 'hole' || part.attribute !== attribute.name || part.format.kind !== 'padded') continue
        const { width, decimals } = part.format
        max = Math.min(max, 10 ** (decimals === 0 ? width : width - 1 - decimals) - 1)
      }
    }
    if (max === Infinity) return attribute
    const range = { min: Math.max(0, attribute.range?.min ?? 0), max: Math.min(max, attribute.range?.max ?? max) }
    return { ...attribute, range }
  }
}

interface Position {
  readonly partition: number
  /** Within the partition. */
  readonly n: number
  /** Among all items of the entity. */
  readonly serial: number
}

/** A number from 0 to 1 that takes all values evenly as `serial` counts on, so that few items already have the right mix;
 *  each attribute has a stride of its own, so that they do not go in step. */
function spread(attribute: string, serial: number, offset: number): number {
  let hash = 0
  for (let i = 0; i < attribute.length; i++) hash = mix(hash + attribute.charCodeAt(i) + 1)
  const stride = 0.381_966 + (hash / 0x1_0000_0000) * 0.236_068
  return (serial * stride + offset) % 1
}

function isIdentifier({ type }: AttributeDescription): boolean {
  return type === 'ulid' || type === 'uuid' || type === 'string'
}

/** The digit at `place` of `n` in the mixed base of the holes: the first hole with endless values counts all that is left. */
function digitOf(n: number, place: number, bases: readonly number[]): number {
  let rest = n
  for (let i = bases.length - 1; i > place; i--) {
    const base = bases[i] ?? 1
    if (Number.isFinite(base)) rest = Math.floor(rest / base)
  }
  const base = bases[place] ?? 1
  return Number.isFinite(base) ? rest % base : rest
}

/** Lengthens a text that has no declared size until the item has the declared one. */
function padTo(
  entity: EntityDescription,
  values: Map<string, AttributeValue>,
  itemBytes: number | undefined,
  size: () => number,
): void {
  const missing = itemBytes === undefined ? 0 : itemBytes - size()
  if (missing <= 0) return
  const inKeys = new Set(
    holesOf(
      [entity.key, ...entity.satellites.map(({ key }) => key)].flatMap(({ partition, sort }) => [
        partition,
        ...(sort === undefined ? [] : [sort]),
      ]),
    ).concat(entity.indexKeys.flatMap((key) => holesOf([...key.partition, ...key.sort]))),
  )
  const candidate = entity.attributes.find(
    ({ name, type, sizeBytes }) => type === 'string' && sizeBytes === undefined && !inKeys.has(name),
  )
  const text = values.get(candidate?.name ?? '')?.S
  if (candidate !== undefined && text !== undefined) {
    values.set(candidate.name, { S: text + generateText(0, missing) })
    return
  }
  const roomy = entity.attributes.find(
    ({ name, type }) => (type === 'string' || type === 'any') && !inKeys.has(name),
  )
  if (roomy !== undefined)
    values.set(roomy.name, { S: (values.get(roomy.name)?.S ?? '') + generateText(0, missing) })
}

export function primaryKeyText({ key }: EntityDescription, stored: StoredItem): string {
  const names = key.sort === undefined ? [key.partition.attribute] : [key.partition.attribute, key.sort.attribute]
  return names.map((name) => JSON.stringify(stored[name])).join(' ')
}
