import type { EntityDescription, ModelDescription, PatternDescription } from '../description.ts'
import { describeModel } from './describe-model.ts'
import type { EntityDefinition } from './entity.ts'
import type { AnyModel, ModelSpecification, Patterns } from './model.ts'
import type { Entities } from './pattern-types.ts'
import { patternMaker } from './pattern-maker.ts'
import type { AnyPattern, PatternDefinition, PatternMaker } from './patterns.ts'
import { resolveEntity } from './resolve-entity.ts'
import { resolvePattern, type ResolvedModel } from './resolve-pattern.ts'
import { resolveTable } from './resolve-tables.ts'
import { describeRoles } from './roles.ts'
import type { TableConfig, Tables } from './table-config.ts'

/** Says what is wrong with a definition, before it is resolved. A bundle for production does without: what is resolved then has
 *  been checked before. */
export interface DefinitionChecks {
  listed(entities: Entities, configs: Tables): void
  entity(definition: EntityDefinition, table: TableConfig, tableBefore: TableConfig): void
  collisions(entities: readonly EntityDescription[]): void
  /** `entities` are those in it, and those that are yet to leave it. */
  table(id: string, config: TableConfig, entities: readonly EntityDescription[]): void
  pattern(name: string, definition: PatternDefinition, model: ResolvedModel): void
  places(model: ResolvedModel): void
  members(patterns: readonly PatternDescription[], entities: readonly EntityDescription[]): void
  /** The model with the places in its file. */
  located(
    resolved: ModelDescription,
    definitions: readonly EntityDefinition[],
    made: readonly MadePattern[],
  ): ModelDescription
}

/** A pattern under its name. */
export type MadePattern = readonly [string, AnyPattern]

/** A model from what its file says. */
export function makeModel(
  specification: ModelSpecification<Entities, Patterns, TableConfig, Tables>,
  checks?: DefinitionChecks,
): AnyModel {
  const configs: Tables = specification.tables ?? { main: specification.table ?? {} }
  checks?.listed(specification.entities, configs)
  const definitions = Object.values(specification.entities).map(({ definition }) => definition)
  const entities = definitions.map((definition) => {
    const { table: id, tableBefore = id } = definition
    const [table, before] = [configs[id] ?? {}, configs[tableBefore] ?? {}]
    checks?.entity(definition, table, before)
    return resolveEntity(definition, table, before)
  })
  checks?.collisions(entities)
  const ids = Object.keys(configs)
  const tables = ids.map((id) => {
    const config = configs[id] ?? {}
    const inside = [...entities.filter(({ table }) => table === id), ...movedFrom(id, entities)]
    checks?.table(id, config, inside)
    return resolveTable(id, ids.length === 1 ? specification.name : `${specification.name}-${id}`, config, inside)
  })
  const parts: ResolvedModel = { tables, entities }
  checks?.places(parts)
  const made = Object.entries<AnyPattern>(specification.patterns(patternMaker as unknown as PatternMaker<Entities>))
  const patterns = made.map(([name, { definition }]) => {
    checks?.pattern(name, definition, parts)
    return resolvePattern(name, definition, parts)
  })
  checks?.members(patterns, entities)
  const roles = describeRoles(specification.roles ?? {})
  const resolved = describeModel(specification, { tables, entities, patterns, ...(roles.length > 0 && { roles }) })
  return new Model(resolved, definitions, checks && (() => checks.located(resolved, definitions, made)))
}

/** What `connect`, the checker and the exporters take. */
export class Model<Es extends Entities, Ps extends Patterns, Ts extends Tables> {
  /** Only for the type checker. */
  declare readonly $: { readonly entities: Es; readonly patterns: Ps; readonly tables: Ts }
  /** The model without the places in its file, which take time to find. */
  readonly resolved: ModelDescription
  /** The entities with their functions: defaults, validators, computed attributes. */
  readonly definitions: readonly EntityDefinition[]
  readonly #located: (() => ModelDescription) | undefined
  #described: ModelDescription | undefined

  constructor(
    resolved: ModelDescription,
    definitions: readonly EntityDefinition[],
    located: (() => ModelDescription) | undefined,
  ) {
    this.resolved = resolved
    this.definitions = definitions
    this.#located = located
  }

  get name(): string {
    return this.resolved.name
  }

  /** The model as plain data, for tools. */
  get description(): ModelDescription {
    this.#described ??= this.#located?.() ?? this.resolved
    return this.#described
  }
}

/** Entities that have left a table, as they were in it. */
function movedFrom(id: string, entities: readonly EntityDescription[]): readonly EntityDescription[] {
  return entities.flatMap(({ was, ...entity }) =>
    was !== undefined && was.table === id && entity.table !== id
      ? [{ ...entity, table: id, key: was.key, indexKeys: was.indexKeys }]
      : [],
  )
}
