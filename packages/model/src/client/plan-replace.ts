import { isSameStored } from './stored-equal.ts'
import { ModelError } from '../errors.ts'
import type { DefaultContext } from '../schema/attribute.ts'
import { shown } from '../schema/codec.ts'
import { conditionText } from './conditions.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { Expressions } from './expressions.ts'
import type { Satellite } from './satellites.ts'
import { satellitesOf } from './satellites.ts'
import { allOf, conflict, unchangedText } from './write-action.ts'
import type { WriteAction } from './write-action.ts'

/** Turns the item that was read into another with the same key: only what differs is written, on the condition that
 *  nobody changed the item meanwhile, together with its guards and index items. No actions if nothing differs. */
export function planReplace(
  entity: EntityRuntime,
  read: StoredItem,
  wanted: PlainItem,
  context: DefaultContext,
): { readonly actions: readonly WriteAction[]; readonly item: StoredItem } {
  const next = entity.encodeItem(withVersion(entity, read, wanted), context)
  assertSameKey(entity, read, next)
  const names = ownedNames(entity).filter((name) => !isSameStored(read[name], next[name]))
  const { versionAttribute } = entity
  if (names.every((name) => name === versionAttribute)) return { actions: [], item: read }
  assertReadOnlyKept(entity, names)
  const expressions = new Expressions()
  const sets: string[] = []
  const removes: string[] = []
  for (const name of names) {
    const value = next[name]
    if (value === undefined) removes.push(expressions.name(name))
    else sets.push(`${expressions.name(name)} = ${expressions.value(value)}`)
  }
  const main: WriteAction = {
    kind: 'Update',
    input: {
      TableName: entity.tableName,
      Key: entity.keyOfEncoded(next),
      UpdateExpression: [
        ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
        ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: unchangedText(entity, read, expressions),
      ...expressions.attributes(),
    },
    failure: () => conflict(entity),
    isPinned: true,
  }
  const item: StoredItem = { ...read, ...next }
  for (const name of names) {
    if (next[name] === undefined) delete item[name]
  }
  return { actions: [main, ...satelliteActions(entity, read, next)], item }
}

/** The guards and index items that come, go or change when an item does. */
export function satelliteActions(
  entity: EntityRuntime,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
): readonly WriteAction[] {
  const old = satellitesOf(entity, before)
  const next = satellitesOf(entity, after)
  const actions: WriteAction[] = []
  for (const [key, satellite] of old) {
    if (!next.has(key)) actions.push(removal(entity, satellite))
  }
  for (const [key, satellite] of next) {
    const known = old.get(key)
    if (known === undefined) actions.push(claim(entity, satellite))
    else if (!isSameStored({ M: known.item }, { M: satellite.item })) actions.push(rewrite(entity, satellite))
  }
  return actions
}

function claim(entity: EntityRuntime, { described, item }: Satellite): WriteAction {
  const expressions = new Expressions()
  const condition = `attribute_not_exists(${expressions.name(described.key.partition.attribute)})`
  return {
    kind: 'Put',
    input: { TableName: entity.tableName, Item: item, ConditionExpression: condition, ...expressions.attributes() },
    failure: () => {
      const names = described.attributes.join(', ')
      const values = described.attributes.map((name) => shown(item[name]?.S ?? item[name]?.N)).join(', ')
      return new ModelError(
        'NOT_UNIQUE',
        `Another ${entity.name} already has the ${names} ${values}. Choose a different value.`,
        {
          entity: entity.name,
          attribute: described.attributes[0],
        },
      )
    },
    isPinned: false,
  }
}

function rewrite(entity: EntityRuntime, { item }: Satellite): WriteAction {
  return {
    kind: 'Put',
    input: { TableName: entity.tableName, Item: item },
    failure: () => conflict(entity),
    isPinned: true,
  }
}

function removal(entity: EntityRuntime, { key }: Satellite): WriteAction {
  return {
    kind: 'Delete',
    input: { TableName: entity.tableName, Key: key },
    failure: () => conflict(entity),
    isPinned: true,
  }
}

/** Puts a whole item in place of the one that was read, or where there was none. Without guards, index items and version
 *  nothing needs to be known of what was there before. */
export function planPut(
  entity: EntityRuntime,
  read: StoredItem | undefined,
  next: StoredItem,
  options: { readonly if?: object | undefined; readonly version?: number | undefined },
): readonly WriteAction[] {
  const expressions = new Expressions()
  const isPinned = entity.described.satellites.length > 0
  const text = allOf(
    isPinned ? pinText(entity, read, expressions) : versionText(entity, options.version, expressions),
    options.if === undefined ? undefined : conditionText(entity, options.if, expressions),
  )
  const main: WriteAction = {
    kind: 'Put',
    input: {
      TableName: entity.tableName,
      Item: next,
      ...(text !== undefined && { ConditionExpression: text }),
      ...expressions.attributes(),
    },
    failure: (found) => putFailure(entity, options.if, found),
    isPinned: isPinned && options.if === undefined,
  }
  return [main, ...satelliteActions(entity, read, next)]
}

function pinText(entity: EntityRuntime, read: StoredItem | undefined, expressions: Expressions): string {
  if (read !== undefined) return unchangedText(entity, read, expressions)
  return `attribute_not_exists(${expressions.name(entity.described.key.partition.attribute)})`
}

/** A versioned item is replaced by whoever knows its version, or put where there is none. */
function versionText(
  entity: EntityRuntime,
  version: number | undefined,
  expressions: Expressions,
): string | undefined {
  if (entity.versionAttribute === undefined) return undefined
  if (version === undefined) return pinText(entity, undefined, expressions)
  return `${expressions.name(entity.versionAttribute)} = ${expressions.value({ N: String(version) })}`
}

function putFailure(
  entity: EntityRuntime,
  condition: object | undefined,
  found: StoredItem | undefined,
): ModelError {
  if (condition === undefined) return conflict(entity)
  return new ModelError('CONDITION_FAILED', `The stored ${entity.name} does not meet the condition of the write.`, {
    entity: entity.name,
    item: found === undefined ? undefined : entity.decodeItem(found),
  })
}

/** Attributes that the library writes for this entity; others in the item are left alone. */
function ownedNames(entity: EntityRuntime): readonly string[] {
  const stored = entity.attributes.filter(({ described }) => described.isStored).map(({ name }) => name)
  return [...new Set([...stored, ...entity.composedKeys.map(({ template }) => template.attribute)])]
}

function withVersion(entity: EntityRuntime, read: StoredItem, wanted: PlainItem): PlainItem {
  const { versionAttribute } = entity
  if (versionAttribute === undefined) return withoutDerived(entity, wanted)
  return { ...withoutDerived(entity, wanted), [versionAttribute]: Number(read[versionAttribute]?.N ?? 0) + 1 }
}

/** An item that was read has computed attributes in it; they are computed again. */
export function withoutDerived(entity: EntityRuntime, item: PlainItem): PlainItem {
  const given: PlainItem = { ...item }
  for (const { name, definition, described } of entity.attributes) {
    if (definition.computed !== undefined || !described.isStored) delete given[name]
  }
  return given
}

function assertSameKey(entity: EntityRuntime, read: StoredItem, next: StoredItem): void {
  const { partition, sort } = entity.described.key
  for (const name of [partition.attribute, sort?.attribute]) {
    if (name === undefined || isSameStored(read[name], next[name])) continue
    throw new ModelError(
      'KEY_CHANGE',
      `This would change the primary key of the ${entity.name}, which is not possible. Delete the item and create a new one.`,
      { entity: entity.name, attribute: name },
    )
  }
}

function assertReadOnlyKept(entity: EntityRuntime, names: readonly string[]): void {
  const changed = names.find((name) => entity.byName.get(name)?.described.isReadOnly === true)
  if (changed === undefined) return
  throw new ModelError('INVALID_VALUE', `${entity.pathOf(changed)} is read-only and cannot be changed.`, {
    entity: entity.name,
    attribute: changed,
  })
}
