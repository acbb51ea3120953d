import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'
import type { DefaultContext } from '../schema/attribute.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { Placeholders } from './placeholders.ts'
import type { WriteAction } from './write-action.ts'
import { never } from './write-action.ts'

/** Creates the item, or changes it if it exists, in one request. What is given is set; defaults and read-only attributes
 *  are set only if they have no value yet. */
export function planUpsert(entity: EntityRuntime, input: PlainItem, context: DefaultContext): WriteAction {
  // With all defaults, to have every value that a new item would have.
  const full = entity.encodeItem(input, context)
  const placeholders = new Placeholders()
  const sets: string[] = []
  const set = (name: string, value: AttributeValue, isKept: boolean): void => {
    const path = placeholders.name(name)
    const placeholder = placeholders.value(value, name)
    sets.push(isKept ? `${path} = if_not_exists(${path}, ${placeholder})` : `${path} = ${placeholder}`)
  }
  const kept = keptNames(entity, input)
  const { partition, sort } = entity.described.key
  const derived = new Map(entity.composedKeys.map((composed) => [composed.template.attribute, composed.sources]))
  const computed = entity.attributes.flatMap(({ name, definition }) =>
    definition.computed === undefined ? [] : [[name, definition.computed.from] as const],
  )
  for (const [name, sources] of computed) derived.set(name, sources)
  const removes: string[] = []
  for (const [name, sources] of derived) {
    const isKept = isAllKept(entity, name, sources, kept)
    const value = full[name]
    if (value !== undefined) set(name, value, isKept)
    else if (!isKept) removes.push(placeholders.name(name))
  }
  for (const [name, value] of Object.entries(full)) {
    if (name === partition.attribute || name === sort?.attribute || derived.has(name)) continue
    if (name !== entity.versionAttribute) set(name, value, kept.has(name))
  }
  const { versionAttribute } = entity
  const version =
    versionAttribute === undefined
      ? ''
      : ` ADD ${placeholders.name(versionAttribute)} ${placeholders.value({ N: '1' }, versionAttribute)}`
  return {
    kind: 'Update',
    input: {
      TableName: entity.tableName,
      Key: entity.keyOfEncoded(full),
      UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}${version}`,
      ...placeholders.members(),
    },
    failure: () =>
      new ModelError('CONFLICT', `The ${entity.name} could not be written. Retry.`, { entity: entity.name }),
    isStale: never,
  }
}

/** Attributes whose present value, if there is one, survives. */
function keptNames(entity: EntityRuntime, input: PlainItem): ReadonlySet<string> {
  const primary = new Set(entity.primaryInputs)
  const names = entity.attributes.filter(
    ({ name, described }) => !primary.has(name) && (described.isReadOnly || input[name] === undefined),
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
  throw new ModelError(
    'HALF_A_KEY',
    `The upsert of ${entity.name} sets only some parts of ${target}: the stored item may have other values of ${surviving.join(', ')}. ` +
      `Pass all parts, or use modify.`,
    { entity: entity.name, attribute: surviving[0] },
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
