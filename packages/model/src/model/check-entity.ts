import type {
  EntityDescription,
  IndexKeyDescription,
  KeyDescription,
  KeyTemplateDescription,
} from '../description.ts'
import { checkAttribute } from './check-attribute.ts'
import { checkNative, checkTemplate, invalid } from './check-template.ts'
import type { EntityDefinition, IndexDefinition, SatelliteDefinition } from './entity.ts'
import { isScalar, ownerOf, resolveEntity, resolveIndexKey, resolveKey, valuesOf } from './resolve-entity.ts'
import type { TemplateOwner } from './resolve-template.ts'
import { discriminatorOf } from './resolve-tables.ts'
import type { TableConfig } from './table-config.ts'

/** What is wrong with an entity by itself. */
export function checkEntity(definition: EntityDefinition, table: TableConfig, tableBefore: TableConfig): void {
  const owner = ownerOf(definition)
  const discriminator = discriminatorOf(table)
  if (owner.attributes.has(discriminator)) {
    throw invalid(
      owner,
      `has an attribute ${discriminator}, which its table uses to store the entity's name. Rename one of them`,
    )
  }
  checkTwice(definition)
  for (const [name, attribute] of definition.attributes) checkAttribute(owner, name, attribute)
  checkSources(owner)
  checkStoredNames(owner)
  if (definition.key === undefined) throw invalid(owner, 'has no key. Add .key({ pk, sk })')
  if (definition.sharesKeys === true && discriminator === '')
    throw invalid(
      owner,
      `shares its keys with others, so an attribute must say which entity an item is. Give its table a discriminator`,
    )
  const { pk, sk, was } = definition.key
  checkKey(owner, definition.key, table)
  checkKey(owner, { pk: was?.pk ?? pk, sk: was?.sk ?? sk }, tableBefore)
  const key = resolveKey(owner, definition.key, table)
  for (const index of definition.indexes) {
    checkIndexKey(owner, index, key, table)
    checkIndexKey(owner, { ...index, pk: index.was?.pk ?? index.pk, sk: index.was?.sk ?? index.sk }, key, table)
  }
  for (const satellite of definition.satellites) checkSatellite(owner, satellite, key, table)
  checkKeys(owner, resolveEntity(definition, table, tableBefore), discriminator)
}

function checkTwice(definition: EntityDefinition): void {
  const { definedTwice, indexes, satellites } = definition
  if (definedTwice !== undefined) throw invalid(definition, `already has an attribute ${definedTwice}`)
  const index = repeated(indexes)
  if (index !== undefined)
    throw invalid(definition, `is in the index ${index} twice. An item can be in an index only once`)
  const satellite = repeated(satellites)
  if (satellite !== undefined) throw invalid(definition, `has two guards or index items named ${satellite}`)
}

function repeated(all: readonly { readonly name: string }[]): string | undefined {
  return all.find(({ name }, i) => all.findIndex((other) => other.name === name) !== i)?.name
}

/** What is wrong with the keys of an entity together. */
function checkKeys(
  owner: TemplateOwner,
  { key, indexKeys, was }: Pick<EntityDescription, 'key' | 'indexKeys' | 'was'>,
  discriminator: string,
): void {
  checkOneTemplateEach(owner, key, indexKeys)
  if (was !== undefined) checkOneTemplateEach(owner, was.key, was.indexKeys)
  const names = templatesOf(key, indexKeys).map(({ attribute }) => attribute)
  checkNotReserved(owner, new Set([discriminator, ...names]))
}

/** No two attributes can be stored under one name, and none under the model's name of another: items would be misread. */
function checkStoredNames(owner: TemplateOwner): void {
  const attributes = [...owner.attributes.values()]
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

function checkSources(owner: TemplateOwner): void {
  for (const { name, computedFrom, shard } of owner.attributes.values()) {
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

/** One attribute cannot hold two keys. */
function checkOneTemplateEach(
  owner: TemplateOwner,
  key: KeyDescription,
  indexKeys: readonly IndexKeyDescription[],
): void {
  const texts = new Map<string, string>()
  for (const { attribute, text } of templatesOf(key, indexKeys)) {
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

function templatesOf(
  { partition, sort }: KeyDescription,
  indexKeys: readonly IndexKeyDescription[],
): readonly KeyTemplateDescription[] {
  return [
    partition,
    ...(sort === undefined ? [] : [sort]),
    ...indexKeys.flatMap((each) => [...each.partition, ...each.sort]),
  ]
}

function checkKey(
  owner: TemplateOwner,
  { pk, sk }: { readonly pk: string; readonly sk: string | undefined },
  table: TableConfig,
): void {
  checkTemplate(owner, pk, table.pk ?? 'pk')
  if (sk !== undefined) checkTemplate(owner, sk, table.sk ?? 'sk')
}

function checkIndexKey(
  owner: TemplateOwner,
  index: IndexDefinition,
  key: KeyDescription,
  table: TableConfig,
): void {
  const { name, pk, sk } = index
  const config = table.indexes?.[name] ?? {}
  checkTexts(owner, name, pk, config.pk ?? `${name}pk`)
  checkTexts(owner, name, sk, config.sk ?? `${name}sk`)
  const { partition, sort } = resolveIndexKey(owner, index, key, table)
  if (pk === undefined && sort.length !== 1) {
    throw invalid(owner, `has no key in the index ${name}. Give it a pk, or an sk for a local secondary index`)
  }
  const conditions = Object.entries(index.when)
  if (conditions.length > 0 && [...partition, ...sort].every(({ isNative }) => isNative)) {
    throw invalid(
      owner,
      `could never leave the index ${name}, because its keys are plain attributes of the entity. Use a template for one of them`,
    )
  }
  for (const [attribute, values] of conditions) {
    if (!owner.attributes.has(attribute))
      throw invalid(owner, `has no attribute ${attribute}, which ${name} depends on`)
    for (const value of valuesOf(values)) {
      if (isScalar(value)) continue
      throw invalid(
        owner,
        `is in ${name} when ${attribute} is a ${typeof value}. Only strings, numbers and booleans are allowed`,
      )
    }
  }
}

function checkTexts(owner: TemplateOwner, index: string, text: IndexDefinition['pk'], attribute: string): void {
  if (typeof text === 'string') checkTemplate(owner, text, attribute)
  if (text === undefined || typeof text === 'string') return
  if (text.length === 0 || text.length > 4)
    throw invalid(owner, `has ${text.length} attributes in one key of ${index}. DynamoDB allows one to four`)
  for (const name of text) checkNative(owner, name)
}

function checkSatellite(
  owner: TemplateOwner,
  { name, pk, sk, each }: SatelliteDefinition,
  key: KeyDescription,
  table: TableConfig,
): void {
  if (key.partition.isNative || key.sort?.isNative === true) {
    throw invalid(
      owner,
      `needs a second item, ${name}, in a table whose key is a plain attribute of the entity. Give the table separate key attributes, such as pk and sk`,
    )
  }
  checkTemplate(owner, pk, table.pk ?? 'pk', each)
  if (key.sort === undefined) return
  if (sk === undefined)
    throw invalid(owner, `has ${name} without an sk, but its table has a sort key. Give it an sk`)
  checkTemplate(owner, sk, table.sk ?? 'sk', each)
}
