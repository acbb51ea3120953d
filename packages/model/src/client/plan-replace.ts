import { isSameStored } from './stored-equal.ts'
import type { ModelError } from '../errors.ts'
import type { DefaultContext } from '../schema/attribute.ts'
import { conditionText } from './conditions.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import type { Placeholders } from './placeholders.ts'
import { updateText } from './plan-update.ts'
import type { Present } from './present-item.ts'
import { satelliteActions } from './satellite-actions.ts'
import {
  allOf,
  conflict,
  isChanged,
  isOfKind,
  kindOrNothingText,
  otherKind,
  unchangedText,
} from './write-action.ts'
import type { WriteAction } from './write-action.ts'

/** Turns the item that was read into another with the same key: only what differs is written, on the condition that
 *  nobody changed the item meanwhile, together with its guards and index items. No actions if nothing differs. */
export function planReplace(
  entity: EntityRuntime,
  { item: read, satellites }: Present & { readonly item: StoredItem },
  wanted: PlainItem,
  context: DefaultContext,
  condition?: object,
): { readonly actions: readonly WriteAction[]; readonly item: StoredItem } {
  const same = entity.encodeItem(withVersion(entity, read, wanted), context)
  assertSameKey(entity, read, same)
  const { versionAttribute } = entity
  if (changedNames(entity, read, same).every((name) => name === versionAttribute))
    return { actions: [], item: read }
  // Only now, because what a write sets again is no change by itself.
  const next =
    entity.setOnWrite.length === 0
      ? same
      : entity.encodeItem(withVersion(entity, read, withoutOnWrite(entity, wanted)), context)
  const names = changedNames(entity, read, next)
  assertReadOnlyKept(entity, names)
  const placeholders = entity.placeholders()
  const sets: string[] = []
  const removes: string[] = []
  for (const name of names) {
    const value = next[name]
    if (value === undefined) removes.push(placeholders.name(name))
    else sets.push(placeholders.equals(name, value))
  }
  const main: WriteAction = {
    kind: 'Update',
    input: {
      TableName: entity.tableName,
      Key: entity.keyOfEncoded(next),
      UpdateExpression: updateText({ SET: sets, REMOVE: removes, ADD: [], DELETE: [] }),
      ConditionExpression:
        allOf(
          unchangedText(entity, read, placeholders),
          condition === undefined ? undefined : conditionText(entity, condition, placeholders),
        ) ?? '',
      ...placeholders.members(),
    },
    failure: (found) => putFailure(entity, isChanged(entity, read, found) ? undefined : condition, found),
    isStale: (found) => isChanged(entity, read, found),
  }
  const item: StoredItem = { ...read, ...next }
  for (const name of names) {
    if (next[name] === undefined) delete item[name]
  }
  return { actions: [main, ...satelliteActions(entity, satellites, next, context)], item }
}

/** Puts a whole item in place of the one that was read, or where there was none. Without guards, index items and version
 *  nothing needs to be known of what was there before. */
export function planPut(
  entity: EntityRuntime,
  { item: read, satellites }: Present,
  next: StoredItem,
  options: { readonly if?: object | undefined; readonly version?: number | undefined },
  context: DefaultContext,
): readonly WriteAction[] {
  const placeholders = entity.placeholders()
  const isPinned = entity.described.satellites.length > 0
  const text = allOf(
    isPinned ? unchangedText(entity, read, placeholders) : versionText(entity, options.version, placeholders),
    kindOrNothingText(entity, placeholders),
    options.if === undefined ? undefined : conditionText(entity, options.if, placeholders),
  )
  const main: WriteAction = {
    kind: 'Put',
    input: {
      TableName: entity.tableName,
      Item: entity.toStored(next),
      ...(text !== undefined && { ConditionExpression: text }),
      ...placeholders.members(),
    },
    failure: (found) =>
      found !== undefined && !isOfKind(entity, found) ? otherKind(entity) : putFailure(entity, options.if, found),
    isStale: (found) => isPinned && isChanged(entity, read, found),
  }
  return [main, ...satelliteActions(entity, satellites, next, context)]
}

/** A versioned item is replaced by a caller that knows its version, or put if there is none. */
function versionText(
  entity: EntityRuntime,
  version: number | undefined,
  placeholders: Placeholders,
): string | undefined {
  if (entity.versionAttribute === undefined) return undefined
  if (version === undefined) return unchangedText(entity, undefined, placeholders)
  if (version === 0) return placeholders.absent(entity.versionAttribute)
  return placeholders.equals(entity.versionAttribute, { N: String(version) })
}

function putFailure(
  entity: EntityRuntime,
  condition: object | undefined,
  found: StoredItem | undefined,
): ModelError {
  if (condition === undefined) return conflict(entity)
  return entity.error(
    'CONDITION_FAILED',
    `The stored ${entity.name} does not meet the condition of the write.`,
    undefined,
    { item: found === undefined ? undefined : entity.decodePossible(found) },
  )
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

function changedNames(entity: EntityRuntime, read: StoredItem, next: StoredItem): readonly string[] {
  return ownedNames(entity).filter((name) => !isSameStored(read[name], next[name]))
}

/** An item that was read has the values of the write before. */
export function withoutOnWrite(entity: EntityRuntime, item: PlainItem): PlainItem {
  if (entity.setOnWrite.length === 0) return item
  const given: PlainItem = { ...item }
  for (const { name } of entity.setOnWrite) delete given[name]
  return given
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
    throw entity.error(
      'KEY_CHANGE',
      `This would change the primary key of the ${entity.name}, which is not possible. Delete the item and create a new one.`,
      name,
    )
  }
}

function assertReadOnlyKept(entity: EntityRuntime, names: readonly string[]): void {
  const changed = names.find((name) => entity.byName.get(name)?.described.isReadOnly === true)
  if (changed === undefined) return
  throw entity.error('INVALID_VALUE', `${entity.pathOf(changed)} is read-only and cannot be changed.`, changed)
}
