import { describedModel, withoutValidators } from '../client/described-model.ts'
import type { EntityDescription, ModelDescription } from '../description.ts'
import type { AnyModel } from '../model/model.ts'
import { DataGenerator, type GeneratedItem } from './data/generate-data.ts'
import { computeWith } from './data/compute-attributes.ts'
import { isInIndex } from './data/store-item.ts'
import { itemSizeBytes, type StoredItem } from './item-size.ts'
import { ModelIndex, type Place } from './model-index.ts'
import { seededRandom } from './random.ts'
import { createTables, loadItems, type RefusedTable } from './run/load-data.ts'
import { measurePattern } from './run/measure-pattern.ts'
import type { PatternMeasurement } from './run/pattern-measurement.ts'
import { RecordingClient } from './run/recording-client.ts'
import type { TrialDatabase } from './run/trial-database.ts'

export interface MeasureOptions {
  /** Opens an empty database; it is closed when all is measured. */
  readonly open: () => Promise<TrialDatabase>
  /** The same seed gives the same data and the same calls. */
  readonly seed?: number | undefined
  /** Of generated items, about. */
  readonly maxItems?: number | undefined
}

/** A model is run through its own client. For a description alone, such as an imported one, the client computes
 *  stand-ins where the model has functions. */
export type CheckedModel = AnyModel | ModelDescription

export function descriptionOf(subject: CheckedModel): ModelDescription {
  return 'definitions' in subject ? subject.description : subject
}

/** What was observed of a model on a real database. */
export interface ModelMeasurement {
  readonly patterns: readonly PatternMeasurement[]
  readonly entities: readonly EntityMeasurement[]
  readonly refusedTables: readonly RefusedTable[]
  readonly items: number
  readonly seed: number
}

/** The average size of an entity's items. */
export interface EntityMeasurement {
  readonly entity: string
  readonly itemBytes: number
  /** Guards and index items of one item. */
  readonly satellites: { readonly count: number; readonly bytes: number }
  /** By index: which share of the items it contains, and the size of an entry. */
  readonly indexes: readonly { readonly index: string; readonly share: number; readonly entryBytes: number }[]
}

const defaultItems = 4000
const entityBytes = 4 * 1024 * 1024

/** Creates the model's tables, fills them with generated data and runs every pattern, reads before writes. */
export async function measureModel(subject: CheckedModel, options: MeasureOptions): Promise<ModelMeasurement> {
  const model = descriptionOf(subject)
  const planned = 'definitions' in subject ? subject : describedModel(model)
  const seed = options.seed ?? 1
  const index = new ModelIndex(model)
  const random = seededRandom(seed)
  const bounds = { maxItems: options.maxItems ?? defaultItems, maxBytes: entityBytes }
  const generator = new DataGenerator(model, random, bounds, computeWith(planned.definitions))
  const items = generator.all()
  const database = await options.open()
  try {
    const { client } = database
    const refusedTables = await createTables(client, model)
    const refused = new Set(refusedTables.map(({ table }) => table))
    const present = items.filter(({ entity }) => !refused.has(entity.table))
    await loadItems(client, index, present)
    const trial = {
      client,
      model: index,
      generator,
      items: present,
      random,
      own: new RecordingClient(planned, client, random),
      lenient: new RecordingClient(withoutValidators(planned), client, random),
    }
    const measured = new Map<string, PatternMeasurement>()
    const isWrite = (operation: string): boolean => /Put|Update|Delete|TransactWrite/.test(operation)
    for (const pattern of [...model.patterns].toSorted(
      (a, b) => Number(isWrite(a.operation)) - Number(isWrite(b.operation)),
    )) {
      if (!refused.has(pattern.table)) measured.set(pattern.name, await measurePattern(trial, pattern))
    }
    return {
      patterns: model.patterns.flatMap(({ name }) => measured.get(name) ?? []),
      entities: model.entities.map((entity) => measureEntity(index, entity, items)),
      refusedTables,
      items: items.length,
      seed,
    }
  } finally {
    await database.close()
  }
}

function measureEntity(
  model: ModelIndex,
  entity: EntityDescription,
  all: readonly GeneratedItem[],
): EntityMeasurement {
  const items = all.filter((item) => item.entity === entity)
  const mean = (bytes: readonly number[]): number =>
    bytes.length === 0 ? 0 : bytes.reduce((total, each) => total + each, 0) / bytes.length
  const satellites = items.flatMap((item) => item.satellites.map(itemSizeBytes))
  const table = model.tableOf(entity)
  return {
    entity: entity.name,
    itemBytes: mean(items.map(({ stored }) => itemSizeBytes(stored))),
    satellites: { count: satellites.length / Math.max(1, items.length), bytes: mean(satellites) },
    indexes: entity.indexKeys.flatMap((key) => {
      const index = table.indexes.find(({ name }) => name === key.index)
      if (index === undefined) return []
      const indexed = items.filter(({ values }) => isInIndex(key, values))
      const entries = indexed.map(({ stored }) =>
        itemSizeBytes(indexEntry({ name: index.name, table, index }, stored)),
      )
      return [{ index: key.index, share: indexed.length / Math.max(1, items.length), entryBytes: mean(entries) }]
    }),
  }
}

/** What an index copies of an item. */
function indexEntry({ table, index }: Place, stored: StoredItem): StoredItem {
  if (index === undefined || index.projection.type === 'ALL') return stored
  const names = new Set([
    table.partitionKey.name,
    ...(table.sortKey === undefined ? [] : [table.sortKey.name]),
    ...[...index.partitionKeys, ...index.sortKeys].map(({ name }) => name),
    ...(index.projection.type === 'INCLUDE' ? index.projection.attributes : []),
  ])
  return Object.fromEntries(Object.entries(stored).filter(([name]) => names.has(name)))
}
