import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { DefaultContext } from '../schema/attribute.ts'
import { applyChanges } from './apply-changes.ts'
import type { ChangeText } from './change-text.ts'
import { changeText } from './change-text.ts'
import { isOutside } from './composed-keys.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { defaultOf } from './entity-runtime.ts'
import { Change } from './operators.ts'
import type { ChangeKind } from './operators.ts'
import { itemPath } from './item-path.ts'
import { assertChangeable, updateText } from './plan-update.ts'
import type { WriteAction } from './write-action.ts'
import { isOfKind, kindOrNothingText, never, otherKind } from './write-action.ts'

/** Creates the item, or changes it if it exists, in one request. What is given is set; defaults and read-only attributes
 *  are set only if they have no value yet. */
export function planUpsert(
  entity: EntityRuntime,
  input: PlainItem,
  context: DefaultContext,
  operations: Operations = {},
): WriteAction {
  // With all defaults, to have every value that a new item would have.
  const full = entity.encodeItem(input, context)
  const placeholders = entity.placeholders()
  const sets: string[] = []
  const set = (name: string, value: AttributeValue, isKept: boolean): void => {
    const path = placeholders.name(name)
    const placeholder = placeholders.value(value, name)
    sets.push(isKept ? `${path} = if_not_exists(${path}, ${placeholder})` : `${path} = ${placeholder}`)
  }
  assertNoKeyPart(entity, operations)
  const kept = keptNames(entity, input)
  const { partition, sort } = entity.described.key
  const removes: string[] = []
  const derived = new Map<string, readonly string[]>()
  for (const composed of entity.composedKeys) {
    const { attribute } = composed.template
    if (isOutside(composed, full, (name) => !kept.has(name))) removes.push(placeholders.name(attribute))
    else derived.set(attribute, composed.sources)
  }
  const computed = entity.attributes.flatMap(({ name, definition }) =>
    definition.computed === undefined ? [] : [[name, definition.computed.from] as const],
  )
  for (const [name, sources] of computed) derived.set(name, sources)
  for (const [name, sources] of derived) {
    const isKept = isAllKept(entity, name, sources, kept)
    const value = full[name]
    if (value !== undefined) set(name, value, isKept)
    else if (!isKept) removes.push(placeholders.name(name))
  }
  for (const [name, value] of Object.entries(full)) {
    if (name === partition.attribute || name === sort?.attribute || derived.has(name)) continue
    if (name !== entity.versionAttribute && operations[name] === undefined) set(name, value, kept.has(name))
  }
  const { versionAttribute } = entity
  const sections: Record<ChangeText['section'], string[]> = { SET: sets, REMOVE: removes, ADD: [], DELETE: [] }
  for (const [name, change] of Object.entries(operations)) {
    const path = itemPath(entity, name)
    const given = defaultOf(path.definition, context)
    const base = given === undefined ? undefined : entity.encode(name, given)
    const { section, text } = changeText(entity, path, change, placeholders, base)
    sections[section].push(text)
  }
  if (versionAttribute !== undefined)
    sections.ADD.push(`${placeholders.name(versionAttribute)} ${placeholders.value({ N: '1' }, versionAttribute)}`)
  const condition = kindOrNothingText(entity, placeholders)
  return {
    kind: 'Update',
    input: {
      TableName: entity.tableName,
      Key: entity.keyOfEncoded(full),
      UpdateExpression: updateText(sections),
      ...(condition !== undefined && { ConditionExpression: condition }),
      ...placeholders.members(),
    },
    failure: (found) =>
      found !== undefined && !isOfKind(entity, found)
        ? otherKind(entity)
        : entity.error('CONFLICT', `The ${entity.name} could not be written. Retry.`),
    isStale: never,
  }
}

/** What an upsert does to the present values, by attribute. */
export type Operations = Readonly<Record<string, Change<ChangeKind, unknown>>>

/** `upsert(key, changes)` as the item that it makes where there is none, and what it does to one that is there. */
export function splitUpsert(
  entity: EntityRuntime,
  key: PlainItem,
  changes: PlainItem,
  context: DefaultContext,
): { readonly input: PlainItem; readonly operations: Operations } {
  const primary = new Set(entity.primaryInputs)
  const operations: Record<string, Change<ChangeKind, unknown>> = {}
  const defaults: PlainItem = {}
  for (const [name, change] of Object.entries(changes)) {
    const { attribute, steps } = itemPath(entity, name)
    if (steps.length > 0) {
      throw entity.error(
        'INVALID_VALUE',
        `An upsert cannot change ${name} by itself: where there is no item yet, there is no ${attribute.name} to change. Pass all of ${attribute.name}, or use update.`,
        attribute.name,
      )
    }
    if (change !== undefined) assertChangeable(entity, attribute, primary)
    if (!(change instanceof Change)) continue
    operations[name] = change as Change<ChangeKind, unknown>
    const value = defaultOf(attribute.definition, context)
    if (value !== undefined) defaults[name] = value
  }
  return { input: { ...key, ...applyChanges(entity, defaults, changes) }, operations }
}

/** An operation whose outcome only the database knows cannot also be a part of a key. */
function assertNoKeyPart(entity: EntityRuntime, operations: Operations): void {
  const computed = entity.attributes.flatMap(({ definition }) => definition.computed?.from ?? [])
  const sources = new Set([...entity.composedKeys.flatMap((composed) => composed.sources), ...computed])
  const part = Object.keys(operations).find((name) => sources.has(name))
  if (part === undefined) return
  throw entity.error(
    'HALF_A_KEY',
    `The upsert of ${entity.name} changes ${part}, which is part of a key, by an operation. Pass a value, or use modify.`,
    part,
  )
}

/** Attributes whose present value, if there is one, survives. */
function keptNames(entity: EntityRuntime, input: PlainItem): ReadonlySet<string> {
  const primary = new Set(entity.primaryInputs)
  const names = entity.attributes.filter(
    ({ name, definition, described }) =>
      !primary.has(name) && definition.onWrite === undefined && (described.isReadOnly || input[name] === undefined),
  )
  return new Set(names.map(({ name }) => name))
}

/** Whether a key's parts all survive. If some do and some do not, nobody knows what the key will be. */
function isAllKept(
  entity: EntityRuntime,
  target: string,
  sources: readonly string[],
  kept: ReadonlySet<string>,
): boolean {
  const primary = new Set(entity.primaryInputs)
  const changing = sources.filter((source) => !primary.has(source))
  const surviving = changing.filter((source) => kept.has(source))
  if (surviving.length === 0) return false
  if (surviving.length === changing.length) return true
  throw entity.error(
    'HALF_A_KEY',
    `The upsert of ${entity.name} sets only some parts of ${target}: the stored item may have other values of ${surviving.join(', ')}. ` +
      `Pass all parts, or use modify.`,
    surviving[0],
  )
}

/** What an upsert makes of the item that exists, for entities whose guards must be kept in step. */
export function mergeUpsert(entity: EntityRuntime, read: StoredItem, input: PlainItem): PlainItem {
  const merged = entity.decodePossible(read)
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    const isFixed = entity.attribute(name).described.isReadOnly && merged[name] !== undefined
    if (!isFixed) merged[name] = value
  }
  return merged
}
