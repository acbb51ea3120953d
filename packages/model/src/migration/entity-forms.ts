import {
  defaultOf,
  type CompiledAttribute,
  type EntityRuntime,
  type PlainItem,
  type StoredItem,
} from '../client/entity-runtime.ts'
import { withoutDerived } from '../client/plan-replace.ts'
import { isSameStored } from '../client/stored-equal.ts'
import type { EntityDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { holesOf } from '../model/resolve-template.ts'
import type { DefaultContext } from '../schema/attribute.ts'
import { renamed, renamesBetween } from './renames.ts'

/** Makes an item of the new form of one of the old form, as programs see them. */
export type Upgrade = (item: PlainItem) => PlainItem

/** An entity as it was stored before, and as it is stored now. */
export class EntityForms {
  readonly old: EntityRuntime
  readonly new: EntityRuntime
  /** Whether the two forms of an item have different keys or tables. Otherwise it changes in its place. */
  readonly isMoved: boolean
  /** Whether attributes or the discriminator have another name in the table. */
  readonly isRenamed: boolean
  /** Attributes with keys of indexes that are the same in both forms. While an item has both, only the old one is in these indexes:
   *  code of before would find it twice. */
  readonly sharedKeys: ReadonlySet<string>
  readonly #upgrade: Upgrade | undefined
  readonly #renames: ReadonlyMap<EntityRuntime, ReadonlyMap<string, string>>

  constructor(old: EntityRuntime, fresh: EntityRuntime, upgrade?: Upgrade) {
    this.old = old
    this.new = fresh
    if (
      old.tableName !== fresh.tableName &&
      Math.min(old.described.satellites.length, fresh.described.satellites.length) > 0
    ) {
      throw new ModelError(
        'INVALID_MODEL',
        `${fresh.name} moves to another table, but its guards and index items cannot be kept in step there. Migrate first without .unique() and .indexItem(), and then add them.`,
        { entity: fresh.name },
      )
    }
    this.isMoved = old.tableName !== fresh.tableName || keyId(old.described) !== keyId(fresh.described)
    const namesOf = ({ table, storedNames }: EntityRuntime): string =>
      JSON.stringify([table.discriminator, [...storedNames]])
    this.isRenamed = namesOf(old) !== namesOf(fresh)
    this.sharedKeys = this.isMoved && old.tableName === fresh.tableName ? sharedKeysOf(old, fresh) : new Set()
    this.#upgrade = upgrade
    this.#renames = new Map([
      [old, renamesBetween(old, fresh)],
      [fresh, renamesBetween(fresh, old)],
    ])
  }

  /** The new form as it is beside the old one. With `stored`, only what that lacks is left out. */
  beside(item: StoredItem, stored: StoredItem = {}): StoredItem {
    if (this.sharedKeys.size === 0) return item
    return Object.fromEntries(
      Object.entries(item).filter(([name]) => !this.sharedKeys.has(name) || stored[name] !== undefined),
    )
  }

  get name(): string {
    return this.new.name
  }

  /** Whether both forms of this very item have the same key: a shard may be the same with another number of them. */
  isSamePlace(key: PlainItem): boolean {
    if (!this.isMoved) return true
    const [old, fresh] = [this.old.keyOf(key), this.new.keyOf(key)]
    return this.old.tableName === this.new.tableName && isSameStored({ M: old }, { M: fresh })
  }

  other(form: EntityRuntime): EntityRuntime {
    return form === this.old ? this.new : this.old
  }

  /** The form whose table and key a stored item has; the new one if it could be either. */
  formOf(stored: StoredItem, table: string): EntityRuntime | undefined {
    return [this.new, this.old].find((form) => form.tableName === table && hasKeyOf(form, stored))
  }

  /** Whether an item that stays in its place still has the attributes of the old form. */
  isOldInPlace(stored: StoredItem): boolean {
    if (this.#upgrade === undefined) return true
    const nameOf = ({ described }: CompiledAttribute): string => described.storedName ?? described.name
    const [before, after] = [this.old, this.new].map((form) => new Set(form.attributes.map(nameOf)))
    const isLeft = [...(before ?? [])].some((name) => after?.has(name) === false && stored[name] !== undefined)
    const isMissing = this.new.attributes.some(
      (attribute) =>
        isNeeded(attribute) && before?.has(nameOf(attribute)) === false && stored[nameOf(attribute)] === undefined,
    )
    return isLeft || isMissing || !this.#couldWrite(stored)
  }

  /** Whether the new form could be written as it is. Otherwise an attribute that kept its name has another type now. */
  #couldWrite(stored: StoredItem): boolean {
    try {
      const named = this.new.withKeyParts(stored)
      const item = this.new.decodeItem(stored)
      return this.new.attributes.every(({ name, codec, described }) => {
        const value = item[name]
        if (value === undefined || !described.isStored) return true
        const encoded = codec.encode(value, this.new.pathOf(name))
        // A date can be cut, and is then another value.
        const isCut = this.old.byName.get(name)?.described.precision !== described.precision
        return !isCut || named[name] === undefined || isSameStored(encoded, named[name])
      })
    } catch (error) {
      if (error instanceof ModelError) return false
      throw error
    }
  }

  /** Whether an item has an old name of an attribute, or no new one of what says which entity it is. */
  hasOldNames(stored: StoredItem): boolean {
    const [before, after] = [this.old.table.discriminator, this.new.table.discriminator]
    const isOldKind =
      before !== after && (before === '' ? stored[after] === undefined : stored[before] !== undefined)
    return (
      isOldKind ||
      this.old.attributes.some(({ described: { readNames: [name = ''] = [] } }) => stored[name] !== undefined)
    )
  }

  /** An item of the new form with its keys as they should be. */
  renew(stored: StoredItem): StoredItem {
    return this.withKeys(this.new, this.new.withKeyParts(stored))
  }

  /** An item of one form as one of the other, under the model's names. What the model does not know is taken along. */
  convert(from: EntityRuntime, given: StoredItem): StoredItem {
    const to = this.other(from)
    const item = from.withKeyParts(given)
    const isUpgraded = from === this.old && this.#upgrade !== undefined
    return this.withKeys(to, isUpgraded ? this.#upgraded(item) : renamed(item, this.#renames.get(from)))
  }

  withKeys(to: EntityRuntime, item: StoredItem): StoredItem {
    const own = new Set([...ownKeys(this.old), ...ownKeys(this.new)])
    const base = Object.fromEntries(
      Object.entries(item).filter(([name]) => !own.has(name) || to.byName.get(name)?.described.isStored),
    )
    for (const { name, definition, described } of to.attributes) {
      const drawn = base[name]?.N
      // A shard that was drawn at random and is no longer there.
      const isKey = to.primaryInputs.includes(name)
      if (described.isStored && definition.shard !== undefined && drawn !== undefined && !isKey)
        base[name] = { N: String(Number(drawn) % definition.shard.count) }
    }
    to.addComputed(base)
    return to.addKeys(base)
  }

  /** It is somebody else's code, and may meet an item that it was not written for. */
  #upgradedPlain(item: PlainItem): PlainItem {
    try {
      return this.#upgrade?.(item) ?? {}
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      throw new ModelError('INVALID_ITEM', `upgrade.${this.name} failed: ${message}`, { entity: this.name, cause })
    }
  }

  #upgraded(item: StoredItem): StoredItem {
    const plain = this.#upgradedPlain(this.old.decodePossible(item))
    const { versionAttribute } = this.new
    const version = versionAttribute === undefined ? undefined : item[versionAttribute]
    const next: StoredItem = { ...item }
    for (const { name } of this.old.attributes) delete next[name]
    for (const [name, value] of Object.entries(withoutDerived(this.new, plain))) {
      // An empty set is not stored.
      const stored =
        value === undefined ? undefined : this.new.attribute(name).codec.encode(value, this.new.pathOf(name))
      if (stored !== undefined) next[name] = stored
    }
    // As for a new item: what is still missing would look as if it had never been upgraded.
    for (const { name, definition } of this.new.attributes.filter(isNeeded)) {
      const value = next[name] === undefined ? defaultOf(definition, usualContext) : undefined
      if (value !== undefined) next[name] = this.new.encode(name, value)
    }
    if (versionAttribute !== undefined && version !== undefined) next[versionAttribute] = version
    this.new.decodeItem(this.new.toStored(next))
    return next
  }
}

