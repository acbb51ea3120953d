import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityDescription, PatternDescription, StepDescription } from '../description.ts'
import type { EntityDefinition } from '../model/entity.ts'
import { primaryInputsOf } from '../model/parameters.ts'
import { codecOf } from '../schema/codec.ts'
import { truncateIsoDate } from '../schema/iso-date.ts'
import type { PlannedModel } from './client-functions.ts'

export type StoredValues = ReadonlyMap<string, AttributeValue>

/** Values of an entity's attributes as they are stored. Of a set or list whose elements have index items, it may be an element. */
export interface ValuesOfItem {
  readonly entity: EntityDescription
  readonly values: StoredValues
}

export type WriteStepAction = Exclude<StepDescription['action'], 'get'>

/** What one call of a pattern is about. */
export interface Subject {
  readonly items: readonly ValuesOfItem[]
  /** `after` is what an update or modify makes of it. */
  readonly writes: readonly {
    readonly action: WriteStepAction
    readonly item: ValuesOfItem
    readonly after: StoredValues
  }[]
}

type PlainItem = Record<string, unknown>
type Steps = Record<string, Record<string, (...words: readonly unknown[]) => unknown>>

/** Calls a model's patterns on stored data: the words that a caller would use, from values that are stored. */
export class PatternArguments {
  readonly #definitions: ReadonlyMap<string, EntityDefinition>

  constructor({ definitions }: PlannedModel) {
    this.#definitions = new Map(definitions.map((definition) => [definition.name, definition]))
  }

  /** What a pattern's function is called with. */
  of(pattern: PatternDescription, { items, writes }: Subject): readonly unknown[] {
    const [item] = items
    const [write] = writes
    switch (pattern.action) {
      case 'scan':
        return []
      case 'query':
      case 'get':
      case 'lookup':
        return [item === undefined ? {} : this.#parameters(pattern, item)]
      case 'batchGet':
      case 'transactGet': {
        const keys = new Map<string, PlainItem[]>()
        for (const each of items) {
          keys.set(each.entity.name, [...(keys.get(each.entity.name) ?? []), this.#keyOf(each)])
        }
        return [Object.fromEntries(keys)]
      }
      case 'transact':
        return [
          (steps: Steps) =>
            writes.map((each) => steps[each.item.entity.name]?.[each.action]?.(...this.#wordsOfWrite(each))),
        ]
      case 'create':
      case 'put':
      case 'upsert':
      case 'update':
      case 'modify':
      case 'delete':
        return write === undefined ? [] : this.#wordsOfWrite(write)
    }
  }

  #wordsOfWrite({ action, item, after }: Subject['writes'][number]): readonly unknown[] {
    const given = item.entity.attributes.filter(isGiven).map(({ name }) => name)
    const key = this.#keyOf(item)
    switch (action) {
      case 'create':
      case 'put':
      case 'upsert':
        return [this.#plain(item.entity, given, item.values)]
      case 'delete':
        return [key]
      case 'check': {
        const [first] = Object.entries(key)
        return [key, first === undefined ? {} : { [first[0]]: first[1] }]
      }
      case 'update':
      case 'modify': {
        const names = given.filter((name) => after.get(name) !== item.values.get(name))
        const changed = this.#plain(item.entity, names, after)
        return [key, action === 'update' ? changed : (before: PlainItem) => ({ ...before, ...changed })]
      }
    }
  }

  #parameters(pattern: PatternDescription, { entity, values }: ValuesOfItem): PlainItem {
    const parameters: PlainItem = {}
    for (const { name, kind } of pattern.parameters) {
      const { buckets } = pattern
      const period = values.get(name)?.S
      if (buckets !== undefined && name === buckets.attribute && period !== undefined) {
        // One whole period.
        const text = truncateIsoDate(period.replace(/Z$/, ''), buckets.precision).replace(/Z$/, '')
        parameters[name] = { from: text, to: text }
      }
      if (kind !== 'value') continue
      const definition = this.#definitions.get(entity.name)?.attributes.get(name)
      const stored = values.get(name)
      if (definition === undefined || stored === undefined) continue
      const { element } = definition
      const isElement =
        (definition.type === 'set' || definition.type === 'list') && pattern.filter?.includes(name) !== true
      // In a key, a set or list stands for one of its elements.
      const one = isElement ? elementIn(stored) : undefined
      parameters[name] =
        isElement && element !== undefined && one !== undefined
          ? codecOf(element).decode(one, name)
          : codecOf(definition).decode(stored, name)
    }
    return parameters
  }

  #keyOf({ entity, values }: ValuesOfItem): PlainItem {
    return this.#plain(entity, primaryInputsOf(entity), values)
  }

  #plain(entity: EntityDescription, names: readonly string[], values: StoredValues): PlainItem {
    const plain: PlainItem = {}
    for (const name of names) {
      const definition = this.#definitions.get(entity.name)?.attributes.get(name)
      const value = values.get(name)
      if (definition !== undefined && value !== undefined) plain[name] = codecOf(definition).decode(value, name)
    }
    return plain
  }
}

/** Whether callers give the attribute, rather than the library. */
function isGiven({ type, isStored, computedFrom, shard }: EntityDescription['attributes'][number]): boolean {
  return isStored && computedFrom === undefined && type !== 'version' && shard === undefined
}

function elementIn({ SS, NS, L, ...one }: AttributeValue): AttributeValue | undefined {
  if (SS?.[0] !== undefined) return { S: SS[0] }
  if (NS?.[0] !== undefined) return { N: NS[0] }
  return L === undefined ? (one as AttributeValue) : L[0]
}
