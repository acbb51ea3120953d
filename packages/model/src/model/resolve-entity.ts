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
import { holesOf, invalid, nativeTemplate, resolveTemplate } from './resolve-template.ts'
import type { TemplateOwner } from './resolve-template.ts'
import type { TableConfig } from './table-config.ts'
import { defined } from './defined.ts'
import { discriminatorOf } from './resolve-tables.ts'

/** An entity as plain data, its templates parsed and its key attributes named. */
export function resolveEntity(
  definition: EntityDefinition,
  table: TableConfig,
  tableBefore: TableConfig = table,
): EntityDescription {
  const attributes = [...definition.attributes].map(([name, attribute]) => describeAttribute(name, attribute))
  const owner: TemplateOwner = {
    name: definition.name,
    attributes: new Map(attributes.map((attribute) => [attribute.name, attribute])),
  }
  const discriminator = discriminatorOf(table)
  if (owner.attributes.has(discriminator)) {
    throw invalid(
      owner,
      `has an attribute ${discriminator}, which its table uses to store the entity's name. Rename one of them`,
    )
  }
  checkSources(owner, attributes)
  checkStoredNames(owner, attributes)
  if (definition.key === undefined) throw invalid(owner, 'has no key. Add .key({ pk, sk })')
  if (definition.sharesKeys === true && discriminator === '')
    throw invalid(
      owner,
      `shares its keys with others, so an attribute must say which entity an item is. Give its table a discriminator`,
    )
  const key = resolveKey(owner, definition.key, table)
  const indexKeys = definition.indexes.map((index) => resolveIndexKey(owner, index, key, table))
  checkOneTemplateEach(owner, key, indexKeys)
  const templates = [
    key.partition,
    ...(key.sort ? [key.sort] : []),
    ...indexKeys.flatMap((each) => [...each.partition, ...each.sort]),
  ]
  checkNotReserved(owner, new Set([discriminator, ...templates.map(({ attribute }) => attribute)]))
  const { name, volume, description } = definition
  return defined({
    name,
    table: definition.table,
    attributes,
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
  checkOneTemplateEach(before, oldKey, oldIndexKeys)
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
  return ['string', 'number', 'boolean'].includes(typeof value)
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

/** No two attributes can be stored under one name, and none under the model's name of another: items would be misread. */
function checkStoredNames(owner: TemplateOwner, attributes: readonly AttributeDescription[]): void {
  const names = attributes.map(({ name, storedName }) => storedName ?? name)
  for (const { name, storedName, readNames: [before] = [] } of attributes) {
    const isTaken =
      storedName !== undefined &&
      (owner.attributes.has(storedName) || names.indexOf(storedName) !== names.lastIndexOf(storedName))
    const taken = isTaken ? storedName : names.find((each) => each === before)
    if (taken !== undefined)
      throw invalid(owner, `stores ${name} as ${taken}, which is also another attribute. Choose another name`)
  }
}

/** Nor under the name of a key attribute or of the discriminator. */
function checkNotReserved(owner: TemplateOwner, reserved: ReadonlySet<string>): void {
  for (const { name, storedName, readNames = [] } of owner.attributes.values()) {
    const taken = [storedName, ...readNames].find((each) => each !== undefined && reserved.has(each))
    if (taken === undefined) continue
    throw invalid(
      owner,
      `stores ${name} as ${taken}, which its table uses for keys or for the entity's name. Choose another name`,
    )
  }
}

function checkSources(owner: TemplateOwner, attributes: readonly AttributeDescription[]): void {
  for (const { name, computedFrom, shard } of attributes) {
    for (const source of computedFrom ?? (shard?.by === undefined ? [] : [shard.by])) {
      const from = owner.attributes.get(source)
      if (from === undefined)
        throw invalid(owner, `computes ${name} from ${source}, which is not one of its attributes`)
      if (from.computedFrom !== undefined || !from.isStored) {
        throw invalid(
          owner,
          `computes ${name} from ${source}, which is itself computed. Name the attributes that ${source} is computed from`,
        )
      }
    }
  }
}

function resolveKey(
  owner: TemplateOwner,
  key: { readonly pk: string; readonly sk: string | undefined },
  table: TableConfig,
): KeyDescription {
  const partition = resolveTemplate(owner, key.pk, table.pk ?? 'pk')
  if (key.sk === undefined) return { partition }
  return { partition, sort: resolveTemplate(owner, key.sk, table.sk ?? 'sk') }
}

function resolveIndexKey(
  owner: TemplateOwner,
  index: IndexDefinition,
  key: KeyDescription,
  table: TableConfig,
): IndexKeyDescription {
  const config = table.indexes?.[index.name] ?? {}
  const templates = (text: IndexDefinition['pk'], attribute: string): readonly KeyTemplateDescription[] => {
    if (text === undefined) return []
    if (typeof text === 'string') return [resolveTemplate(owner, text, attribute)]
    if (text.length === 0 || text.length > 4)
      throw invalid(owner, `has ${text.length} attributes in one key of ${index.name}. DynamoDB allows one to four`)
    return text.map((name) => nativeTemplate(owner, name))
  }
  const partition = index.pk === undefined ? [key.partition] : templates(index.pk, config.pk ?? `${index.name}pk`)
  const sort = templates(index.sk, config.sk ?? `${index.name}sk`)
  if (index.pk === undefined && sort.length !== 1) {
    throw invalid(
      owner,
      `has no key in the index ${index.name}. Give it a pk, or an sk for a local secondary index`,
    )
  }
  if (Object.keys(index.when).length > 0 && [...partition, ...sort].every(({ isNative }) => isNative)) {
    throw invalid(
      owner,
      `could never leave the index ${index.name}, because its keys are plain attributes of the entity. Use a template for one of them`,
    )
  }
  const when = Object.entries(index.when).map(([attribute, values]) => resolveWhen(owner, index, attribute, values))
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

function resolveWhen(
  owner: TemplateOwner,
  index: IndexDefinition,
  attribute: string,
  given: unknown,
): WhenDescription {
  if (!owner.attributes.has(attribute))
    throw invalid(owner, `has no attribute ${attribute}, which ${index.name} depends on`)
  const values: readonly unknown[] = Array.isArray(given) ? given : [given]
  return {
    attribute,
    values: values.map((value) => {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
      throw invalid(
        owner,
        `is in ${index.name} when ${attribute} is a ${typeof value}. Only strings, numbers and booleans are allowed`,
      )
    }),
  }
}

/** One attribute cannot hold two keys. */
function checkOneTemplateEach(
  owner: TemplateOwner,
  key: KeyDescription,
  indexKeys: readonly IndexKeyDescription[],
): void {
  const texts = new Map<string, string>()
  const all = [key.partition, ...(key.sort === undefined ? [] : [key.sort])]
  for (const { partition, sort } of indexKeys) all.push(...partition, ...sort)
  for (const { attribute, text } of all) {
    const other = texts.get(attribute)
    if (other !== undefined && other !== text) {
      throw invalid(
        owner,
        `would store both '${other}' and '${text}' in ${attribute}. Give one of the indexes different key attributes`,
      )
    }
    texts.set(attribute, text)
  }
}

function resolveSatellite(
  owner: TemplateOwner,
  satellite: SatelliteDefinition,
  key: KeyDescription,
  table: TableConfig,
): SatelliteDescription {
  if (key.partition.isNative || key.sort?.isNative === true) {
    throw invalid(
      owner,
      `needs a second item, ${satellite.name}, in a table whose key is a plain attribute of the entity. Give the table separate key attributes, such as pk and sk`,
    )
  }
  const partition = resolveTemplate(owner, satellite.pk, table.pk ?? 'pk', satellite.each)
  const hasSort = key.sort !== undefined && satellite.sk !== undefined
  const sort = hasSort ? resolveTemplate(owner, satellite.sk ?? '', table.sk ?? 'sk', satellite.each) : undefined
  if (key.sort !== undefined && sort === undefined) {
    throw invalid(owner, `has ${satellite.name} without an sk, but its table has a sort key. Give it an sk`)
  }
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
