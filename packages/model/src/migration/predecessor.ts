import type { PlannedModel } from '../client/client-functions.ts'
import type { EntityDescription, TableDescription } from '../description.ts'
import type { EntityDefinition } from '../model/entity.ts'
import { withShards } from '../model/resolve-entity.ts'

/** The model as its entities were stored before; undefined if none of them says so (`was`). Its patterns are those of today. */
export function predecessorOf({ resolved, definitions }: PlannedModel): PlannedModel | undefined {
  if (resolved.entities.every(({ was }) => was === undefined)) return undefined
  return {
    resolved: { ...resolved, tables: resolved.tables.map(oldTable), entities: resolved.entities.map(oldEntity) },
    definitions: definitions.map((definition) => oldDefinition(definition, resolved.entities)),
  }
}

/** With what it has now as what it could have instead: both sides understand both. */
function oldTable(table: TableDescription): TableDescription {
  const { discriminator, discriminatorBefore } = table
  if (discriminatorBefore === undefined) return table
  return { ...table, discriminator: discriminatorBefore, discriminatorBefore: discriminator }
}

function oldEntity({ was, ...entity }: EntityDescription): EntityDescription {
  if (was === undefined) return entity
  const { table, key, indexKeys, shards, names } = was
  const attributes = entity.attributes.map((attribute) => {
    const storedName = names[attribute.name]
    const named = storedName === undefined ? attribute : { ...attribute, storedName }
    return withShards(named, shards[attribute.name])
  })
  return { ...entity, table, key, indexKeys, attributes }
}

function oldDefinition(definition: EntityDefinition, entities: readonly EntityDescription[]): EntityDefinition {
  const shards = entities.find(({ name }) => name === definition.name)?.was?.shards ?? {}
  if (Object.keys(shards).length === 0) return definition
  const attributes = [...definition.attributes].map(([name, attribute]) => {
    const count = shards[name]
    if (count === undefined || attribute.shard === undefined) return [name, attribute] as const
    const drawn = ({ random }: { random: () => number }): number => Math.floor(random() * count)
    const isDrawn = attribute.default !== undefined
    const shard = { ...attribute.shard, count }
    const changes = { shard, shardsBefore: attribute.shard.count }
    return [name, { ...attribute, ...changes, ...(isDrawn && { default: { value: drawn } }) }] as const
  })
  return { ...definition, attributes: new Map(attributes) }
}
