import type {
  AttributeDescription,
  EntityDescription,
  IndexKeyDescription,
  KeyDescription,
  KeyTemplateDescription,
  PredecessorDescription,
  SatelliteDescription,
  ValueDescription,
  WhenDescription,
} from '../description.ts'
import type { AttributeDefinition } from '../schema/attribute.ts'
import type { EntityDefinition, IndexDefinition, SatelliteDefinition } from './entity.ts'
import { holesOf, nativeTemplate, resolveTemplate } from './resolve-template.ts'
import type { TemplateOwner } from './resolve-template.ts'
import type { TableConfig } from './table-config.ts'
import { defined } from './defined.ts'
import { unsound } from './unsound.ts'

/** An entity as plain data, its templates parsed and its key attributes named. */
export function resolveEntity(
  definition: EntityDefinition,
  table: TableConfig,
  tableBefore: TableConfig = table,
): EntityDescription {
  const owner = ownerOf(definition)
  if (definition.key === undefined) throw unsound(definition.name)
  const key = resolveKey(owner, definition.key, table)
  const indexKeys = definition.indexes.map((index) => resolveIndexKey(owner, index, key, table))
  const { name, volume, description } = definition
  return defined({
    name,
    table: definition.table,
    attributes: [...owner.attributes.values()],
    key,
    sharesKeys: definition.sharesKeys === true ? true : undefined,
    indexKeys,
    was: resolvePredecessor(definition, owner, { key, indexKeys }, table, tableBefore),
    satellites: definition.satellites.map((satellite) => resolveSatellite(owner, satellite, key, table)),
    volume,
    description,
    owner: definition.owner,
  })
}

export function ownerOf({ name, attributes }: EntityDefinition): TemplateOwner {
  return { name, attributes: new Map([...attributes].map(([each, of]) => [each, describeAttribute(each, of)])) }
}

/** Only if a part of the entity says what it was before. */
function resolvePredecessor(
  definition: EntityDefinition,
  owner: TemplateOwner,
  now: Pick<PredecessorDescription, 'key' | 'indexKeys'>,
  table: TableConfig,
  tableBefore: TableConfig,
): PredecessorDescription | undefined {
  const shards = [...definition.attributes].flatMap(([name, { shardsBefore }]) =>
    shardsBefore === undefined ? [] : [[name, shardsBefore] as const],
  )
  const names = Object.fromEntries(
    [...definition.attributes].flatMap(([name, { nameBefore }]) =>
      nameBefore === undefined ? [] : [[name, nameBefore]],
    ),
  )
  const { key, indexes, tableBefore: from = definition.table } = definition
  const isSame =
    shards.length === 0 &&
    Object.keys(names).length === 0 &&
    table.was === undefined &&
    key?.was === undefined &&
    from === definition.table &&
    indexes.every(({ was }) => was === undefined)
  if (isSame || key === undefined) return undefined
  const counts = Object.fromEntries(shards)
  const attributes = new Map(
    [...owner.attributes].map(([name, attribute]) => [name, withShards(attribute, counts[name])]),
  )
  const before: TemplateOwner = { name: owner.name, attributes }
  const oldKey =
    key.was === undefined && tableBefore === table
      ? now.key
      : resolveKey(before, { pk: key.was?.pk ?? key.pk, sk: key.was?.sk ?? key.sk }, tableBefore)
  const oldIndexKeys = indexes.map((index, i) => {
    const known = now.indexKeys[i]
    if (known !== undefined && index.was === undefined && shards.length === 0 && index.pk !== undefined)
      return known
    const { pk = index.pk, sk = index.sk } = index.was ?? {}
    return resolveIndexKey(before, { ...index, pk, sk }, oldKey, table)
  })
  return { table: from, key: oldKey, indexKeys: oldIndexKeys, shards: counts, names }
}

/** An attribute with another number of shards. */
export function withShards(attribute: AttributeDescription, count: number | undefined): AttributeDescription {
  return count === undefined || attribute.shard === undefined
    ? attribute
    : { ...attribute, shard: { ...attribute.shard, count } }
}

