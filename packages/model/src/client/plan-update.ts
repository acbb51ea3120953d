import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'
import type { DefaultContext } from '../schema/attribute.ts'
import { shown } from '../schema/value-errors.ts'
import type { ChangeText } from './change-text.ts'
import { changeText } from './change-text.ts'
import { isOutside, type ComposedKey } from './composed-keys.ts'
import { conditionText } from './conditions.ts'
import type { CompiledAttribute, EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { defaultOf } from './entity-runtime.ts'
import type { ItemPath } from './item-path.ts'
import { itemPath, pathText } from './item-path.ts'
import type { Placeholders } from './placeholders.ts'
import { Change } from './operators.ts'
import type { ChangeKind } from './operators.ts'
import { allOf, conflict, isOfKind, kindText, never } from './write-action.ts'
import type { WriteAction } from './write-action.ts'

export interface WriteOptions {
  /** Only if the item is so: `{ status: 'OPEN', stock: atLeast(1) }`. */
  readonly if?: object | undefined
  /** Only if the item still has the version that was read. */
  readonly version?: number | undefined
}

/** An update as one request: nothing is read before. All keys that depend on the changes are written along; if that
 *  is not possible because a part is unknown, the update is rejected. */
export function planUpdate(
  entity: EntityRuntime,
  key: PlainItem,
  changes: PlainItem,
  options: WriteOptions,
  context: DefaultContext,
): WriteAction {
  const update = new UpdateBuilder(entity, key, context)
  for (const [name, change] of Object.entries(changes)) {
    if (change !== undefined) update.change(itemPath(entity, name), change)
  }
  update.finish()
  const { placeholders } = update
  const { versionAttribute } = entity
  if (options.version !== undefined && versionAttribute === undefined) {
    throw new ModelError('INVALID_VALUE', `${entity.name} has no version. Add an s.version() attribute to it.`)
  }
  const condition = allOf(
    `attribute_exists(${placeholders.name(entity.partition)})`,
    kindText(entity, placeholders),
    versionAttribute === undefined || options.version === undefined
      ? undefined
      : placeholders.equals(versionAttribute, { N: String(options.version) }),
    options.if === undefined ? undefined : conditionText(entity, options.if, placeholders),
  )
  return {
    kind: 'Update',
    input: {
      TableName: entity.tableName,
      Key: entity.keyOf(key),
      UpdateExpression: update.text(),
      ...(condition !== undefined && { ConditionExpression: condition }),
      ...placeholders.members(),
    },
    failure: (found) => updateFailure(entity, key, options, found),
    isStale: never,
  }
}

export function updateFailure(
  entity: EntityRuntime,
  key: PlainItem,
  options: WriteOptions,
  found: StoredItem | undefined,
): ModelError {
  if (found === undefined || !isOfKind(entity, found)) return notFound(entity, key)
  const { versionAttribute } = entity
  if (options.version !== undefined && versionAttribute !== undefined) {
    if (entity.fromStored(found)[versionAttribute]?.N !== String(options.version)) return conflict(entity)
  }
  return entity.error(
    'CONDITION_FAILED',
    `The ${entity.name} ${shown(key)} does not meet the condition of the write.`,
    undefined,
    { item: entity.decodePossible(found) },
  )
}

export function notFound(entity: EntityRuntime, key: PlainItem): ModelError {
  return entity.error('NOT_FOUND', `There is no ${entity.name} ${shown(key)}. Create it first, or use upsert.`)
}

/** The sections of an update expression that have something in them. */
export function updateText(sections: Readonly<Record<ChangeText['section'], readonly string[]>>): string {
  return Object.entries(sections)
    .flatMap(([word, terms]) => (terms.length > 0 ? [`${word} ${terms.join(', ')}`] : []))
    .join(' ')
}

/** Collects the parts of an update expression, and what is known of the item after it. */
class UpdateBuilder {
  readonly placeholders: Placeholders
  readonly #entity: EntityRuntime
  readonly #context: DefaultContext
  readonly #sections: Record<ChangeText['section'], string[]> = { SET: [], REMOVE: [], ADD: [], DELETE: [] }
  /** Values that the item has for certain once it is updated. */
  readonly #known: StoredItem = {}
  readonly #touched = new Set<string>()
  /** Changed by the database, so that the result is not known here. */
  readonly #unknown = new Set<string>()
  readonly #removed = new Set<string>()
  readonly #primary: ReadonlySet<string>

  constructor(entity: EntityRuntime, key: PlainItem, context: DefaultContext) {
    this.#entity = entity
    this.placeholders = entity.placeholders()
    this.#context = context
    this.#primary = new Set(entity.primaryInputs)
    for (const name of entity.primaryInputs) this.#known[name] = entity.encode(name, key[name])
  }

  change(path: ItemPath, given: unknown): void {
    const { name } = path.attribute
    assertChangeable(this.#entity, path.attribute, this.#primary)
    this.#touched.add(name)
    const isPart = path.steps.length > 0
    const change = given instanceof Change ? (given as Change<ChangeKind, unknown>) : undefined
    // Of an attribute that changes in part, the rest is not known here.
    if (isPart || (change !== undefined && change.kind !== 'remove')) this.#unknown.add(name)
    if (change === undefined || change.kind === 'remove') {
      if (change !== undefined && !path.isOptional) {
        throw new ModelError(
          'INVALID_VALUE',
          `${this.#entity.pathOf(path.text)} is required and cannot be removed.`,
        )
      }
      const stored = change === undefined ? path.codec.encode(given, this.#entity.pathOf(path.text)) : undefined
      if (!isPart) {
        if (stored === undefined) this.#remove(name)
        else this.#set(name, stored)
      } else if (stored === undefined) this.#sections.REMOVE.push(pathText(path, this.placeholders))
      else this.#sections.SET.push(`${pathText(path, this.placeholders)} = ${this.#value(stored, path.text)}`)
      return
    }
    const { section, text } = changeText(this.#entity, path, change, this.placeholders)
    this.#sections[section].push(text)
  }

  /** Brings computed attributes, index keys and the version in step. */
  finish(): void {
    if (this.#touched.size === 0) {
      throw new ModelError(
        'INVALID_VALUE',
        `The update of ${this.#entity.name} changes nothing. Name an attribute.`,
      )
    }
    for (const attribute of this.#entity.setOnWrite) {
      if (this.#touched.has(attribute.name)) continue
      this.change(itemPath(this.#entity, attribute.name), attribute.definition.onWrite?.(this.#context))
    }
    for (const { name, definition, codec } of this.#entity.attributes) {
      if (definition.computed === undefined || !this.#concerns(definition.computed.from)) continue
      this.#assertAllKnown(name, definition.computed.from)
      const value = this.#entity.compute(definition, this.#known)
      const stored = value === undefined ? undefined : codec.encode(value, this.#entity.pathOf(name))
      if (stored === undefined) this.#remove(name)
      else this.#set(name, stored)
    }
    for (const composed of this.#entity.composedKeys) {
      if (!this.#concerns(composed.sources)) continue
      const value = this.#composedValue(composed)
      if (value === undefined) this.#remove(composed.template.attribute)
      else this.#set(composed.template.attribute, value)
    }
    const { versionAttribute } = this.#entity
    if (versionAttribute !== undefined)
      this.#sections.ADD.push(
        `${this.placeholders.name(versionAttribute)} ${this.#value({ N: '1' }, versionAttribute)}`,
      )
  }

  text(): string {
    return updateText(this.#sections)
  }

  #concerns(sources: readonly string[]): boolean {
    return sources.some((source) => this.#touched.has(source))
  }

  /** A random shard need not be known: the item simply moves to another. */
  #drawShards(sources: readonly string[]): void {
    for (const source of sources) {
      const attribute = this.#entity.byName.get(source)
      if (attribute?.definition.shard === undefined || this.#known[source] !== undefined) continue
      const value = defaultOf(attribute.definition, this.#context)
      if (value !== undefined) this.#set(source, this.#entity.encode(source, value))
    }
  }

  #composedValue(composed: ComposedKey): AttributeValue | undefined {
    // An item can leave an index without the key that it had there.
    if (isOutside(composed, this.#known, (name) => this.#isKnown(name))) return undefined
    this.#drawShards(composed.sources)
    this.#assertAllKnown(composed.template.text, composed.sources)
    return this.#entity.composedValue(composed, this.#entity.valuesIn(this.#known))
  }

  #isKnown(name: string): boolean {
    return !this.#unknown.has(name) && (this.#known[name] !== undefined || this.#removed.has(name))
  }

  #assertAllKnown(target: string, sources: readonly string[]): void {
    const missing = sources.filter((source) => !this.#isKnown(source))
    if (missing.length === 0) return
    throw this.#entity.error(
      'HALF_A_KEY',
      `The update of ${this.#entity.name} changes a part of '${target}', so it also needs the new value of ${missing.join(', ')}. ` +
        `Pass all parts, or use modify, which reads the item first.`,
      missing[0],
    )
  }

  #set(name: string, stored: AttributeValue): void {
    this.#known[name] = stored
    this.#sections.SET.push(`${this.placeholders.name(name)} = ${this.#value(stored, name)}`)
  }

  #remove(name: string): void {
    this.#removed.add(name)
    this.#sections.REMOVE.push(this.placeholders.name(name))
  }

  #value(stored: AttributeValue, hint: string): string {
    return this.placeholders.value(stored, hint)
  }
}

export function assertChangeable(
  entity: EntityRuntime,
  { name, definition, described }: CompiledAttribute,
  primary: ReadonlySet<string>,
): void {
  if (primary.has(name)) {
    throw entity.error(
      'KEY_CHANGE',
      `${entity.pathOf(name)} is part of the primary key, which cannot be changed. Delete the item and create a new one.`,
      name,
    )
  }
  const fault = described.isReadOnly
    ? 'is read-only'
    : definition.computed !== undefined || !described.isStored
      ? 'is computed from other attributes'
      : definition.type === 'version'
        ? 'is maintained by the library'
        : undefined
  if (fault === undefined) return
  throw entity.error('INVALID_VALUE', `${entity.pathOf(name)} ${fault} and cannot be updated.`, name)
}
