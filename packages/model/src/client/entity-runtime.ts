import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  AttributeDescription,
  EntityDescription,
  KeyTemplateDescription,
  TableDescription,
} from '../description.ts'
import { ModelError, type ModelErrorCode, type ModelErrorDetails } from '../errors.ts'
import { keyText } from '../keys/key-text.ts'
import type { StoredValue } from '../keys/key-text.ts'
import { matchKey } from '../keys/match-key.ts'
import { shardOf } from '../keys/shard-of.ts'
import type { KeyedKind } from '../model/keyed-kinds.ts'
import type { EntityDefinition } from '../model/entity.ts'
import { isMet, primaryInputsOf } from '../model/parameters.ts'
import { holesOf } from '../model/resolve-template.ts'
import type { AttributeDefinition, DefaultContext } from '../schema/attribute.ts'
import { composedKeysOf, type ComposedKey } from './composed-keys.ts'
import { Placeholders } from './placeholders.ts'
import type { Codec } from '../schema/codec.ts'
import { codecOf } from '../schema/codec.ts'
import { readAbsent } from '../schema/collection-codecs.ts'
import { absentValue, shown } from '../schema/value-errors.ts'

export type StoredItem = Record<string, AttributeValue>
export type PlainItem = Record<string, unknown>

export interface CompiledAttribute {
  readonly name: string
  readonly codec: Codec
  readonly definition: AttributeDefinition
  readonly described: AttributeDescription
}

/** An entity, ready to convert items to what is stored and back. */
export class EntityRuntime {
  readonly described: EntityDescription
  readonly table: TableDescription
  readonly tableName: string
  readonly attributes: readonly CompiledAttribute[]
  readonly byName: ReadonlyMap<string, CompiledAttribute>
  readonly primaryInputs: readonly string[]
  readonly composedKeys: readonly ComposedKey[]
  readonly versionAttribute: string | undefined
  readonly ttlAttribute: string | undefined
  /** Those that every write sets again. */
  readonly setOnWrite: readonly CompiledAttribute[]
  /** The attributes that are called something else in the table. */
  readonly storedNames: ReadonlyMap<string, string>
  /** While some are being renamed: all that those may be called there. */
  readonly #readNames: readonly (readonly [string, readonly string[]])[]
  readonly #confusable: readonly KeyedKind[]
  /** All its templates, and the stored attributes in them. */
  readonly #keys: readonly KeyTemplateDescription[]
  readonly #inKeys: readonly string[]

