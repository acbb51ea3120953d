import type {
  AttributeDescription,
  EntityDescription,
  IndexDescription,
  IndexKeyDescription,
  KeyAttributeDescription,
  KeyTemplateDescription,
  WhenDescription,
} from '../description.ts'
import { holesOf } from '../model/resolve-template.ts'
import { findDiscriminator, groupItems, type ItemGroup } from './group-items.ts'
import { attribute, declaredValue, inferAttributes } from './infer-attributes.ts'
import { describedTemplate, inferTemplate, templateOfAlias, textIn } from './infer-template.ts'
import { mergeCollisions } from './merge-collisions.ts'
import type { RawItem, RawTable } from './raw-model.ts'
import { withSatellites } from './satellites.ts'

export interface InferredEntities {
  readonly entities: readonly EntityDescription[]
  readonly discriminator: string | undefined
  readonly notes: readonly string[]
}

/** What kinds of items a table has, and how their keys are composed. */
export function inferEntities(table: RawTable, tableId: string): InferredEntities {
  const discriminator = findDiscriminator(table)
  const groups = groupItems(table, discriminator)
  const entities = groups.map((group, i) =>
    new EntityInference(table, tableId, group, i === 0, discriminator).entity(),
  )
  const { entities: merged, notes } = mergeCollisions(withSatellites(entities), discriminator)
  return { entities: merged.map(oneExpiry(merged)), discriminator, notes }
}

/** A table has one TTL attribute; further ones are numbers. */
function oneExpiry(entities: readonly EntityDescription[]): (entity: EntityDescription) => EntityDescription {
  const [kept] = entities.flatMap(({ attributes }) => attributes.filter(({ type }) => type === 'ttl'))
  return (entity) => ({
    ...entity,
    attributes: entity.attributes.map((each) =>
      each.type === 'ttl' && each.name !== kept?.name ? { ...each, type: 'int' as const } : each,
    ),
  })
}

/** A key attribute that was made for the purpose, judging by its name: PK, GSI1SK, openpk. */
function isSynthetic(name: string): boolean {
  return /^(gsi|lsi)|pk\d*$|sk\d*$/i.test(name)
}

class EntityInference {
  readonly #table: RawTable
  readonly #tableId: string
  readonly #group: ItemGroup
  readonly #isFirst: boolean
  readonly #discriminator: string | undefined
  readonly #templates = new Map<string, KeyTemplateDescription>()
  /** Attributes that only keys show, and whether an item can lack them. */
  readonly #missing = new Map<string, boolean>()
  /** Key attributes that an item can lack, taken as they are. */
  readonly #optionalKeys = new Set<string>()

  constructor(
    table: RawTable,
    tableId: string,
    group: ItemGroup,
    isFirst: boolean,
    discriminator: string | undefined,
  ) {
    this.#table = table
    this.#tableId = tableId
    this.#group = group
    this.#isFirst = isFirst
    this.#discriminator = discriminator
  }

  entity(): EntityDescription {
    const { partitionKey, sortKey, indexes } = this.#table
    const { items, name } = this.#group
    const partition = this.#template(partitionKey, items, this.#group.partitionAlias)
    const sort = sortKey && this.#template(sortKey, items, this.#group.sortAlias)
    const indexKeys = indexes.flatMap((index) => this.#indexKey(index, partition) ?? [])
    return {
      name,
      table: this.#tableId,
      attributes: this.#attributes(),
      key: sort === undefined ? { partition } : { partition, sort },
      indexKeys,
      satellites: [],
      volume: {},
    }
  }

  #template(
    key: KeyAttributeDescription,
    items: readonly RawItem[],
    alias?: string,
    isOptional = false,
  ): KeyTemplateDescription {
    const known = this.#templates.get(key.name)
    if (known !== undefined) return known
    const made = this.#composed(key, items, alias, isOptional) ?? native(key)
    if (made.isNative && isOptional) this.#optionalKeys.add(key.name)
    this.#templates.set(key.name, made)
    return made
  }

