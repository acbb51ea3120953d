import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { AttributeDescription, EntityDescription, ModelDescription } from '../../description.ts'
import { isCollection } from '../cardinality.ts'
import { itemSizeBytes, type StoredItem } from '../item-size.ts'
import { holesOf, ModelIndex } from '../model-index.ts'
import type { Random } from '../random.ts'
import { computeNothing, type ComputeAttributes } from './compute-attributes.ts'
import { fitToPadding, templatesOf } from './fit-to-padding.ts'
import { generateText, generateValue } from './generate-value.ts'
import { planData, type EntityPlan, type PlanBounds } from './plan-data.ts'
import { storeItem, storeSatellites, withShards, type Values } from './store-item.ts'
import { firstOther, numberingOf, type Numbering, type NumberingContext } from './value-numbering.ts'

/** One generated item of an entity. */
export interface GeneratedItem {
  readonly entity: EntityDescription
  readonly values: Values
  readonly stored: StoredItem
  readonly satellites: readonly StoredItem[]
}

/** Generates items as the model declares them: their sizes, their number under a partition key, and which other items
 *  they refer to. */
export class DataGenerator {
  readonly #index: ModelIndex
  readonly #random: Random
  readonly #compute: ComputeAttributes
  readonly #recipes: ReadonlyMap<string, Recipe>
  readonly #context: NumberingContext
  #plans: ReadonlyMap<string, EntityPlan> = new Map()
  /** How many items of each entity were generated. */
  readonly #made = new Map<string, number>()

  constructor(
    model: ModelDescription,
    random: Random,
    bounds: PlanBounds,
    compute: ComputeAttributes = computeNothing,
  ) {
    this.#index = new ModelIndex(model)
    this.#random = random
    this.#compute = compute
    this.#recipes = new Map(model.entities.map((entity) => [entity.name, recipeFor(model, entity)]))
    this.#context = {
      random,
      offset: random.next(),
      planOf: (entity) => this.#plans.get(entity.name),
    }
    const sample = (entity: EntityDescription): number => itemSizeBytes(this.#make(entity, 0, 0).stored)
    this.#plans = new Map(planData(model, sample, bounds).map((plan) => [plan.entity.name, plan]))
    this.#made.clear()
  }

  all(): GeneratedItem[] {
    const items: GeneratedItem[] = []
    for (const plan of this.#plans.values()) {
      const keys = new Set<string>()
      for (let partition = 0; partition < plan.partitions; partition++) {
        const count = partition === 0 ? plan.inLargest : plan.perPartition
        for (let n = 0; n < count; n++) {
          const item = this.#make(plan.entity, partition, n)
          const key = primaryKeyText(plan.entity, item.stored)
          if (keys.has(key)) continue
          keys.add(key)
          items.push(item)
        }
      }
    }
    return oneOfEachKey(items)
  }

  /** An item that is not among `all()`: for patterns that create one. */
  another(entity: EntityDescription): GeneratedItem {
    const partitions = this.#plans.get(entity.name)?.partitions ?? 1
    const isSingle = entity.key.sort === undefined || !isCollection([entity.key.sort], [entity.key.partition])
    const serial = firstOther + (this.#made.get(entity.name) ?? 0)
    return this.#make(entity, isSingle ? serial : this.#random.below(partitions), serial)
  }

  #make(entity: EntityDescription, partition: number, n: number): GeneratedItem {
    const serial = this.#made.get(entity.name) ?? 0
    this.#made.set(entity.name, serial + 1)
    const values = new Map<string, AttributeValue>()
    const recipe = this.#recipes.get(entity.name)
    for (const { attribute, numbering } of recipe?.attributes ?? []) {
      values.set(attribute.name, generateValue(attribute, numbering({ partition, n, serial }, this.#context)))
    }
    this.#compute(entity, values)
    withShards(entity, values)
    const table = this.#index.tableOf(entity)
    const { itemBytes } = entity.volume
    if (itemBytes !== undefined && recipe?.padded !== undefined) {
      pad(values, recipe.padded, itemBytes - itemSizeBytes(storeItem(table, entity, values)))
    }
    return {
      entity,
      values,
      stored: storeItem(table, entity, values),
      satellites: entity.satellites.flatMap((satellite) => storeSatellites(table, entity, satellite, values)),
    }
  }
}

/** How the items of an entity are generated. */
interface Recipe {
  readonly attributes: readonly { readonly attribute: AttributeDescription; readonly numbering: Numbering }[]
  /** The text that is lengthened until an item has its declared size. */
  readonly padded: string | undefined
}

function recipeFor(model: ModelDescription, entity: EntityDescription): Recipe {
  const inKeys = new Set(holesOf(templatesOf(entity)))
  const free = entity.attributes.filter(
    ({ name, type }) => (type === 'string' || type === 'any') && !inKeys.has(name),
  )
  return {
    attributes: entity.attributes
      .filter(({ shard }) => shard?.by === undefined)
      .map((attribute) => ({
        attribute: fitToPadding(entity, attribute),
        numbering: numberingOf(model, entity, attribute),
      })),
    // Preferably one whose size nobody declared.
    padded: (free.find(({ sizeBytes }) => sizeBytes === undefined) ?? free[0])?.name,
  }
}

function pad(values: Map<string, AttributeValue>, name: string, missingBytes: number): void {
  if (missingBytes > 0) values.set(name, { S: (values.get(name)?.S ?? '') + generateText(0, missingBytes) })
}

function primaryKeyText({ key }: EntityDescription, stored: StoredItem): string {
  const names = key.sort === undefined ? [key.partition.attribute] : [key.partition.attribute, key.sort.attribute]
  return names.map((name) => JSON.stringify(stored[name])).join(' ')
}

/** Of entities that share their keys, each has the item of some of them, in turn. */
function oneOfEachKey(items: GeneratedItem[]): GeneratedItem[] {
  const rivals = new Map<string, GeneratedItem[]>()
  for (const item of items) {
    if (item.entity.sharesKeys !== true) continue
    const key = `${item.entity.table} ${primaryKeyText(item.entity, item.stored)}`
    rivals.set(key, [...(rivals.get(key) ?? []), item])
  }
  if (rivals.size === 0) return items
  const chosen = new Set([...rivals.values()].map((same, i) => same[i % same.length]))
  return items.filter((item) => item.entity.sharesKeys !== true || chosen.has(item))
}