  constructor(
    described: EntityDescription,
    definition: EntityDefinition,
    table: TableDescription,
    tableName: string,
    confusable: readonly KeyedKind[],
  ) {
    this.described = described
    this.table = table
    this.tableName = tableName
    this.#confusable = confusable
    this.attributes = described.attributes.map((attribute) => {
      const own = definition.attributes.get(attribute.name)
      if (own === undefined) throw new Error(`${attribute.name} is described but not defined`)
      return { name: attribute.name, codec: codecOf(own), definition: own, described: attribute }
    })
    this.byName = new Map(this.attributes.map((attribute) => [attribute.name, attribute]))
    this.storedNames = new Map(
      described.attributes.flatMap(({ name, storedName }) =>
        storedName === undefined ? [] : [[name, storedName]],
      ),
    )
    this.#readNames = described.attributes.flatMap(({ name, readNames }) =>
      readNames === undefined ? [] : [[name, readNames] as const],
    )
    this.primaryInputs = primaryInputsOf(described)
    const { partition, sort } = described.key
    this.#keys = [
      ...(sort === undefined ? [partition] : [partition, sort]),
      ...described.indexKeys.flatMap((key) => [...key.partition, ...key.sort]),
    ]
    this.#inKeys = holesOf(this.#keys).filter((hole) => this.byName.get(hole)?.described.isStored === true)
    this.composedKeys = composedKeysOf(described)
    this.versionAttribute = described.attributes.find(({ type }) => type === 'version')?.name
    this.ttlAttribute = described.attributes.find(({ type }) => type === 'ttl')?.name
    this.setOnWrite = this.attributes.filter(({ definition }) => definition.onWrite !== undefined)
  }

  get name(): string {
    return this.described.name
  }

  /** The attribute that is the partition key. */
  get partition(): string {
    return this.described.key.partition.attribute
  }

  placeholders(): Placeholders {
    return new Placeholders(this.storedNames)
  }

  error(code: ModelErrorCode, message: string, attribute?: string, details?: ModelErrorDetails): ModelError {
    return new ModelError(code, message, { entity: this.name, attribute, ...details })
  }

  /** All that an attribute may be called in the table. */
  namesOnDisk(name: string): readonly string[] {
    const { storedName = name, readNames = [] } = this.attribute(name).described
    return [storedName, ...readNames]
  }

  /** An item under the names that it has in the table. */
  toStored(item: StoredItem): StoredItem {
    if (this.storedNames.size === 0) return item
    return Object.fromEntries(
      Object.entries(item).map(([name, value]) => [this.storedNames.get(name) ?? name, value]),
    )
  }

  /** An item under the names that it has in the model, whichever it has now. */
  fromStored(item: StoredItem): StoredItem {
    if (this.storedNames.size + this.#readNames.length === 0) return item
    const named: StoredItem = { ...item }
    // Old code only writes the old name, so that is the newer value if there are two.
    for (const [name, readNames] of this.#readNames) {
      const value = readNames.map((each) => item[each]).find((each) => each !== undefined) ?? item[name]
      for (const each of readNames) delete named[each]
      if (value !== undefined) named[name] = value
    }
    for (const [name, storedName] of this.storedNames) {
      const value = named[storedName]
      if (value === undefined) continue
      delete named[storedName]
      named[name] = value
    }
    return named
  }

  /** The primary key of an item, from the attributes that identify it. */
  keyOf(input: PlainItem): StoredItem {
    const encoded: StoredItem = {}
    for (const name of this.primaryInputs) encoded[name] = this.encode(name, input[name])
    return this.keyOfEncoded(encoded)
  }

  keyOfEncoded(encoded: StoredItem): StoredItem {
    const { partition, sort } = this.described.key
    const valueOf = this.valuesIn(encoded)
    const key: StoredItem = { [partition.attribute]: this.#requireKey(partition, valueOf) }
    if (sort !== undefined) key[sort.attribute] = this.#requireKey(sort, valueOf)
    this.#assertNotMistaken(key)
    return key
  }

  /** An item as it is stored: defaults, computed attributes, keys and discriminator included. */
  encodeItem(input: PlainItem, context: DefaultContext): StoredItem {
    this.assertKnown(input)
    const encoded: StoredItem = {}
    for (const { name, codec, definition, described } of this.attributes) {
      if (!described.isStored || definition.computed !== undefined) continue
      const value = input[name] ?? definition.onWrite?.(context) ?? defaultOf(definition, context)
      if (value === undefined) {
        if (described.isOptional || definition.type === 'set') continue
        throw this.missing(name)
      }
      const stored = codec.encode(value, this.pathOf(name))
      if (stored !== undefined) encoded[name] = stored
    }
    this.addComputed(encoded)
    return this.addKeys(encoded)
  }

  /** Computes what follows from other attributes. */
  addComputed(encoded: StoredItem): void {
    for (const { name, codec, definition, described } of this.attributes) {
      if (definition.computed === undefined) continue
      const value = this.compute(definition, encoded)
      const stored = value === undefined ? undefined : codec.encode(value, this.pathOf(name))
      if (stored !== undefined) encoded[name] = stored
      else if (described.isOptional) delete encoded[name]
      else throw this.missing(name)
    }
  }

  compute(definition: AttributeDefinition, encoded: StoredItem): unknown {
    const sources: PlainItem = {}
    for (const source of definition.computed?.from ?? []) {
      const stored = encoded[source]
      if (stored !== undefined) sources[source] = this.byName.get(source)?.codec.decode(stored, this.pathOf(source))
    }
    return definition.computed?.compute(sources as never)
  }

  /** Adds the primary key, the index keys and the discriminator. */
  addKeys(encoded: StoredItem): StoredItem {
    Object.assign(encoded, this.keyOfEncoded(encoded))
    const valueOf = this.valuesIn(encoded)
    for (const composed of this.composedKeys) {
      const value = this.composedValue(composed, valueOf)
      if (value !== undefined) encoded[composed.template.attribute] = value
    }
    // Descriptions of tables that others made may have none.
    if (this.table.discriminator !== '') encoded[this.table.discriminator] = { S: this.name }
    return encoded
  }

  /** The value of a composed index key; undefined if the item does not belong into the index. */
  composedValue({ template, when }: ComposedKey, valueOf: StoredValue): AttributeValue | undefined {
    if (!when.every((each) => isMet(each, valueOf(each.attribute)))) return undefined
    const text = keyText(template.parts, valueOf)
    return text === undefined ? undefined : { S: text }
  }

  /** Reads attributes from an encoded item, those included that are not stored but derived. */
  valuesIn(encoded: StoredItem): StoredValue {
    return (name) => {
      if (Object.hasOwn(encoded, name)) return encoded[name]
      const definition = this.byName.get(name)?.definition
      if (definition?.shard?.by !== undefined) {
        const by = encoded[definition.shard.by]
        const text = by === undefined ? undefined : (by.S ?? by.N ?? String(by.BOOL))
        return text === undefined ? undefined : { N: String(shardOf(text, definition.shard.count)) }
      }
      if (definition?.computed !== undefined) {
        const value = this.compute(definition, encoded)
        return value === undefined ? undefined : this.encode(name, value)
      }
      return undefined
    }
  }

  /** One attribute's value, checked and converted. */
  encode(name: string, value: unknown): AttributeValue {
    if (value === undefined) throw this.missing(name)
    const stored = this.attribute(name).codec.encode(value, this.pathOf(name))
    if (stored === undefined) throw this.missing(name)
    return stored
  }

  attribute(name: string): CompiledAttribute {
    const attribute = this.byName.get(name)
    if (attribute !== undefined) return attribute
    throw this.error(
      'UNKNOWN_ATTRIBUTE',
      `${this.name} has no attribute ${name}. Its attributes are ${[...this.byName.keys()].join(', ')}.`,
      name,
    )
  }

  /** An item as readers get it. What it lacks has its default; what it must have and lacks is an error. */
  decodeItem(given: StoredItem, only?: ReadonlySet<string>): PlainItem {
    const item: PlainItem = {}
    const stored = this.withKeyParts(given)
    for (const attribute of this.attributes) {
      if (only?.has(attribute.name) === false) continue
      const value = this.#read(attribute, stored)
      if (value !== undefined) item[attribute.name] = value
    }
    return item
  }

  /** What can be read of an item: for writes that have happened, and for messages about those that have not. */
  decodePossible(given: StoredItem): PlainItem {
    const item: PlainItem = {}
    const stored = this.withKeyParts(given)
    for (const attribute of this.attributes) {
      try {
        const value = this.#read(attribute, stored)
        if (value !== undefined) item[attribute.name] = value
      } catch (error) {
        if (!(error instanceof ModelError)) throw error
      }
    }
    return item
  }

  /** An item under the model's names. Programs that others wrote keep some values only in keys. */
  withKeyParts(given: StoredItem): StoredItem {
    const stored = this.fromStored(given)
    if (this.#inKeys.every((name) => stored[name] !== undefined)) return stored
    return this.#filled(stored, this.#keys)
  }

  #filled(stored: StoredItem, templates: readonly KeyTemplateDescription[]): StoredItem {
    const filled: StoredItem = { ...stored }
    for (const template of templates) {
      const values = matchKey(template, stored[template.attribute], (name) => this.byName.get(name)?.described)
      for (const [name, value] of values ?? []) filled[name] ??= value
    }
    return filled
  }

  #read(attribute: CompiledAttribute, stored: StoredItem): unknown {
    const { name, codec, definition, described } = attribute
    const value = stored[name]
    if (value !== undefined) return codec.decode(value, this.pathOf(name))
    if (!described.isStored) return undefined
    // An item from before there was a version: nothing has been counted yet.
    if (definition.type === 'version') return 0
    if (definition.computed === undefined) return readAbsent(attribute, this.pathOf(name))
    const computed = this.compute(definition, stored)
    if (computed === undefined && !described.isOptional) throw absentValue(this.pathOf(name))
    const encoded = computed === undefined ? undefined : codec.encode(computed, this.pathOf(name))
    return encoded === undefined ? undefined : codec.decode(encoded, this.pathOf(name))
  }

  /** An item of an index that copies only a part: what is missing is read back from the keys. */
  decodeProjected(
    stored: StoredItem,
    templates: readonly KeyTemplateDescription[],
    included: ReadonlySet<string>,
    only?: ReadonlySet<string>,
  ): PlainItem {
    const filled = this.#filled(this.fromStored(stored), templates)
    const item: PlainItem = {}
    const inKeys = new Set(holesOf(templates))
    for (const attribute of this.attributes) {
      const { name, codec, described } = attribute
      if (!described.isStored || (!included.has(name) && !inKeys.has(name)) || only?.has(name) === false) continue
      const stored = filled[name]
      // A key may only contain the beginning of a date, which is not its value.
      if (stored === undefined && !included.has(name)) continue
      const value = stored === undefined ? this.#read(attribute, filled) : codec.decode(stored, this.pathOf(name))
      if (value !== undefined) item[name] = value
    }
    return item
  }

  assertKnown(input: PlainItem): void {
    for (const name of Object.keys(input)) {
      const { definition, described } = this.attribute(name)
      if (input[name] === undefined) continue
      if (definition.computed !== undefined || !described.isStored) {
        throw this.error(
          'INVALID_VALUE',
          `${this.name}.${name} is computed from other attributes. Do not pass it.`,
          name,
        )
      }
    }
  }

  pathOf(name: string): string {
    return `${this.name}.${name}`
  }

  missing(name: string): ModelError {
    return this.error('MISSING_VALUE', `${this.name}.${name} is missing. Give it a value.`, name)
  }

  #requireKey(template: KeyTemplateDescription, valueOf: StoredValue): AttributeValue {
    if (template.isNative) {
      const value = valueOf(template.attribute)
      if (value === undefined) throw this.missing(template.attribute)
      if (value.S === '')
        throw new ModelError('INVALID_KEY_PART', `${this.pathOf(template.attribute)} is a key and cannot be empty.`)
      return value
    }
    const text = keyText(template.parts, valueOf)
    if (text !== undefined) return { S: text }
    throw this.missing(holesOf([template]).find((hole) => valueOf(hole) === undefined) ?? template.text)
  }

  /** A value such as `x#y` must not turn this item into one of another entity. */
  #assertNotMistaken(key: StoredItem): void {
    for (const other of this.#confusable) {
      const { partition, sort } = other.key
      const lookup = (name: string): AttributeDescription | undefined => other.attributes.get(name)
      if (matchKey(partition, key[partition.attribute], lookup) === undefined) continue
      if (sort !== undefined && matchKey(sort, key[sort.attribute], lookup) === undefined) continue
      throw this.error(
        'INVALID_KEY_PART',
        `The key ${shown(key)} of ${this.name} could be mistaken for a key of ${other.name}. Encode the value that contains the separator.`,
      )
    }
  }
}

export function defaultOf(definition: AttributeDefinition, context: DefaultContext): unknown {
  const value = definition.default?.value
  return typeof value === 'function' ? (value as (context: DefaultContext) => unknown)(context) : value
}