function describeAttribute(name: string, definition: AttributeDefinition): AttributeDescription {
  const value = definition.default?.value
  const { isOptional = false, isReadOnly = false, onWrite, computed, description } = definition
  return defined({
    name,
    storedName: definition.storedName === name ? undefined : definition.storedName,
    readNames:
      definition.nameBefore === undefined ? undefined : [definition.nameBefore, definition.storedName ?? name],
    ...describeValue(definition),
    isOptional,
    isReadOnly,
    isStored: definition.shard?.by === undefined,
    hasDefault: definition.default !== undefined || onWrite !== undefined,
    isSetOnWrite: onWrite === undefined ? undefined : true,
    defaultValue: isPlain(value) ? value : undefined,
    computedFrom: computed?.from,
    description,
  })
}

/** What JSON holds as it is. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value)
      ? value.every(isPlain)
      : value.constructor === Object && Object.values(value).every(isPlain)
  }
  return isScalar(value)
}

function describeFields(fields: Readonly<Record<string, AttributeDefinition>>): readonly AttributeDescription[] {
  return Object.entries(fields).map(([name, field]) => describeAttribute(name, field))
}

function describeValue(definition: AttributeDefinition): ValueDescription {
  const { type, storedAs, values, element, fields, variants, precision, readAs, shard, range } = definition
  const { sizeBytes, count, distinct } = definition
  return defined({
    type,
    storedAs,
    values,
    element: element && describeValue(element),
    fields: fields && describeFields(fields),
    variants: variants && {
      tag: variants.tag,
      of: Object.entries(variants.of).map(([name, of]) => ({ name, fields: describeFields(of) })),
    },
    precision,
    readAs,
    shard,
    range,
    sizeBytes,
    count,
    distinct,
    isValidated: definition.validator === undefined ? undefined : true,
  })
}

export function resolveKey(
  owner: TemplateOwner,
  key: { readonly pk: string; readonly sk: string | undefined },
  table: TableConfig,
): KeyDescription {
  const partition = resolveTemplate(owner, key.pk, table.pk ?? 'pk')
  if (key.sk === undefined) return { partition }
  return { partition, sort: resolveTemplate(owner, key.sk, table.sk ?? 'sk') }
}

export function resolveIndexKey(
  owner: TemplateOwner,
  index: IndexDefinition,
  key: KeyDescription,
  table: TableConfig,
): IndexKeyDescription {
  const config = table.indexes?.[index.name] ?? {}
  const templates = (text: IndexDefinition['pk'], attribute: string): readonly KeyTemplateDescription[] => {
    if (text === undefined) return []
    if (typeof text === 'string') return [resolveTemplate(owner, text, attribute)]
    return text.map((name) => nativeTemplate(owner, name))
  }
  const partition = index.pk === undefined ? [key.partition] : templates(index.pk, config.pk ?? `${index.name}pk`)
  const sort = templates(index.sk, config.sk ?? `${index.name}sk`)
  const when = Object.entries(index.when).map(([attribute, values]): WhenDescription => ({
    attribute,
    values: valuesOf(values).filter(isScalar),
  }))
  const sharding = holesOf(partition)
    .map((hole) => owner.attributes.get(hole))
    .find((attribute) => attribute?.shard !== undefined)
  return defined({
    index: index.name,
    partition,
    sort,
    when: when.length > 0 ? when : undefined,
    shards: sharding?.shard && { ...sharding.shard, attribute: sharding.name },
  })
}

/** What `when` says of an attribute: one value, or several. */
export function valuesOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [given]
}

export function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function resolveSatellite(
  owner: TemplateOwner,
  satellite: SatelliteDefinition,
  key: KeyDescription,
  table: TableConfig,
): SatelliteDescription {
  const partition = resolveTemplate(owner, satellite.pk, table.pk ?? 'pk')
  const hasSort = key.sort !== undefined && satellite.sk !== undefined
  const sort = hasSort ? resolveTemplate(owner, satellite.sk ?? '', table.sk ?? 'sk') : undefined
  const holes = [...new Set(holesOf(sort === undefined ? [partition] : [partition, sort]))]
  return defined({
    kind: satellite.kind,
    name: satellite.name,
    attributes: satellite.attributes ?? holes,
    key: defined({ partition, sort }),
    each: satellite.each,
    include: satellite.include,
  })
}
