import type {
  EntityDescription,
  LocationDescription,
  ModelDescription,
  PatternDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import { checkCollisions, keyedKindsOf } from './check-collisions.ts'
import { describeModel } from './describe-model.ts'
import type { EntityDefinition } from './entity.ts'
import { locate } from './locate.ts'
import type { CheckEntities, Entities } from './pattern-types.ts'
import { patternMaker } from './pattern-maker.ts'
import type { AnyPattern, PatternDefinition, PatternMaker } from './patterns.ts'
import { resolveEntity } from './resolve-entity.ts'
import { indexesInUse } from './resolve-query.ts'
import { resolvePattern } from './resolve-pattern.ts'
import { resolveTable } from './resolve-tables.ts'
import { describeRoles, type Roles } from './roles.ts'
import type { TableConfig, Tables } from './table-config.ts'

/** `entity` itself records where it was called; for a pattern, `make` and the method of the maker are in between. */
const entityDepth = 1
const patternDepth = 2

export type Patterns = Readonly<Record<string, AnyPattern>>

export interface ModelSpecification<
  Es extends Entities,
  Ps extends Patterns,
  Main extends TableConfig,
  Ts extends Tables,
> {
  readonly name: string
  readonly description?: string
  readonly owner?: string
  /** The only table. */
  readonly table?: Main
  /** Or several: entities say `.in('orders')`, patterns `on: 'orders'`. */
  readonly tables?: Ts
  readonly entities: Es & CheckEntities<Es>
  /** The access patterns: every way in which the data is read or written. */
  readonly patterns: (p: PatternMaker<Es>) => Ps
  /** Who may use which of them. `hashrange generate --to iam` writes the policy of each role, and `hashrange check` proves it. */
  readonly roles?: Roles<NoInfer<keyof Ps & string>>
}

/** A model: entities, and the access patterns they serve. Throws a ModelError that says what is wrong with it. */
export function model<
  const Es extends Entities,
  Ps extends Patterns,
  const Main extends TableConfig = Record<never, never>,
  const Ts extends Tables = { readonly main: Main },
>(specification: ModelSpecification<Es, Ps, Main, Ts>): Model<Es, Ps, Ts> {
  const definitions = definitionsOf(specification.entities)
  const configs: Tables = specification.tables ?? { main: specification.table ?? {} }
  const entities = definitions.map((definition) =>
    at(definition.origin, entityDepth, () =>
      resolveEntity(definition, tableOf(definition, configs), tableBeforeOf(definition, configs)),
    ),
  )
  checkCollisions(keyedKindsOf(entities))
  const ids = Object.keys(configs)
  const tables = ids.map((id) => {
    const name = ids.length === 1 ? specification.name : `${specification.name}-${id}`
    return resolveTable(id, name, configs[id] ?? {}, [
      ...entities.filter(({ table }) => table === id),
      ...movedFrom(id, entities),
    ])
  })
  checkNames(tables.flatMap((table) => [table.id, ...indexesInUse(table, entities).map(({ name }) => name)]))
  const made = specification.patterns(patternMaker as unknown as PatternMaker<Es>)
  const patterns = Object.entries<AnyPattern>(made).map(([name, { definition }]) =>
    at(definition.origin, patternDepth, () => resolvePattern(name, definition, { tables, entities })),
  )
  for (const { name } of [...patterns, ...entities]) {
    if (name === 'transact' || name === 'batchWrite') {
      throw new ModelError(
        'INVALID_MODEL',
        `${name} is a reserved name: every client has a member of that name. Choose another name.`,
      )
    }
  }
  for (const { name } of patterns) {
    if (Object.hasOwn(specification.entities, name)) {
      throw new ModelError('INVALID_MODEL', `${name} is both an entity and a pattern. Rename one of them.`, {
        pattern: name,
      })
    }
  }
  const roles = describeRoles(specification.roles ?? {})
  const resolved = describeModel(specification, { tables, entities, patterns, ...(roles.length > 0 && { roles }) })
  return new Model(resolved, definitions, Object.entries<AnyPattern>(made))
}

/** What `connect`, the checker and the exporters take. */
export class Model<Es extends Entities, Ps extends Patterns, Ts extends Tables> {
  /** Only for the type checker. */
  declare readonly $: { readonly entities: Es; readonly patterns: Ps; readonly tables: Ts }
  /** The model without the places in its file, which take time to find. */
  readonly resolved: ModelDescription
  /** The entities with their functions: defaults, validators, computed attributes. */
  readonly definitions: readonly EntityDefinition[]
  readonly #made: readonly (readonly [string, AnyPattern])[]
  #described: ModelDescription | undefined

  constructor(
    resolved: ModelDescription,
    definitions: readonly EntityDefinition[],
    made: readonly (readonly [string, AnyPattern])[],
  ) {
    this.resolved = resolved
    this.definitions = definitions
    this.#made = made
  }

  get name(): string {
    return this.resolved.name
  }

  /** The model as plain data, for tools. */
  get description(): ModelDescription {
    this.#described ??= withLocations(this.resolved, this.definitions, this.#made)
    return this.#described
  }
}

/** Any model, for functions that take one. */
export interface AnyModel {
  readonly $: { readonly entities: Entities; readonly patterns: Patterns; readonly tables: Tables }
  readonly name: string
  readonly resolved: ModelDescription
  readonly definitions: readonly EntityDefinition[]
  readonly description: ModelDescription
}

function definitionsOf(entities: Entities): readonly EntityDefinition[] {
  return Object.entries(entities).map(([name, { definition }]) => {
    if (definition.name === name) return definition
    throw new ModelError(
      'INVALID_MODEL',
      `The entity ${definition.name} is listed in the model as ${name}. Use the same name.`,
      {
        entity: name,
      },
    )
  })
}

function tableOf(definition: EntityDefinition, configs: Tables): TableConfig {
  const config = configs[definition.table]
  if (config !== undefined) return config
  throw new ModelError(
    'INVALID_MODEL',
    `${definition.name} is in the table ${definition.table}, but the model only has ${Object.keys(configs).join(', ')}. Choose one of them with .in().`,
    { entity: definition.name },
  )
}

/** Entities that have left a table, as they were in it. */
function movedFrom(id: string, entities: readonly EntityDescription[]): readonly EntityDescription[] {
  return entities.flatMap(({ was, ...entity }) =>
    was !== undefined && was.table === id && entity.table !== id
      ? [{ ...entity, table: id, key: was.key, indexKeys: was.indexKeys }]
      : [],
  )
}

function tableBeforeOf(definition: EntityDefinition, configs: Tables): TableConfig {
  return tableOf({ ...definition, table: definition.tableBefore ?? definition.table }, configs)
}

function checkNames(names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return
  throw new ModelError(
    'INVALID_MODEL',
    `Two tables or indexes are named ${twice}. Rename one, so that patterns can tell them apart.`,
  )
}

/** Adds the place in the model file to an error about what was defined there. */
function at<T>(origin: Error, depth: number, resolve: () => T): T {
  try {
    return resolve()
  } catch (error) {
    const place = error instanceof ModelError ? locate(origin, depth) : undefined
    if (!(error instanceof ModelError) || place === undefined) throw error
    const { code, message, entity, attribute, pattern } = error
    throw new ModelError(code, `${message} (${place.file}:${place.line}:${place.column})`, {
      entity,
      attribute,
      pattern,
      cause: error,
    })
  }
}

function withLocations(
  resolved: ModelDescription,
  definitions: readonly EntityDefinition[],
  made: readonly (readonly [string, { readonly definition: PatternDefinition }])[],
): ModelDescription {
  const placed = <T extends EntityDescription | PatternDescription>(
    described: T,
    origin: Error | undefined,
    depth: number,
  ): T => {
    const location: LocationDescription | undefined = origin === undefined ? undefined : locate(origin, depth)
    return location === undefined ? described : { ...described, location }
  }
  return {
    ...resolved,
    entities: resolved.entities.map((entity, i) => placed(entity, definitions[i]?.origin, entityDepth)),
    patterns: resolved.patterns.map((pattern, i) => placed(pattern, made[i]?.[1].definition.origin, patternDepth)),
  }
}
