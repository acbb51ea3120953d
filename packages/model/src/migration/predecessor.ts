import type { PlannedModel } from '../client/client-functions.ts'
import type { EntityDescription } from '../description.ts'
import type { EntityDefinition } from '../model/entity.ts'
import { withShards } from '../model/resolve-entity.ts'

/** The model as its entities were stored before; undefined if none of them says so (`was`). Its patterns are those of today. */
export function predecessorOf({ resolved, definitions }: PlannedModel): PlannedModel | undefined {
  if (resolved.entities.every(({ was }) => was === undefined)) return undefined
  return {
    resolved: { ...resolved, entities: resolved.entities.map(oldEntity) },
    definitions: definitions.map((definition) => oldDefinition(definition, resolved.entities)),
  }
}

function oldEntity({ was, ...entity }: EntityDescription): EntityDescription {
  if (was === undefined) return entity
  const { table, key, indexKeys, shards } = was
  const attributes = entity.attributes.map((attribute) => withShards(attribute, shards[attribute.name]))
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
