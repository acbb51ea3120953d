import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  EntityDescription,
  IndexKeyDescription,
  KeyDescription,
  KeyTemplateDescription,
  SatelliteDescription,
  TableDescription,
} from '../../description.ts'
import { keyText } from '../../keys/key-text.ts'
import { shardOf } from '../../keys/shard-of.ts'
import { isMet, primaryInputsOf, storedNameOf } from '../../model/parameters.ts'
import type { StoredItem } from '../item-size.ts'
import { holesOf } from '../model-index.ts'

/** The values of an entity's attributes, stored ones and derived ones, by name. */
export type Values = ReadonlyMap<string, AttributeValue>

/** The item as stored in the table: attributes, keys of the table and of its indexes, and the discriminator. */
export function storeItem(table: TableDescription, entity: EntityDescription, values: Values): StoredItem {
  const item: StoredItem = {}
  for (const attribute of entity.attributes) {
    const value = values.get(attribute.name)
    if (attribute.isStored && value !== undefined) item[attribute.storedName ?? attribute.name] = value
  }
  Object.assign(item, storeKey(entity.key, values))
  for (const key of entity.indexKeys) Object.assign(item, storeIndexKey(key, values))
  if (table.discriminator !== '') item[table.discriminator] = { S: entity.name }
  return item
}

/** The primary key; throws if a value is missing, since every item has one. */
function storeKey(key: KeyDescription, values: Values): StoredItem {
  const item: StoredItem = {}
  for (const template of key.sort === undefined ? [key.partition] : [key.partition, key.sort]) {
    const value = keyValue(template, values)
    if (value === undefined) throw new Error(`A value for the key ${template.text} is missing.`)
    item[template.attribute] = value
  }
  return item
}

/** Undefined if the item is not in the index. */
function storeIndexKey(key: IndexKeyDescription, values: Values): StoredItem {
  if (!isInIndex(key, values)) return {}
  const item: StoredItem = {}
  for (const template of [...key.partition, ...key.sort]) {
    const value = keyValue(template, values)
    if (value === undefined) return {}
    item[template.attribute] = value
  }
  return item
}

export function isInIndex(key: IndexKeyDescription, values: Values): boolean {
  return (
    (key.when ?? []).every((each) => isMet(each, values.get(each.attribute))) &&
    holesOf([...key.partition, ...key.sort]).every((attribute) => values.has(attribute))
  )
}

function keyValue(template: KeyTemplateDescription, values: Values): AttributeValue | undefined {
  if (template.isNative) {
    const [hole] = holesOf([template])
    return hole === undefined ? undefined : values.get(hole)
  }
  const text = keyText(template.parts, (attribute) => values.get(attribute))
  return text === undefined ? undefined : { S: text }
}

/** A guard or index item: its key, its owner's key attributes, and what it copies. */
export function storeSatellites(
  table: TableDescription,
  entity: EntityDescription,
  satellite: SatelliteDescription,
  values: Values,
): StoredItem[] {
  const versions = satellite.each === undefined ? [values] : eachOf(satellite.each, values)
  const isPresent = (each: Values): boolean => satellite.attributes.every((attribute) => each.has(attribute))
  return versions.filter(isPresent).map((each) => {
    const item: StoredItem = storeKey(satellite.key, each)
    for (const name of new Set([...primaryInputsOf(entity), ...satellite.attributes, ...satellite.include])) {
      const value = each.get(name)
      if (value !== undefined) item[storedNameOf(entity, name)] = value
    }
    if (table.discriminator !== '') item[table.discriminator] = { S: satellite.name }
    const ttl = entity.attributes.find(({ type }) => type === 'ttl')?.name
    const expiry = ttl === undefined ? undefined : each.get(ttl)
    if (ttl !== undefined && expiry !== undefined) item[storedNameOf(entity, ttl)] = expiry
    return item
  })
}

/** One set of values for each element of the set or list. */
function eachOf(attribute: string, values: Values): Values[] {
  return elementsIn(values.get(attribute)).map((element) => new Map([...values, [attribute, element]]))
}

function elementsIn(value: AttributeValue | undefined): readonly AttributeValue[] {
  if (value?.SS !== undefined) return value.SS.map((text) => ({ S: text }))
  if (value?.NS !== undefined) return value.NS.map((text) => ({ N: text }))
  return value?.L ?? []
}

/** Derives the shards that are hashes of other attributes. */
export function withShards(entity: EntityDescription, values: Map<string, AttributeValue>): Values {
  for (const { name, shard } of entity.attributes) {
    if (shard?.by === undefined) continue
    const source = values.get(shard.by)
    const text = source?.S ?? source?.N ?? (source?.BOOL === undefined ? undefined : String(source.BOOL))
    if (text !== undefined) values.set(name, { N: String(shardOf(text, shard.count)) })
  }
  return values
}
