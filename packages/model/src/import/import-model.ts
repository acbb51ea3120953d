import type { EntityDescription, IndexDescription, ModelDescription, TableDescription } from '../description.ts'
import { distinctNames } from '../export/source-text.ts'
import { describeModel } from '../model/describe-model.ts'
import { inferEntities } from './infer-entities.ts'
import { inferPatterns } from './infer-patterns.ts'
import type { RawModel, RawTable } from './raw-model.ts'

export interface ImportedModel {
  readonly description: ModelDescription
  /** What could not be carried over, or was guessed: for a person to read. */
  readonly notes: readonly string[]
}

export interface ImportOptions {
  /** Items that do not say what they are stay as they are, and are told apart by their keys. */
  readonly isByKey?: boolean
}

/** Finds the entities and patterns of a model that has only tables and data. */
export function importModel(raw: RawModel, { isByKey = false }: ImportOptions = {}): ImportedModel {
  const notes: string[] = []
  const rawTables = withDistinctIndexes(raw.tables, notes)
  const ids = rawTables.length === 1 ? ['main'] : distinctNames(rawTables, ({ name }) => name)
  const inferred = rawTables.map((table, i) => {
    const found = inferEntities(table, ids[i] ?? '')
    notes.push(...found.notes)
    if (found.discriminator === undefined && !isByKey && table.groups.some(({ items }) => items.length > 0)) {
      notes.push(
        `Items in ${table.name} do not say which entity they are. This library writes an attribute "entity" to new items. Add it to existing items before you read them with this library.`,
      )
    }
    return found
  })
  const tables = rawTables.map((table, i) =>
    describedTable(table, ids[i] ?? '', inferred[i]?.discriminator ?? (isByKey ? '' : 'entity')),
  )
  const names = distinctNames(
    inferred.flatMap(({ entities }) => entities),
    ({ name }) => name,
  )
  const entities = inferred
    .flatMap(({ entities }) => entities)
    .map((entity, i): EntityDescription => ({ ...entity, name: names[i] ?? entity.name }))
  const model = describeModel(raw, { tables, entities, patterns: [] })
  return { description: { ...model, patterns: inferPatterns(model, raw.patterns, notes) }, notes }
}

function describedTable(table: RawTable, id: string, discriminator: string): TableDescription {
  const { name, partitionKey, sortKey, indexes, billing, stream, deletionProtection, tableClass } = table
  return {
    id,
    name,
    partitionKey,
    ...(sortKey !== undefined && { sortKey }),
    indexes,
    discriminator,
    billing,
    ...(stream !== undefined && { stream }),
    ...(deletionProtection !== undefined && { deletionProtection }),
    ...(tableClass !== undefined && { tableClass }),
  }
}

/** Patterns name an index without its table, so no two may be called the same. */
function withDistinctIndexes(tables: readonly RawTable[], notes: string[]): readonly RawTable[] {
  const taken = new Set<string>()
  return tables.map((table) => ({
    ...table,
    indexes: table.indexes.map((index): IndexDescription => {
      const { name } = index
      if (!taken.has(name)) {
        taken.add(name)
        return index
      }
      const renamed = `${table.name}-${name}`
      taken.add(renamed)
      notes.push(`Two tables have an index ${name}; the one of ${table.name} was renamed ${renamed}.`)
      return { ...index, name: renamed }
    }),
  }))
}
