import type {
  EntityDescription,
  ParameterDescription,
  PatternAction,
  PatternDescription,
  PatternOperation,
  SatelliteDescription,
  StepDescription,
  TableDescription,
} from '../description.ts'
import { unreachable } from '../errors.ts'
import type { PatternDefinition } from './patterns.ts'
import { parameterOf, primaryInputsOf, sourcesOf } from './parameters.ts'
import { placeOf, resolveQuery } from './resolve-query.ts'
import { holesOf } from './resolve-template.ts'
import { defined } from './defined.ts'
import { unsound } from './unsound.ts'

export interface ResolvedModel {
  readonly tables: readonly TableDescription[]
  readonly entities: readonly EntityDescription[]
}

/** A pattern as plain data: which request it is, what it asks of its caller, which entities it can meet. */
export function resolvePattern(
  name: string,
  definition: PatternDefinition,
  model: ResolvedModel,
): PatternDescription {
  const { options } = definition
  const body = resolveBody(name, definition, model)
  return defined({
    name,
    action: definition.action,
    order: 'ascending',
    isConsistent: options.consistent === true,
    ...body,
    traffic: options.traffic ?? {},
    budget: options.budget ?? {},
    owner: options.owner,
    description: options.description,
  }) as PatternDescription
}

export type PatternBody = Pick<PatternDescription, 'operation' | 'table' | 'entities' | 'parameters'> & {
  readonly [K in keyof PatternDescription]?: PatternDescription[K] | undefined
}

function resolveBody(name: string, definition: PatternDefinition, model: ResolvedModel): PatternBody {
  const { action } = definition
  switch (action) {
    case 'query':
      return resolveQuery(name, definition, model)
    case 'scan':
      return resolveScan(name, definition, model)
    case 'get':
    case 'delete': {
      const entity = entityOf(name, definition.entities[0], model)
      const parameters = keyParameters(entity)
      return { operation: writeOperation(action, entity), table: entity.table, entities: [entity.name], parameters }
    }
    case 'create':
    case 'put':
    case 'upsert': {
      const entity = entityOf(name, definition.entities[0], model)
      const parameters: ParameterDescription[] = [{ name: 'item', isRequired: true, kind: 'item' }]
      return { operation: writeOperation(action, entity), table: entity.table, entities: [entity.name], parameters }
    }
    case 'update':
    case 'modify': {
      const entity = entityOf(name, definition.entities[0], model)
      const parameters = [...keyParameters(entity), { name: 'changes', isRequired: true, kind: 'changes' } as const]
      const { changes } = definition
      const operation = changesSatellites(entity, changes) ? 'TransactWriteItems' : 'UpdateItem'
      return { operation, table: entity.table, entities: [entity.name], parameters, changes }
    }
    case 'batchGet':
    case 'transactGet':
      return resolveKeys(name, definition, model)
    case 'lookup':
      return resolveLookup(name, definition, model)
    case 'transact':
      return resolveTransaction(name, definition, model)
    default:
      return unreachable(action)
  }
}

function resolveScan(name: string, definition: PatternDefinition, model: ResolvedModel): PatternBody {
  const { scan = {} } = definition
  const place = placeOf(scan.on, model)
  if (place === undefined) throw unsound(name)
  const { table, index } = place
  const present = model.entities.filter((entity) =>
    index === undefined ? entity.table === table.id : entity.indexKeys.some((key) => key.index === index.name),
  )
  return {
    operation: 'Scan',
    table: table.id,
    index: index?.name,
    entities: scan.entities ?? present.map((entity) => entity.name),
    parameters: [],
    limit: scan.limit,
  }
}

function resolveKeys(name: string, definition: PatternDefinition, model: ResolvedModel): PatternBody {
  const entities = definition.entities.map((entity) => entityOf(name, entity, model))
  const items = definition.options.traffic?.items ?? entities.length
  const each = Math.max(1, Math.round(items / entities.length))
  return {
    operation: definition.action === 'batchGet' ? 'BatchGetItem' : 'TransactGetItems',
    table: entities[0]?.table ?? '',
    entities: definition.entities,
    parameters: entities.map((entity) => ({ name: entity.name, isRequired: true, kind: 'keys' as const })),
    steps: entities.map((entity) => ({ entity: entity.name, action: 'get' as const, count: each })),
  }
}

function resolveLookup(name: string, definition: PatternDefinition, model: ResolvedModel): PatternBody {
  const entity = entityOf(name, definition.entities[0], model)
  const satellite = entity.satellites.find((each) => each.name === definition.via)
  if (satellite === undefined) throw unsound(name)
  return {
    operation: isDetermined(satellite) ? 'GetItem' : 'Query',
    table: entity.table,
    entities: [entity.name],
    via: definition.via,
    parameters: holesOf([satellite.key.partition]).map((hole) => {
      const parameter = parameterOf(hole, [entity])
      // One element of a set or list is given, not all of it.
      const element = hole === satellite.each ? parameter.value?.element : undefined
      return element === undefined ? parameter : { ...parameter, value: element }
    }),
  }
}

/** Whether the partition's values give the whole key, so that the satellite can be got rather than searched for. */
export function isDetermined({ key }: SatelliteDescription): boolean {
  const known = new Set(holesOf([key.partition]))
  return key.sort === undefined || holesOf([key.sort]).every((hole) => known.has(hole))
}

function resolveTransaction(name: string, definition: PatternDefinition, model: ResolvedModel): PatternBody {
  const steps = Object.entries(definition.steps ?? {}).map(([step, count]): StepDescription => {
    const [entity, action] = step.split('.')
    return { entity: entityOf(name, entity, model).name, action: action as StepDescription['action'], count }
  })
  const [first] = steps
  if (first === undefined) throw unsound(name)
  return {
    operation: 'TransactWriteItems',
    table: entityOf(name, first.entity, model).table,
    entities: definition.entities,
    parameters: [],
    steps,
  }
}

function writeOperation(action: PatternAction, entity: EntityDescription): PatternOperation {
  if (action === 'get') return 'GetItem'
  if (entity.satellites.length > 0) return 'TransactWriteItems'
  if (action === 'delete') return 'DeleteItem'
  return action === 'create' || action === 'put' ? 'PutItem' : 'UpdateItem'
}

/** Whether an update can concern guards or index items, and so be a transaction. */
function changesSatellites(entity: EntityDescription, changes: readonly string[] | undefined): boolean {
  const primary = new Set(primaryInputsOf(entity))
  const copied = entity.satellites.flatMap(({ attributes, include, key }) => [
    ...attributes,
    ...include,
    ...holesOf(key.sort === undefined ? [key.partition] : [key.partition, key.sort]),
    ...entity.attributes.flatMap(({ name, type }) => (type === 'ttl' ? [name] : [])),
  ])
  const sources = new Set(copied.flatMap((attribute) => [attribute, ...sourcesOf(attribute, entity)]))
  const always = new Set(
    entity.attributes.flatMap(({ name, isSetOnWrite }) => (isSetOnWrite === true ? [name] : [])),
  )
  return [...sources].some(
    (name) => !primary.has(name) && (changes === undefined || changes.includes(name) || always.has(name)),
  )
}

function keyParameters(entity: EntityDescription): readonly ParameterDescription[] {
  return primaryInputsOf(entity).map((input) => parameterOf(input, [entity]))
}

function entityOf(pattern: string, name: string | undefined, { entities }: ResolvedModel): EntityDescription {
  const entity = entities.find((each) => each.name === name)
  if (entity === undefined) throw unsound(pattern)
  return entity
}
