import type {
  EntityDescription,
  IndexDescription,
  IndexKeyDescription,
  KeyAttributeDescription,
  KeyTemplateDescription,
  ProjectionDescription,
  TableDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import type { IndexConfig, TableConfig } from './table-config.ts'
import { defined } from './defined.ts'

/** A table: what the model says of it, and what its entities' keys make of it. */
export function resolveTable(
  id: string,
  name: string,
  config: TableConfig,
  entities: readonly EntityDescription[],
): TableDescription {
  const [first] = entities
  if (first === undefined)
    throw invalid(`The table ${id} has no entities. Remove it, or put an entity in it with .in('${id}')`)
  const partitionKey = keyAttribute(first.key.partition)
  const sortKey = first.key.sort === undefined ? undefined : keyAttribute(first.key.sort)
  for (const entity of entities) {
    assertSame(entity, `table ${id}`, [partitionKey], [keyAttribute(entity.key.partition)])
    const sort = entity.key.sort === undefined ? [] : [keyAttribute(entity.key.sort)]
    assertSame(entity, `table ${id}`, sortKey === undefined ? [] : [sortKey], sort)
  }
  const { stream, pointInTimeRecovery, deletionProtection, tableClass, global, description } = config
  return defined({
    id,
    name: config.name ?? name,
    partitionKey,
    sortKey,
    indexes: resolveIndexes(config, entities, sortKey !== undefined),
    discriminator: discriminatorOf(config),
    discriminatorBefore: config.was && discriminatorOf(config.was),
    ttlAttribute: ttlAttributeOf(id, entities),
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

function resolveIndexes(
  config: TableConfig,
  entities: readonly EntityDescription[],
  hasSortKey: boolean,
): readonly IndexDescription[] {
  const indexes = new Map<string, IndexDescription>()
  for (const entity of entities) {
    for (const key of entity.indexKeys) {
      const index = describeIndex(entity, key, config.indexes?.[key.index] ?? {}, config)
      const known = indexes.get(key.index)
      if (known === undefined) indexes.set(key.index, index)
      else {
        assertSame(entity, `index ${key.index}`, known.partitionKeys, index.partitionKeys)
        assertSame(entity, `index ${key.index}`, known.sortKeys, index.sortKeys)
      }
      if (index.kind === 'local' && !hasSortKey) {
        throw invalid(
          `The index ${key.index} of ${entity.name} is a local secondary index, but its table has no sort key. Give it a pk`,
        )
      }
    }
  }
  const unused = Object.keys(config.indexes ?? {}).find((name) => !indexes.has(name))
  if (unused !== undefined) {
    throw invalid(`No entity is in the index ${unused}. Add .index('${unused}', …) to one, or remove the index`)
  }
  return [...indexes.values()]
}

function describeIndex(
  entity: EntityDescription,
  key: IndexKeyDescription,
  config: IndexConfig,
  table: TableConfig,
): IndexDescription {
  // An index key without a partition of its own has the very template of the table.
  const isLocal = key.partition[0] === entity.key.partition
  return {
    name: key.index,
    kind: isLocal ? 'local' : 'global',
    partitionKeys: key.partition.map(keyAttribute),
    sortKeys: key.sort.map(keyAttribute),
    projection: describeProjection(config.projection ?? 'ALL', table, entity),
  }
}

function describeProjection(
  projection: NonNullable<IndexConfig['projection']>,
  table: TableConfig,
  { attributes }: EntityDescription,
): ProjectionDescription {
  if (projection === 'ALL' || projection === 'KEYS_ONLY') return { type: projection }
  // Without it, nobody could tell the entities in the index apart.
  const own = discriminatorOf(table)
  const stored = projection.map((name) => attributes.find((each) => each.name === name)?.storedName ?? name)
  return { type: 'INCLUDE', attributes: [...new Set(own === '' ? stored : [own, ...stored])] }
}

function ttlAttributeOf(id: string, entities: readonly EntityDescription[]): string | undefined {
  const names = new Set(
    entities.flatMap(({ attributes }) =>
      attributes.flatMap(({ name, storedName, type }) => (type === 'ttl' ? [storedName ?? name] : [])),
    ),
  )
  if (names.size > 1) {
    throw invalid(
      `The table ${id} has the TTL attributes ${[...names].join(' and ')}. A table can have only one. Give them the same name`,
    )
  }
  const [name] = names
  return name
}

function keyAttribute({ attribute, storedAs }: KeyTemplateDescription): KeyAttributeDescription {
  return { name: attribute, type: storedAs }
}

function assertSame(
  entity: EntityDescription,
  place: string,
  expected: readonly KeyAttributeDescription[],
  found: readonly KeyAttributeDescription[],
): void {
  const text = (keys: readonly KeyAttributeDescription[]): string =>
    keys.length === 0 ? 'none' : keys.map(({ name, type }) => `${name} (${type})`).join(', ')
  if (text(expected) === text(found)) return
  throw invalid(
    `In the ${place}, ${entity.name} has different keys from the entities before it: ${text(found)} instead of ${text(expected)}. All items in a table or index must have the same key attributes`,
  )
}

function invalid(fault: string): ModelError {
  return new ModelError('INVALID_MODEL', `${fault}.`)
}
