import type { Connection } from '../client/connection.ts'
import type { EntityRuntime, PlainItem, StoredItem } from '../client/entity-runtime.ts'
import { KindReader } from '../client/kind-reader.ts'
import { QueryPlanner } from '../client/query-plan.ts'
import type { PlanOptions, QueryPlan } from '../client/query-plan.ts'
import type { QueryOptions } from '../client/query-function.ts'
import { tableOf } from '../client/client-functions.ts'
import type { PlannedModel } from '../client/client-functions.ts'
import type { KeyAttributeDescription, KeyTemplateDescription, PatternDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { keyText } from '../keys/key-text.ts'
import { hashOf } from '../keys/hash-of.ts'
import type { EntityForms } from './entity-forms.ts'
import { meetsCondition } from './merged-parts.ts'
import type { Entry, Part } from './merged-parts.ts'
import { oldPatternsOf, ownerOf, templatesOf, textOf } from './old-patterns.ts'
import type { OldPattern } from './old-patterns.ts'

interface Side {
  readonly model: PlannedModel
  readonly entities: ReadonlyMap<string, EntityRuntime>
}

interface Source {
  readonly planner: QueryPlanner
  readonly kinds: KindReader
  readonly side: Side
  /** Undefined for the pattern as it is now. */
  readonly old: OldPattern | undefined
}

/** Reads a pattern in both forms: which requests find its items, which of their answers count, and what they are. */
export class PartReader {
  readonly sortNames: readonly string[]
  readonly positionAttributes: readonly KeyAttributeDescription[]
  readonly #connection: Connection
  readonly #pattern: PatternDescription
  readonly #now: Side
  readonly #before: Side
  readonly #forms: ReadonlyMap<string, EntityForms>
  readonly #sources: readonly Source[]
  /** The kinds that are found in another way in their old form. */
  readonly #twofold: ReadonlySet<string>
  readonly #keyNames: readonly string[]

  constructor(parts: {
    readonly connection: Connection
    readonly pattern: PatternDescription
    readonly now: Side
    readonly before: Side
    readonly forms: ReadonlyMap<string, EntityForms>
    readonly tableNames: ReadonlyMap<string, string>
    readonly readsOld: boolean
  }) {
    const { connection, pattern, now, before, forms, tableNames } = parts
    this.#connection = connection
    this.#pattern = pattern
    this.#now = now
    this.#before = before
    this.#forms = forms
    const source = (side: Side, of: PatternDescription, old: OldPattern | undefined): Source => {
      const table = tableOf(side.model.resolved, of.table)
      const index = table.indexes.find(({ name }) => name === of.index)
      const all = [...side.entities.values()]
      const near = all.filter((entity) => entity.table.id === table.id)
      const wanted = new Set(of.entities.map((name) => name.split('.')[0]))
      const entities = [
        ...near.filter(({ name }) => wanted.has(name)),
        ...near.filter(({ name }) => !wanted.has(name)),
      ]
      const kinds = new KindReader({
        modelName: side.model.resolved.name,
        where: `The pattern ${pattern.name}`,
        table,
        index,
        entities: all,
        expected: old === undefined ? of.entities : [...old.entities],
        skipsUnknown: connection.skipsUnknown,
      })
      return {
        planner: new QueryPlanner(of, table, tableNames.get(table.id) ?? table.name, index, entities),
        kinds,
        side,
        old,
      }
    }
    const all = oldPatternsOf(pattern, now.model.resolved, before.model.resolved)
    const olds = parts.readsOld ? all : []
    this.#twofold = new Set(all.flatMap(({ entities }) => [...entities]))
    const { partitionKey, sortKey } = tableOf(now.model.resolved, pattern.table)
    this.#keyNames = [partitionKey.name, ...(sortKey === undefined ? [] : [sortKey.name])]
    const own = source(now, pattern, undefined)
    this.#sources = [...olds.map((old) => source(before, old.pattern, old)), own]
    this.sortNames = own.planner.sortAttributes.map(({ name }) => name)
    this.positionAttributes = own.planner.positionAttributes
  }

  /** The requests of one call, those for the old form first. */
  parts(parameters: PlainItem, { consistent }: QueryOptions): readonly Part[] {
    const options: PlanOptions = {
      isConsistent: consistent ?? this.#pattern.isConsistent,
      now: this.#connection.context.now,
    }
    const current = this.#sources.find(({ old }) => old === undefined)?.planner.plan(parameters, options)
    if (current === undefined) return []
    return this.#sources.flatMap((source) => {
      const plan = source.old === undefined ? current : this.#oldPlan(source, source.old, parameters, options)
      return plan.inputs.map((_, number) => ({
        plan,
        number,
        isOld: source.old !== undefined,
        isWhole: source.old?.isWhole === true,
        read: (stored: StoredItem) => this.#read(source, stored, current),
      }))
    })
  }

  decode({ entity, stored }: Entry, only: ReadonlySet<string> | undefined): PlainItem {
    for (const { kinds, side } of this.#sources.toReversed()) {
      if (!fits(side, entity, this.#pattern.index, stored)) continue
      const read = kinds.read(stored, only)
      if (read !== undefined) return read.item
    }
    return this.#sources.at(-1)?.kinds.read(stored, only)?.item ?? {}
  }

  #oldPlan({ planner }: Source, old: OldPattern, parameters: PlainItem, options: PlanOptions): QueryPlan {
    if (old.missing !== undefined) {
      throw new ModelError(
        'INVALID_MODEL',
        `${this.#pattern.name} cannot find items in their old form, because the old key needs ${old.missing}, which is not one of its parameters. Write both forms, migrate the table so that every item has both, and then pass reads: 'new'.`,
        { pattern: this.#pattern.name },
      )
    }
    const { shards } = this.#pattern
    const { [shards?.attribute ?? '']: _one, ...rest } = parameters
    return planner.plan(shards === undefined ? parameters : rest, options)
  }

  #read(source: Source, stored: StoredItem, current: QueryPlan): Entry | undefined {
    const entity = source.kinds.read(stored)?.entity
    if (entity === undefined) return undefined
    const { old, side } = source
    const { index } = this.#pattern
    const forms = this.#forms.get(entity.split('.')[0] ?? '')
    if (forms === undefined) return old === undefined ? this.#entryOf(entity, stored, stored) : undefined
    if (this.#twofold.has(entity) && !fits(side, entity, index, stored)) return undefined
    const runtime = side.entities.get(forms.name)
    const entry = this.#entryOf(entity, stored, runtime?.withKeyParts(stored) ?? stored)
    const [first] = current.inputs
    const isMet = old?.isWhole !== true || first === undefined || meetsCondition(first, this.sortNames, entry.order)
    return isMet ? entry : undefined
  }

  #entryOf(entity: string, stored: StoredItem, filled: StoredItem): Entry {
    const { index } = this.#pattern
    const runtime = this.#now.entities.get(entity)
    const [now, before] = [this.#now, this.#before].map(({ model }) =>
      templatesOf(model.resolved.entities, entity, index),
    )
    const isSorted = now === undefined || before === undefined || textOf(now.sort) === textOf(before.sort)
    const order = this.sortNames.map((name) => {
      const template = now?.sort.find(({ attribute }) => attribute === name)
      if (isSorted || runtime === undefined || template === undefined) return stored[name]
      return valueIn(runtime, template, filled)
    })
    // An item is the same in both forms if what identifies it is.
    const identity = [
      entity,
      ...(runtime?.primaryInputs.map((name) => filled[name]) ?? this.#keyNames.map((name) => stored[name])),
    ]
    const position: StoredItem = {}
    for (const { name } of this.positionAttributes) {
      const value = order[this.sortNames.indexOf(name)] ?? stored[name]
      if (value !== undefined) position[name] = value
    }
    return { entity, stored, order, id: hashOf(JSON.stringify(identity)), position }
  }
}

/** Whether an item has the keys of this form in a table or index. */
function fits(side: Side, kind: string, index: string | undefined, stored: StoredItem): boolean {
  const templates = templatesOf(side.model.resolved.entities, kind, index)
  const owner = ownerOf(side.model.resolved.entities, kind)
  const runtime = side.entities.get(owner?.name ?? '')
  if (templates === undefined || runtime === undefined || owner?.name !== kind) return true
  const filled = runtime.withKeyParts(stored)
  return [...templates.partition, ...templates.sort].every((template) => {
    if (template.isNative) return true
    return valueIn(runtime, template, filled)?.S === stored[template.attribute]?.S
  })
}

function valueIn(
  runtime: EntityRuntime,
  template: KeyTemplateDescription,
  item: StoredItem,
): { S: string } | StoredItem[string] | undefined {
  if (template.isNative) return item[template.attribute]
  const text = keyText(template.parts, runtime.valuesIn(item))
  return text === undefined ? undefined : { S: text }
}
