import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError, unreachable } from '../errors.ts'
import type { DefaultContext } from '../schema/attribute.ts'
import { codecOf } from '../schema/codec.ts'
import { shown } from '../schema/value-errors.ts'
import { conditionText } from './conditions.ts'
import type { CompiledAttribute, EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { defaultOf } from './entity-runtime.ts'
import type { ItemPath } from './item-path.ts'
import { itemPath, pathText } from './item-path.ts'
import { Placeholders } from './placeholders.ts'
import { Change } from './operators.ts'
import type { ChangeKind } from './operators.ts'
import { allOf, conflict, never } from './write-action.ts'
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
    `attribute_exists(${placeholders.name(entity.described.key.partition.attribute)})`,
    versionAttribute === undefined || options.version === undefined
      ? undefined
      : `${placeholders.name(versionAttribute)} = ${placeholders.value({ N: String(options.version) }, versionAttribute)}`,
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
  if (found === undefined) return notFound(entity, key)
  const { versionAttribute } = entity
  if (options.version !== undefined && versionAttribute !== undefined) {
    if (found[versionAttribute]?.N !== String(options.version)) return conflict(entity)
  }
  return new ModelError(
    'CONDITION_FAILED',
    `The ${entity.name} ${shown(key)} does not meet the condition of the write.`,
    {
      entity: entity.name,
      item: entity.decodePossible(found),
    },
  )
}

export function notFound(entity: EntityRuntime, key: PlainItem): ModelError {
  return new ModelError('NOT_FOUND', `There is no ${entity.name} ${shown(key)}. Create it first, or use upsert.`, {
    entity: entity.name,
  })
}

/** Collects the parts of an update expression, and what is known of the item after it. */
class UpdateBuilder {
  readonly placeholders = new Placeholders()
  readonly #entity: EntityRuntime
  readonly #context: DefaultContext
  readonly #sets: string[] = []
  readonly #removes: string[] = []
  readonly #adds: string[] = []
  readonly #deletes: string[] = []
  /** Values that the item has for certain once it is updated. */
  readonly #known: StoredItem = {}
  readonly #touched = new Set<string>()
  /** Changed by the database, so that the result is not known here. */
  readonly #unknown = new Set<string>()
  readonly #removed = new Set<string>()
  readonly #primary: ReadonlySet<string>

  constructor(entity: EntityRuntime, key: PlainItem, context: DefaultContext) {
    this.#entity = entity
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
      } else if (stored === undefined) this.#removes.push(pathText(path, this.placeholders))
      else this.#sets.push(`${pathText(path, this.placeholders)} = ${this.#value(stored, path.text)}`)
      return
    }
    this.#operate(path, change)
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
      this.#drawShards(composed.sources)
      this.#assertAllKnown(composed.template.text, composed.sources)
      const value = this.#entity.composedValue(composed, this.#entity.valuesIn(this.#known))
      if (value === undefined) this.#remove(composed.template.attribute)
      else this.#set(composed.template.attribute, value)
    }
    const { versionAttribute } = this.#entity
    if (versionAttribute !== undefined)
      this.#adds.push(`${this.placeholders.name(versionAttribute)} ${this.#value({ N: '1' }, versionAttribute)}`)
  }

  text(): string {
    const sections = [
      ['SET', this.#sets],
      ['REMOVE', this.#removes],
      ['ADD', this.#adds],
      ['DELETE', this.#deletes],
    ] as const
    return sections
      .filter(([, terms]) => terms.length > 0)
      .map(([word, terms]) => `${word} ${terms.join(', ')}`)
      .join(' ')
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

  #assertAllKnown(target: string, sources: readonly string[]): void {
    const missing = sources.filter(
      (source) => this.#unknown.has(source) || (this.#known[source] === undefined && !this.#removed.has(source)),
    )
    if (missing.length === 0) return
    throw new ModelError(
      'HALF_A_KEY',
      `The update of ${this.#entity.name} changes a part of '${target}', so it also needs the new value of ${missing.join(', ')}. ` +
        `Pass all parts, or use modify, which reads the item first.`,
      { entity: this.#entity.name, attribute: missing[0] },
    )
  }

  #set(name: string, stored: AttributeValue): void {
    this.#known[name] = stored
    this.#sets.push(`${this.placeholders.name(name)} = ${this.#value(stored, name)}`)
  }

  #remove(name: string): void {
    this.#removed.add(name)
    this.#removes.push(this.placeholders.name(name))
  }

  #operate(path: ItemPath, { kind, operand }: Change<ChangeKind, unknown>): void {
    const text = pathText(path, this.placeholders)
    const isPart = path.steps.length > 0
    const value = (given: unknown): string => {
      const stored = path.codec.encode(given, this.#entity.pathOf(path.text))
      if (stored === undefined) throw this.#entity.missing(path.text)
      return this.#value(stored, path.text)
    }
    switch (kind) {
      case 'add': {
        const amount = this.#value(amountOf({ name: path.text, definition: path.definition }, operand), path.text)
        // ADD is only for whole attributes.
        if (isPart)
          this.#sets.push(`${text} = if_not_exists(${text}, ${this.#value({ N: '0' }, 'zero')}) + ${amount}`)
        else this.#adds.push(`${text} ${amount}`)
        return
      }
      case 'append':
      case 'prepend': {
        const present = `if_not_exists(${text}, ${this.#value({ L: [] }, 'empty')})`
        const more = value(operand)
        this.#sets.push(
          `${text} = list_append(${kind === 'append' ? `${present}, ${more}` : `${more}, ${present}`})`,
        )
        return
      }
      case 'addToSet':
      case 'removeFromSet':
        if (isPart) {
          throw new ModelError(
            'INVALID_VALUE',
            `DynamoDB changes sets only as whole attributes, not inside of others such as ${path.text}. Use modify.`,
            { entity: this.#entity.name, attribute: path.attribute.name },
          )
        }
        ;(kind === 'addToSet' ? this.#adds : this.#deletes).push(`${text} ${value(operand)}`)
        return
      case 'ifAbsent':
        this.#sets.push(`${text} = if_not_exists(${text}, ${value(operand)})`)
        return
      case 'remove':
        return
      default:
        return unreachable(kind)
    }
  }

  #value(stored: AttributeValue, hint: string): string {
    return this.placeholders.value(stored, hint)
  }
}

/** The amount itself need not be within the bounds of the attribute. */
export function amountOf(
  { definition, name }: Pick<CompiledAttribute, 'definition' | 'name'>,
  amount: unknown,
): AttributeValue {
  const { range: _range, validator: _validator, codec: _codec, ...bare } = definition
  const stored = codecOf(bare).encode(amount, name)
  if (stored?.N === undefined)
    throw new ModelError('INVALID_VALUE', `${name} is not a number, so you cannot add to it.`)
  return stored
}

export function assertChangeable(
  entity: EntityRuntime,
  { name, definition, described }: CompiledAttribute,
  primary: ReadonlySet<string>,
): void {
  if (primary.has(name)) {
    throw new ModelError(
      'KEY_CHANGE',
      `${entity.pathOf(name)} is part of the primary key, which cannot be changed. Delete the item and create a new one.`,
      { entity: entity.name, attribute: name },
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
  throw new ModelError('INVALID_VALUE', `${entity.pathOf(name)} ${fault} and cannot be updated.`, {
    entity: entity.name,
    attribute: name,
  })
}
