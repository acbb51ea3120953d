import type {
  EntityDescription,
  IndexDescription,
  IndexKeyDescription,
  KeyAttributeDescription,
  KeyTemplateDescription,
  ProjectionDescription,
  TableDescription,
} from '../description.ts'
import type { IndexConfig, TableConfig } from './table-config.ts'
import { defined } from './defined.ts'
import { unsound } from './unsound.ts'

/** A table: what the model says of it, and what its entities' keys make of it. */
export function resolveTable(
  id: string,
  name: string,
  config: TableConfig,
  entities: readonly EntityDescription[],
): TableDescription {
  const [first] = entities
  if (first === undefined) throw unsound(id)
  const partitionKey = keyAttribute(first.key.partition)
  const sortKey = first.key.sort === undefined ? undefined : keyAttribute(first.key.sort)
  const { stream, pointInTimeRecovery, deletionProtection, tableClass, global, description } = config
  return defined({
    id,
    name: config.name ?? name,
    partitionKey,
    sortKey,
    indexes: resolveIndexes(config, entities),
    discriminator: discriminatorOf(config),
    discriminatorBefore: config.was && discriminatorOf(config.was),
    ttlAttribute: ttlAttributesOf(entities)[0],
    billing: config.billing ?? { mode: 'on-demand' },
    stream,
    pointInTimeRecovery,
    deletionProtection,
    tableClass,
    global,
    description,
  })
}

/** The attribute that says what an item is; empty where keys alone do. */
export function discriminatorOf({ discriminator = 'entity' }: Pick<TableConfig, 'discriminator'>): string {
  return discriminator === 'by-key' ? '' : discriminator
}

function resolveIndexes(config: TableConfig, entities: readonly EntityDescription[]): readonly IndexDescription[] {
  const indexes = new Map<string, IndexDescription>()
  for (const entity of entities) {
    for (const key of entity.indexKeys) {
      if (!indexes.has(key.index)) indexes.set(key.index, describeIndex(entity, key, config, entities))
    }
  }
  return [...indexes.values()]
}

/** The index as a key in it says. `entities` are all that may be in it. */
export function describeIndex(
  entity: EntityDescription,
  key: IndexKeyDescription,
  table: TableConfig,
  entities: readonly EntityDescription[],
): IndexDescription {
  const { projection = 'ALL' } = table.indexes?.[key.index] ?? {}
  const inside = entities.filter(({ indexKeys }) => indexKeys.some(({ index }) => index === key.index))
  // An index key without a partition of its own has the very template of the table.
  const isLocal = key.partition[0] === entity.key.partition
  return {
    name: key.index,
    kind: isLocal ? 'local' : 'global',
    partitionKeys: key.partition.map(keyAttribute),
    sortKeys: key.sort.map(keyAttribute),
    projection: describeProjection(projection, table, inside),
  }
}

function describeProjection(
  projection: NonNullable<IndexConfig['projection']>,
  table: TableConfig,
  entities: readonly EntityDescription[],
): ProjectionDescription {
  if (projection === 'ALL' || projection === 'KEYS_ONLY') return { type: projection }
  // Without it, nobody could tell the entities in the index apart.
  const own = [table, table.was ?? table].map(discriminatorOf).filter((name) => name !== '')
  // What two entities call the same may be called differently on disk, and some items may still have the name of before.
  const stored = projection.flatMap((name) => {
    const known = entities.flatMap(({ attributes }) => attributes.filter((each) => each.name === name))
    return known.length === 0
      ? [name]
      : known.flatMap(({ storedName = name, readNames = [] }) => [storedName, ...readNames])
  })
  return { type: 'INCLUDE', attributes: [...new Set([...own, ...stored])] }
}

/** There can be only one. */
export function ttlAttributesOf(entities: readonly EntityDescription[]): readonly string[] {
  const names = entities.flatMap(({ attributes }) =>
    attributes.flatMap(({ name, storedName, type }) => (type === 'ttl' ? [storedName ?? name] : [])),
  )
  return [...new Set(names)]
}

export function keyAttribute({ attribute, storedAs }: KeyTemplateDescription): KeyAttributeDescription {
  return { name: attribute, type: storedAs }
}
