import type {
  EntityDescription,
  LocationDescription,
  ModelDescription,
  PatternDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import { checkCollisions } from './check-collisions.ts'
import { checkEntity } from './check-entity.ts'
import { checkPattern } from './check-pattern.ts'
import { checkTable } from './check-table.ts'
import type { EntityDefinition } from './entity.ts'
import { keyedKindsOf } from './keyed-kinds.ts'
import { locate } from './locate.ts'
import type { DefinitionChecks, MadePattern } from './make-model.ts'
import type { Entities } from './pattern-types.ts'
import type { ResolvedModel } from './resolve-pattern.ts'
import { indexesInUse } from './resolve-query.ts'
import type { Tables } from './table-config.ts'

/** `entity` itself records where it was called; for a pattern, `make` and the method of the maker are in between. */
const entityDepth = 1
const patternDepth = 2

/** Each throws a ModelError that says what is wrong, and where in the model file. */
export const definitionChecks: DefinitionChecks = {
  listed: checkListed,
  entity(definition, table, tableBefore) {
    at(definition.origin, entityDepth, () => checkEntity(definition, table, tableBefore))
  },
  collisions(entities) {
    checkCollisions(keyedKindsOf(entities))
  },
  table: checkTable,
  places: checkPlaces,
  pattern(name, definition, model) {
    at(definition.origin, patternDepth, () => checkPattern(name, definition, model))
  },
  members: checkMembers,
  located: withLocations,
}

/** That entities have the names under which they are listed, and their tables are there. */
function checkListed(entities: Entities, configs: Tables): void {
  for (const [name, { definition }] of Object.entries(entities)) {
    if (definition.name !== name)
      throw new ModelError(
        'INVALID_MODEL',
        `The entity ${definition.name} is listed in the model as ${name}. Use the same name.`,
        { entity: name },
      )
    for (const table of [definition.table, definition.tableBefore ?? definition.table])
      checkTableOf(definition, table, configs)
  }
}

function checkTableOf({ name, origin }: EntityDefinition, table: string, configs: Tables): void {
  if (configs[table] !== undefined) return
  const known = Object.keys(configs).join(', ')
  const fault = new ModelError(
    'INVALID_MODEL',
    `${name} is in the table ${table}, but the model only has ${known}. Choose one of them with .in().`,
    { entity: name },
  )
  at(origin, entityDepth, () => {
    throw fault
  })
}

/** That no two places that patterns read have one name. */
function checkPlaces({ tables, entities }: ResolvedModel): void {
  const names = tables.flatMap((table) => [table.id, ...indexesInUse(table, entities).map(({ name }) => name)])
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return
  throw new ModelError(
    'INVALID_MODEL',
    `Two tables or indexes are named ${twice}. Rename one, so that patterns can tell them apart.`,
  )
}

/** That no two members of the client have one name. */
function checkMembers(patterns: readonly PatternDescription[], entities: readonly EntityDescription[]): void {
  for (const { name } of [...patterns, ...entities]) {
    if (name === 'transact' || name === 'batchWrite') {
      throw new ModelError(
        'INVALID_MODEL',
        `${name} is a reserved name: every client has a member of that name. Choose another name.`,
      )
    }
  }
  const both = patterns.find(({ name }) => entities.some((entity) => entity.name === name))?.name
  if (both === undefined) return
  throw new ModelError('INVALID_MODEL', `${both} is both an entity and a pattern. Rename one of them.`, {
    pattern: both,
  })
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
  made: readonly MadePattern[],
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