const usualContext: DefaultContext = { now: () => new Date(), random: Math.random }

/** Whether every item has it, once it is written by code that knows it. */
function isNeeded({ definition, described }: CompiledAttribute): boolean {
  const { isStored, isOptional, type } = described
  return isStored && !isOptional && definition.computed === undefined && type !== 'set' && type !== 'version'
}

function hasKeyOf(form: EntityRuntime, stored: StoredItem): boolean {
  try {
    const key = form.keyOfEncoded(form.withKeyParts(stored))
    return Object.entries(key).every(([name, value]) => isSameStored(value, stored[name]))
  } catch {
    return false
  }
}

/** What makes two keys the same: their templates, and the numbers of shards in them. */
function keyId({ key, attributes }: EntityDescription): string {
  const templates = key.sort === undefined ? [key.partition] : [key.partition, key.sort]
  // A shard that was drawn at random is stored, and stays.
  const shards = holesOf(templates).map((hole) => {
    const shard = attributes.find(({ name }) => name === hole)?.shard
    return shard?.by === undefined ? undefined : shard.count
  })
  return JSON.stringify([templates.map(({ attribute, text }) => [attribute, text]), shards])
}

function sharedKeysOf(old: EntityRuntime, fresh: EntityRuntime): ReadonlySet<string> {
  const known = new Set(old.described.indexKeys.map((key) => JSON.stringify(key)))
  const changed = fresh.described.indexKeys.filter((key) => !known.has(JSON.stringify(key)))
  const needed = new Set(
    changed.flatMap(({ partition, sort }) => [...partition, ...sort]).map((each) => each.attribute),
  )
  const composed = fresh.composedKeys.map(({ template }) => template.attribute)
  return new Set(composed.filter((attribute) => !needed.has(attribute)))
}

/** The attributes that only the library writes: keys, and the name of the entity. */
function ownKeys({ described, composedKeys, table }: EntityRuntime): readonly string[] {
  const { partition, sort } = described.key
  return [
    partition.attribute,
    ...(sort === undefined ? [] : [sort.attribute]),
    ...composedKeys.map(({ template }) => template.attribute),
    ...(table.discriminator === '' ? [] : [table.discriminator]),
  ]
}
