import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { StoredValues, Subject, ValuesOfItem, WriteStepAction } from '../../client/pattern-arguments.ts'
import type { EntityDescription, ModelDescription, PatternDescription } from '../../description.ts'
import { primaryInputsOf, sourcesOf } from '../../model/parameters.ts'
import { holesOf } from '../../model/resolve-template.ts'
import type { SampleItem } from '../sample/sample-data.ts'

/** The samples that a call of the pattern is about; undefined if there are none. */
export function subjectOf(
  description: ModelDescription,
  pattern: PatternDescription,
  samples: readonly SampleItem[],
): Subject | undefined {
  switch (pattern.action) {
    case 'scan':
      return { items: [], writes: [] }
    case 'get':
    case 'query':
    case 'lookup': {
      const kinds = pattern.via === undefined ? pattern.entities : [pattern.via]
      const keys = (pattern.partition ?? []).map(({ attribute }) => attribute)
      const found = samples.find(
        ({ kind, item }) => kinds.includes(kind) && keys.every((name) => item[name] !== undefined),
      )
      const item = found === undefined ? undefined : valuesOf(description, found)
      return item === undefined ? undefined : { items: [item], writes: [] }
    }
    case 'batchGet':
    case 'transactGet': {
      const items = pattern.entities.flatMap((name) => samplesOf(description, name, samples).slice(0, 1))
      return items.length === 0 ? undefined : { items, writes: [] }
    }
    case 'transact': {
      const writes = (pattern.steps ?? []).flatMap(({ entity, action, count }) =>
        action === 'get'
          ? []
          : samplesOf(description, entity, samples)
              .slice(0, count)
              .map((item) => write(action, item, undefined, samples)),
      )
      return writes.length === 0 ? undefined : { items: [], writes }
    }
    case 'create':
    case 'put':
    case 'update':
    case 'modify':
    case 'upsert':
    case 'delete': {
      const { action } = pattern
      const [item] = samplesOf(description, pattern.entities[0] ?? '', samples)
      if (item === undefined) return undefined
      const isTransaction = pattern.operation === 'TransactWriteItems'
      const changes = pattern.changes ?? (isTransaction ? guardedNames(item.entity) : undefined)
      return { items: [], writes: [write(action, item, changes, samples)] }
    }
  }
}

/** If the model does not say what an update changes, it changes one attribute that is not part of a key. */
function write(
  action: WriteStepAction,
  item: ValuesOfItem,
  changes: readonly string[] | undefined,
  samples: readonly SampleItem[],
): Subject['writes'][number] {
  const names = changes ?? freeNames(item.entity).slice(-1)
  const after = new Map(item.values)
  for (const name of names) {
    const value = otherValue(item, name, samples)
    if (value !== undefined) after.set(name, value)
  }
  return { action, item, after }
}

/** A value that another sample has, or the same once more if all have the same. */
function otherValue(
  { entity, values }: ValuesOfItem,
  name: string,
  samples: readonly SampleItem[],
): AttributeValue | undefined {
  const own = values.get(name)
  const text = JSON.stringify(own)
  const other = samples.find(
    ({ kind, item }) => kind === entity.name && item[name] !== undefined && JSON.stringify(item[name]) !== text,
  )
  // Another object, so that it counts as changed.
  return other?.item[name] ?? (own === undefined ? undefined : { ...own })
}

function freeNames(entity: EntityDescription): readonly string[] {
  const inKeys = new Set([
    ...primaryInputsOf(entity),
    ...entity.indexKeys.flatMap(({ partition, sort, when = [] }) => [
      ...holesOf([...partition, ...sort]),
      ...when.map(({ attribute }) => attribute),
    ]),
    ...entity.satellites.flatMap(({ attributes, include }) => [...attributes, ...include]),
  ])
  for (const name of inKeys) for (const source of sourcesOf(name, entity)) inKeys.add(source)
  const computed = entity.attributes.flatMap(({ computedFrom = [] }) => computedFrom)
  return changeableNames(entity).filter((name) => !inKeys.has(name) && !computed.includes(name))
}

/** Those whose change also changes a guard or an index item. */
function guardedNames(entity: EntityDescription): readonly string[] | undefined {
  const guarded = new Set(
    entity.satellites.flatMap(({ attributes, include }) =>
      [...attributes, ...include].flatMap((name) => sourcesOf(name, entity)),
    ),
  )
  const name = changeableNames(entity).find((each) => guarded.has(each))
  return name === undefined ? undefined : [name]
}

function changeableNames(entity: EntityDescription): readonly string[] {
  const primary = new Set(primaryInputsOf(entity))
  return entity.attributes
    .filter(
      ({ name, type, isReadOnly, isStored, computedFrom }) =>
        isStored && !isReadOnly && computedFrom === undefined && type !== 'version' && !primary.has(name),
    )
    .map(({ name }) => name)
}

function samplesOf(
  description: ModelDescription,
  name: string,
  samples: readonly SampleItem[],
): readonly ValuesOfItem[] {
  return samples.filter(({ kind }) => kind === name).flatMap((sample) => valuesOf(description, sample) ?? [])
}

/** Of a guard or index item, the values are those that it has of its owner. */
function valuesOf({ entities }: ModelDescription, { kind, item }: SampleItem): ValuesOfItem | undefined {
  const entity = entities.find(
    ({ name, satellites }) => name === kind || satellites.some((each) => each.name === kind),
  )
  const values: StoredValues = new Map(Object.entries(item))
  return entity === undefined ? undefined : { entity, values }
}
