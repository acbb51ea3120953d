import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { SatelliteDescription } from '../description.ts'
import { keyText } from '../keys/key-text.ts'
import { primaryInputsOf } from '../model/parameters.ts'
import { holesOf } from '../model/resolve-template.ts'
import { codecOf } from '../schema/codec.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'

/** A guard or index item that goes with an item. */
export interface Satellite {
  readonly described: SatelliteDescription
  readonly key: StoredItem
  readonly item: StoredItem
}

/** All satellites of a stored item, by their key. */
export function satellitesOf(
  entity: EntityRuntime,
  stored: StoredItem | undefined,
): ReadonlyMap<string, Satellite> {
  const satellites = new Map<string, Satellite>()
  if (stored === undefined) return satellites
  for (const described of entity.described.satellites) {
    for (const view of viewsOf(described, stored)) {
      const satellite = satelliteOf(entity, described, view)
      if (satellite !== undefined) satellites.set(JSON.stringify(satellite.key), satellite)
    }
  }
  return satellites
}

/** The attributes a satellite depends on, so that an update knows whether it is concerned. */
export function satelliteSources(entity: EntityRuntime): ReadonlySet<string> {
  return new Set(
    entity.described.satellites.flatMap(({ attributes, include, key }) => [
      ...attributes,
      ...include,
      ...holesOf(key.sort === undefined ? [key.partition] : [key.partition, key.sort]),
      ...(entity.ttlAttribute === undefined ? [] : [entity.ttlAttribute]),
    ]),
  )
}

/** The item once for each element of `each`, with the element in its place. */
function viewsOf({ each }: SatelliteDescription, stored: StoredItem): readonly StoredItem[] {
  if (each === undefined) return [stored]
  const value = stored[each]
  const elements: readonly AttributeValue[] =
    value?.L ?? value?.SS?.map((S) => ({ S })) ?? value?.NS?.map((N) => ({ N })) ?? []
  return elements.map((element) => ({ ...stored, [each]: element }))
}

function satelliteOf(
  entity: EntityRuntime,
  described: SatelliteDescription,
  view: StoredItem,
): Satellite | undefined {
  const valueOf = entity.valuesIn(view)
  if (described.attributes.some((attribute) => valueOf(attribute) === undefined)) return undefined
  const { partition, sort } = described.key
  const partitionText = keyText(partition.parts, valueOf)
  const sortText = sort === undefined ? '' : keyText(sort.parts, valueOf)
  if (partitionText === undefined || sortText === undefined) return undefined
  const key: StoredItem = { [partition.attribute]: { S: partitionText } }
  if (sort !== undefined) key[sort.attribute] = { S: sortText }
  const { discriminator } = entity.table
  const item: StoredItem = { ...key, ...(discriminator !== '' && { [discriminator]: { S: described.name } }) }
  for (const name of attributesIn(entity, described)) {
    const value = view[name]
    if (value !== undefined) item[name] = value
  }
  // It expires with its owner: the value of an expired item is free again.
  const expiry = entity.ttlAttribute === undefined ? undefined : view[entity.ttlAttribute]
  if (entity.ttlAttribute !== undefined && expiry !== undefined) item[entity.ttlAttribute] = expiry
  return { described, key, item }
}

/** The owner's key, the satellite's own, and what it is asked to copy. */
function attributesIn(entity: EntityRuntime, { attributes, include }: SatelliteDescription): ReadonlySet<string> {
  return new Set([...primaryInputsOf(entity.described), ...attributes, ...include])
}

export function decodeSatellite(
  entity: EntityRuntime,
  described: SatelliteDescription,
  given: StoredItem,
): PlainItem {
  const item: PlainItem = {}
  const stored = entity.fromStored(given)
  for (const name of attributesIn(entity, described)) {
    const value = stored[name]
    if (value === undefined) continue
    const { codec, definition } = entity.attribute(name)
    const isElement = name === described.each && definition.element !== undefined
    item[name] = (isElement && definition.element !== undefined ? codecOf(definition.element) : codec).decode(
      value,
      name,
    )
  }
  return item
}
