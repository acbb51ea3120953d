import type { EntityDescription, IndexDescription, KeyAttributeDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { describeIndex, keyAttribute, ttlAttributesOf } from './resolve-tables.ts'
import type { TableConfig } from './table-config.ts'

/** What is wrong with a table: its entities must have the same key attributes in it and in its indexes. */
export function checkTable(id: string, config: TableConfig, entities: readonly EntityDescription[]): void {
  const [first] = entities
  if (first === undefined)
    throw invalid(`The table ${id} has no entities. Remove it, or put an entity in it with .in('${id}')`)
  for (const entity of entities) assertSame(entity, `table ${id}`, keysOf(first), keysOf(entity))
  checkIndexes(config, entities)
  const ttl = ttlAttributesOf(entities)
  if (ttl.length <= 1) return
  throw invalid(
    `The table ${id} has the TTL attributes ${ttl.join(' and ')}. A table can have only one. Give them the same name`,
  )
}

function keysOf({ key }: EntityDescription): Keys {
  return [[keyAttribute(key.partition)], key.sort === undefined ? [] : [keyAttribute(key.sort)]]
}

function checkIndexes(config: TableConfig, entities: readonly EntityDescription[]): void {
  const indexes = new Map<string, IndexDescription>()
  for (const entity of entities) {
    for (const key of entity.indexKeys) {
      const index = describeIndex(entity, key, config, entities)
      const known = indexes.get(key.index) ?? index
      indexes.set(key.index, known)
      const place = `index ${key.index}`
      assertSame(entity, place, [known.partitionKeys, known.sortKeys], [index.partitionKeys, index.sortKeys])
      if (index.kind === 'local' && entity.key.sort === undefined) {
        throw invalid(
          `The index ${key.index} of ${entity.name} is a local secondary index, but its table has no sort key. Give it a pk`,
        )
      }
    }
  }
  const unused = Object.keys(config.indexes ?? {}).find((name) => !indexes.has(name))
  if (unused === undefined) return
  throw invalid(`No entity is in the index ${unused}. Add .index('${unused}', …) to one, or remove the index`)
}

/** Those of the partition, and those of the order in it. */
type Keys = readonly [readonly KeyAttributeDescription[], readonly KeyAttributeDescription[]]

function assertSame({ name }: EntityDescription, place: string, expected: Keys, found: Keys): void {
  const text = (keys: readonly KeyAttributeDescription[]): string =>
    keys.length === 0 ? 'none' : keys.map((key) => `${key.name} (${key.type})`).join(', ')
  for (const i of [0, 1] as const) {
    const [should, does] = [text(expected[i]), text(found[i])]
    if (should === does) continue
    throw invalid(
      `In the ${place}, ${name} has different keys from the entities before it: ${does} instead of ${should}. All items in a table or index must have the same key attributes`,
    )
  }
}

function invalid(fault: string): ModelError {
  return new ModelError('INVALID_MODEL', `${fault}.`)
}
