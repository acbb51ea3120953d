import type { StoredValues, Subject, ValuesOfItem, WriteStepAction } from '../../client/pattern-arguments.ts'
import type { EntityDescription, ModelDescription, PatternDescription } from '../../description.ts'
import { changeableNames, knownAfter, preferredValue, usuallyChanged } from '../../model/changed-names.ts'
import { sourcesOf } from '../../model/parameters.ts'
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
  const { entity, values } = item
  const names = changes ?? usuallyChanged(entity)
  const after = new Map(values)
  for (const name of names) {
    const own = values.get(name)
    const others = samples.flatMap((sample) => (sample.kind === entity.name ? (sample.item[name] ?? []) : []))
    const value = preferredValue(entity, name, knownAfter(entity, action, names), own, others) ?? own
    // Another object, so that it counts as changed.
    if (value !== undefined) after.set(name, { ...value })
  }
  return { action, item, after }
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
