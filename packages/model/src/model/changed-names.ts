import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityDescription, StepDescription, WhenDescription } from '../description.ts'
import { isMet, primaryInputsOf, sourcesOf } from './parameters.ts'
import { holesOf } from './resolve-template.ts'

/** What an example of an update changes, if its pattern does not say: an attribute that is changed without another. If there is
 *  none, all that can be changed. */
export function usuallyChanged(entity: EntityDescription): readonly string[] {
  const changeable = changeableNames(entity)
  const inKeys = namesInKeys(entity)
  const computed = new Set(entity.attributes.flatMap(({ computedFrom = [] }) => computedFrom))
  const free = changeable.filter((name) => !inKeys.has(name) && !computed.has(name))
  return free.length > 0 ? free.slice(0, 1) : changeable
}

/** Those that an update may name. */
export function changeableNames(entity: EntityDescription): readonly string[] {
  const primary = new Set(primaryInputsOf(entity))
  return entity.attributes
    .filter(
      ({ name, type, shard, isReadOnly, isStored, computedFrom }) =>
        isStored &&
        !isReadOnly &&
        !primary.has(name) &&
        (computedFrom ?? shard) === undefined &&
        type !== 'version',
    )
    .map(({ name }) => name)
}

/** The attributes whose values a write knows: those that it changes, or all if it reads the item first. */
export function knownAfter(
  entity: EntityDescription,
  action: StepDescription['action'],
  changed: readonly string[],
): readonly string[] {
  return action === 'modify' ? entity.attributes.map(({ name }) => name) : changed
}

/** A value that an update can give this attribute: another than before, if possible. One of `values`, or one of the few that
 *  there are. */
export function preferredValue(
  entity: EntityDescription,
  name: string,
  known: readonly string[],
  before: AttributeValue | undefined,
  values: readonly AttributeValue[],
): AttributeValue | undefined {
  const inside = { attribute: name, values: valuesInside(entity, name, known) }
  const text = JSON.stringify(before)
  const possible = [...values, ...fewValues(entity, name)].filter((value) => !isMet(inside, value))
  return possible.find((value) => JSON.stringify(value) !== text) ?? possible[0]
}

function fewValues({ attributes }: EntityDescription, name: string): readonly AttributeValue[] {
  const attribute = attributes.find((each) => each.name === name)
  if (attribute?.type === 'boolean') return [{ BOOL: true }, { BOOL: false }]
  return attribute?.type === 'enum' ? (attribute.values ?? []).map((value) => ({ S: value })) : []
}

/** The values with which an item would be in a sparse index, if the update does not change the rest of its key there. */
function valuesInside(
  entity: EntityDescription,
  name: string,
  given: readonly string[],
): WhenDescription['values'] {
  // A random shard is drawn again.
  const drawn = entity.attributes.filter(({ shard }) => shard !== undefined && shard.by === undefined)
  const known = new Set([...primaryInputsOf(entity), ...drawn.map((each) => each.name), ...given])
  return entity.indexKeys.flatMap(({ partition, sort, when = [] }) => {
    const composed = [...partition, ...sort].filter(({ isNative }) => !isNative)
    const sources = [...holesOf(composed), ...when.map(({ attribute }) => attribute)]
    const isWhole = sources.flatMap((source) => sourcesOf(source, entity)).every((source) => known.has(source))
    return isWhole ? [] : when.filter(({ attribute }) => attribute === name).flatMap(({ values }) => values)
  })
}

/** The attributes that are in a key, a guard or an index item, and those from which they follow. */
function namesInKeys(entity: EntityDescription): ReadonlySet<string> {
  const names = [
    ...primaryInputsOf(entity),
    ...entity.indexKeys.flatMap(({ partition, sort, when = [] }) => [
      ...holesOf([...partition, ...sort]),
      ...when.map(({ attribute }) => attribute),
    ]),
    ...entity.satellites.flatMap(({ attributes, include }) => [...attributes, ...include]),
  ]
  return new Set(names.flatMap((name) => [name, ...sourcesOf(name, entity)]))
}
