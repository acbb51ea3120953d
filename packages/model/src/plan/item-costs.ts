import { DataGenerator } from '../check/data/generate-data.ts'
import { itemSizeBytes } from '../check/item-size.ts'
import { seededRandom } from '../check/random.ts'
import type { ModelDescription } from '../description.ts'
import type { WorkItems } from './difference.ts'

export interface StepCost {
  /** Undefined if a model does not say how many there are. */
  readonly items: number | undefined
  readonly readUnits: number
  readonly writeUnits: number
  readonly dollars: number | undefined
  readonly seconds: number
}

/** What reading and writing all items of an entity costs, from the declared volumes and the sizes of generated items. */
export class ItemCosts {
  readonly #entities: ReadonlyMap<string, EntitySize>
  readonly #unitsPerSecond: number
  readonly #prices: { readonly perMillionReadUnits: number; readonly perMillionWriteUnits: number } | undefined

  constructor(
    before: ModelDescription,
    after: ModelDescription,
    unitsPerSecond: number,
    prices: { readonly perMillionReadUnits: number; readonly perMillionWriteUnits: number } | undefined,
  ) {
    this.#unitsPerSecond = unitsPerSecond
    this.#prices = prices
    this.#entities = new Map([...sizesOf(before), ...sizesOf(after)])
  }

  of({ entity, reads, writes, isOfIndex = false, isTransaction = false, readsEach = 0 }: WorkItems): StepCost {
    const { items, bytes, indexes } = this.#entities.get(entity) ?? { items: undefined, bytes: 0, indexes: 0 }
    const count = items ?? 0
    // A consistent scan reads 4 KB in a unit, whatever the size of the items.
    const scanned = reads ? Math.ceil((count * bytes) / 4096) : 0
    const readUnits = scanned + count * readsEach * Math.ceil(bytes / 4096)
    // An item is written to each index that it is in.
    const places = isOfIndex ? 1 : (isTransaction ? 2 : 1) + indexes
    const writeUnits = count * writes * places * Math.max(1, Math.ceil(bytes / 1024))
    return this.#cost(items, readUnits, writeUnits)
  }

  sum(costs: readonly StepCost[]): StepCost {
    const total = (pick: (cost: StepCost) => number): number => costs.reduce((all, cost) => all + pick(cost), 0)
    const isKnown = costs.every(({ items }) => items !== undefined)
    return this.#cost(
      isKnown ? total(({ items }) => items ?? 0) : undefined,
      total(({ readUnits }) => readUnits),
      total(({ writeUnits }) => writeUnits),
    )
  }

  #cost(items: number | undefined, readUnits: number, writeUnits: number): StepCost {
    const prices = this.#prices
    return {
      items,
      readUnits,
      writeUnits,
      dollars:
        prices === undefined
          ? undefined
          : (readUnits * prices.perMillionReadUnits + writeUnits * prices.perMillionWriteUnits) / 1e6,
      seconds: Math.ceil((readUnits + writeUnits) / this.#unitsPerSecond),
    }
  }
}

interface EntitySize {
  readonly items: number | undefined
  readonly bytes: number
  readonly indexes: number
}

function sizesOf(model: ModelDescription): readonly (readonly [string, EntitySize])[] {
  const generator = new DataGenerator(model, seededRandom(1), { maxItems: 10, maxBytes: 64 * 1024 })
  return model.entities.map((entity) => {
    const { items, itemBytes } = entity.volume
    const bytes = itemBytes ?? itemSizeBytes(generator.another(entity).stored)
    return [entity.name, { items, bytes, indexes: entity.indexKeys.length }]
  })
}