  #composed(
    key: KeyAttributeDescription,
    items: readonly RawItem[],
    alias: string | undefined,
    isOptional: boolean,
  ): KeyTemplateDescription | undefined {
    if (key.type !== 'S') return undefined
    const aliased = templateOfAlias(alias)
    const exact = aliased !== undefined && alias === aliased
    const others = new Set([key.name, ...this.#keyNames().filter(isSynthetic)])
    if (this.#discriminator !== undefined) others.add(this.#discriminator)
    const inferred = exact ? undefined : inferTemplate(key.name, items, others)
    const text = inferred?.text ?? aliased
    if (text === undefined || text === `{${key.name}}`) return undefined
    const template = describedTemplate(key.name, text)
    const [first] = template.parts
    // Two attributes of the same value prove little, unless one is by its name a key.
    if (!exact && template.parts.length === 1 && first?.kind === 'hole' && !isSynthetic(key.name)) return undefined
    // What some items have, and with the same value by chance, is an attribute as well, unless it is by its name a key.
    if (!exact && isOptional && holesOf([template]).length === 0 && !isSynthetic(key.name)) return undefined
    for (const name of inferred?.missing ?? []) this.#missing.set(name, isOptional)
    return template
  }

  #indexKey(index: IndexDescription, primary: KeyTemplateDescription): IndexKeyDescription | undefined {
    const { items, attributes } = this.#group
    const keys = [...index.partitionKeys, ...index.sortKeys]
    const isIn = (item: RawItem): boolean => keys.every(({ name }) => item[name] !== undefined)
    const present = items.filter(isIn)
    const isDeclared = items.length === 0 && keys.every(({ name }) => attributes.includes(name))
    // An index that nothing shows in is kept by the first entity, whose items may then have its keys.
    const isOrphan = this.#isFirst && !this.#isUsed(keys)
    if (present.length === 0 && !isDeclared && !isOrphan) return undefined
    const isSparse = present.length < items.length || present.length === 0
    const isMulti = index.partitionKeys.length > 1 || index.sortKeys.length > 1
    const when = isSparse ? this.#when(present, keys) : undefined
    const isExplained = when === undefined && keys.some((key) => this.#explainsAbsence(key, present))
    const own = (key: KeyAttributeDescription): KeyTemplateDescription => {
      const canLack = isSparse && when === undefined && !this.#templates.has(key.name)
      if (isMulti || (canLack && !isExplained)) return this.#asItIs(key, canLack)
      return this.#template(key, present, undefined, isSparse)
    }
    const partition = index.kind === 'local' ? [primary] : index.partitionKeys.map(own)
    const sort = index.sortKeys.map(own)
    // Items that lack a plain attribute are not in the index, whatever else is true of them.
    const isPlain = [...partition, ...sort].every(({ isNative }) => isNative)
    return { index: index.name, partition, sort, ...(when !== undefined && !isPlain && { when: [when] }) }
  }

  #isUsed(keys: readonly KeyAttributeDescription[]): boolean {
    return this.#table.groups.some(
      ({ items, attributes }) =>
        items.some((item) => keys.every(({ name }) => item[name] !== undefined)) ||
        (items.length === 0 && keys.every(({ name }) => attributes.includes(name))),
    )
  }

  /** Whether the items outside of the index lack an attribute of the key, which is reason enough. */
  #explainsAbsence(key: KeyAttributeDescription, present: readonly RawItem[]): boolean {
    const inferred = inferTemplate(key.name, present, new Set(this.#keyNames().filter(isSynthetic)))
    if (inferred === undefined) return false
    const absent = this.#group.items.filter((item) => !present.includes(item))
    const holes = holesOf([describedTemplate(key.name, inferred.text)]).filter(
      (hole) => !inferred.missing.includes(hole),
    )
    return inferred.missing.length === 0 && absent.every((item) => holes.some((hole) => item[hole] === undefined))
  }

  /** The attribute whose values tell the items in an index from the others. */
  #when(present: readonly RawItem[], keys: readonly KeyAttributeDescription[]): WhenDescription | undefined {
    const absent = this.#group.items.filter((item) => !present.includes(item))
    if (present.length === 0 || absent.length === 0) return undefined
    const skip = new Set([
      ...this.#keyNames().filter(isSynthetic),
      ...keys.map(({ name }) => name),
      this.#discriminator,
    ])
    const stateLike = /status|state|type|kind|active/i
    const names = Object.keys(present[0] ?? {})
    for (const name of [...names.filter((each) => stateLike.test(each)), ...names]) {
      const inside = new Set(present.map((item) => textIn(item, name)))
      const outside = new Set(absent.map((item) => textIn(item, name)))
      const tells = ![...inside].some((value) => value === undefined || outside.has(value))
      // A value for each item tells nothing, unless it is by its name a state.
      const isState = inside.size < present.length || stateLike.test(name)
      // Nor do identifiers and times.
      if ([...inside].some((value) => /\d{3}/.test(value ?? ''))) continue
      if (!tells || !isState || skip.has(name) || inside.size > 3) continue
      if (present.some((item) => typeof item[name]?.['S'] !== 'string')) continue
      return { attribute: name, values: [...inside].filter((value) => value !== undefined) }
    }
    return undefined
  }

  #asItIs(key: KeyAttributeDescription, isOptional: boolean): KeyTemplateDescription {
    const template = native(key)
    this.#templates.set(key.name, template)
    if (isOptional) this.#optionalKeys.add(key.name)
    return template
  }

  #attributes(): readonly AttributeDescription[] {
    const { items, attributes: declared } = this.#group
    const composed = [...this.#templates.values()].filter(({ isNative }) => !isNative).map((each) => each.attribute)
    const skip = new Set([
      ...composed,
      ...this.#keyNames().filter((name) => !this.#templates.has(name) && isSynthetic(name)),
    ])
    if (this.#discriminator !== undefined) skip.add(this.#discriminator)
    const found = new Map(inferAttributes(items, skip).map((each) => [each.name, each]))
    const add = (name: string, value: ReturnType<typeof declaredValue>, isOptional: boolean): void => {
      if (!found.has(name) && !skip.has(name)) found.set(name, attribute(name, value, isOptional))
    }
    for (const template of this.#templates.values()) {
      const { attribute: name, storedAs, isNative } = template
      if (isNative) add(name, declaredValue(storedAs), this.#optionalKeys.has(name))
      else
        for (const hole of holesOf([template]))
          add(hole, declaredValue(this.#declaredType(hole)), this.#missing.get(hole) === true)
    }
    for (const name of declared) add(name, declaredValue(this.#table.declared.get(name)), true)
    // What identifies an item is never absent.
    const primary = new Set(
      holesOf(
        [this.#table.partitionKey, this.#table.sortKey].flatMap(
          (key) => this.#templates.get(key?.name ?? '') ?? [],
        ),
      ),
    )
    return [...found.values()].map((each) => (primary.has(each.name) ? { ...each, isOptional: false } : each))
  }

  #declaredType(name: string): string {
    const type = this.#table.declared.get(name)
    return type === 'N' || type === 'BOOL' ? type : 'S'
  }

  #keyNames(): readonly string[] {
    const { partitionKey, sortKey, indexes } = this.#table
    const keys = indexes.flatMap(({ partitionKeys, sortKeys }) => [...partitionKeys, ...sortKeys])
    return [partitionKey, ...(sortKey === undefined ? [] : [sortKey]), ...keys].map(({ name }) => name)
  }
}

function native({ name, type }: KeyAttributeDescription): KeyTemplateDescription {
  return { ...describedTemplate(name, `{${name}}`), storedAs: type }
}
