import type {
  EntityDescription,
  KeyTemplateDescription,
  PatternDescription,
  SatelliteDescription,
  StepDescription,
  TableDescription,
} from '../description.ts'
import { holesOf, type ModelIndex } from '../check/model-index.ts'
import { storedNameOf } from '../model/parameters.ts'

/** Something that a pattern does: an action of IAM on a table or an index, on items with such partition keys, with these attributes. */
export interface PatternNeed {
  /** Without `dynamodb:`. */
  readonly action: string
  readonly table: TableDescription
  readonly index?: string | undefined
  /** Nothing for a scan, which has no key. */
  readonly partition?: KeyTemplateDescription | undefined
  readonly attributes: readonly string[]
}

/** What the client does for a pattern, as IAM sees it. */
export function needsOfPattern(model: ModelIndex, pattern: PatternDescription): readonly PatternNeed[] {
  switch (pattern.action) {
    case 'query':
    case 'scan':
      return [rangeNeed(model, pattern)]
    case 'get':
      return pattern.entities.flatMap((name) => itemNeeds(model, name, ['GetItem']))
    case 'lookup':
      return lookupNeeds(model, pattern)
    case 'batchGet':
      return (pattern.steps ?? []).flatMap(({ entity }) => itemNeeds(model, entity, ['BatchGetItem']))
    case 'transactGet':
      return (pattern.steps ?? []).flatMap(({ entity }) => itemNeeds(model, entity, ['GetItem']))
    case 'transact':
      return (pattern.steps ?? []).flatMap(({ entity, action }) => writeNeeds(model, entity, action))
    case 'create':
    case 'put':
    case 'update':
    case 'modify':
    case 'upsert':
    case 'delete': {
      const { action, changes } = pattern
      return pattern.entities.flatMap((name) => writeNeeds(model, name, action, changes))
    }
  }
}

function rangeNeed(model: ModelIndex, pattern: PatternDescription): PatternNeed {
  const place = model.placeOf(pattern)
  const kinds = model.kindsIn(place).filter(({ kind }) => pattern.entities.includes(kind))
  const names = kinds.flatMap(({ entity, satellite }) =>
    satellite === undefined ? attributesOf(model, entity) : attributesOfSatellite(model, entity, satellite),
  )
  const { table, index } = place
  const keys = [
    ...(pattern.partition ?? []).map(({ attribute }) => attribute),
    ...(index?.sortKeys ?? []).map(({ name }) => name),
  ]
  const projected = index === undefined || index.projection.type === 'ALL' ? names : projectedNames(table, index)
  return {
    action: pattern.action === 'scan' ? 'Scan' : 'Query',
    table,
    index: index?.name,
    partition: pattern.partition?.[0],
    attributes: unique([...keys, ...projected]),
  }
}

function projectedNames(table: TableDescription, index: TableDescription['indexes'][number]): readonly string[] {
  return [
    ...keyNames(table),
    ...[...index.partitionKeys, ...index.sortKeys].map(({ name }) => name),
    ...(index.projection.type === 'INCLUDE' ? index.projection.attributes : []),
  ]
}

/** The guard or index item first, then its owner. */
function lookupNeeds(model: ModelIndex, pattern: PatternDescription): readonly PatternNeed[] {
  const found = model.satellite(pattern.via ?? '')
  if (found === undefined) return []
  const { entity, satellite } = found
  const known = new Set(holesOf([satellite.key.partition]))
  const isDetermined =
    satellite.key.sort === undefined || holesOf([satellite.key.sort]).every((hole) => known.has(hole))
  const first = satelliteNeed(model, entity, satellite, isDetermined ? 'GetItem' : 'Query')
  return [first, ...itemNeeds(model, entity.name, ['GetItem'])]
}

/** What is kept beside an item is written with it, and an item whose companions may change is read before. */
function writeNeeds(
  model: ModelIndex,
  name: string,
  action: StepDescription['action'],
  changes?: readonly string[],
): readonly PatternNeed[] {
  const entity = model.entity(name)
  if (entity === undefined) return []
  const needs = itemNeeds(model, name, actionsOf[action], changedNames(model, entity, action, changes))
  if (entity.satellites.length === 0 || action === 'get' || action === 'check') return needs
  const reads = action === 'create' ? [] : itemNeeds(model, name, ['GetItem'])
  const others = entity.satellites.flatMap((satellite) =>
    (action === 'create' ? ['PutItem'] : ['PutItem', 'DeleteItem']).map((each) =>
      satelliteNeed(model, entity, satellite, each),
    ),
  )
  return [...needs, ...reads, ...others]
}

const actionsOf: Readonly<Record<StepDescription['action'], readonly string[]>> = {
  get: ['GetItem'],
  create: ['PutItem'],
  put: ['PutItem'],
  update: ['UpdateItem'],
  modify: ['GetItem', 'PutItem', 'UpdateItem'],
  upsert: ['UpdateItem', 'PutItem'],
  delete: ['DeleteItem'],
  check: ['ConditionCheckItem'],
}

function itemNeeds(
  model: ModelIndex,
  name: string,
  actions: readonly string[],
  attributes?: readonly string[],
): readonly PatternNeed[] {
  const entity = model.entity(name)
  if (entity === undefined) return []
  const table = model.tableOf(entity)
  const names = unique(attributes ?? attributesOf(model, entity))
  return actions.map((action) => ({ action, table, partition: entity.key.partition, attributes: names }))
}

function satelliteNeed(
  model: ModelIndex,
  entity: EntityDescription,
  satellite: SatelliteDescription,
  action: string,
): PatternNeed {
  const attributes = unique(attributesOfSatellite(model, entity, satellite))
  return { action, table: model.tableOf(entity), partition: satellite.key.partition, attributes }
}

/** An update that says what it changes touches that, the keys and computed attributes that follow from it, and the version. */
function changedNames(
  model: ModelIndex,
  entity: EntityDescription,
  action: StepDescription['action'],
  changes: readonly string[] | undefined,
): readonly string[] | undefined {
  if (action !== 'update' || changes === undefined) return undefined
  const touched = new Set(changes)
  // What is kept beside the item is rewritten only if the item is still as it was read.
  const companions = entity.satellites.flatMap(({ attributes, include }) => [...attributes, ...include])
  if (companions.some((name) => touched.has(name))) return undefined
  for (const { name, isSetOnWrite, type } of entity.attributes) {
    if (type === 'version' || isSetOnWrite === true) touched.add(name)
  }
  for (const { name, computedFrom = [] } of entity.attributes) {
    if (computedFrom.some((source) => touched.has(source))) touched.add(name)
  }
  const follow = entity.indexKeys.flatMap(({ partition, sort, when = [] }) => {
    const templates = [...partition, ...sort]
    const sources = [...holesOf(templates), ...when.map(({ attribute }) => attribute)]
    if (!sources.some((source) => touched.has(source))) return []
    // A shard that is drawn at random is drawn again for the new key.
    const shards = entity.attributes.filter(
      ({ name, type, isStored }) => type === 'shard' && isStored && sources.includes(name),
    )
    return [...templates.map(({ attribute }) => attribute), ...shards.map(({ name }) => name)]
  })
  const changed = [...touched, ...follow].map((name) => storedNameOf(entity, name))
  return [...keyNames(model.tableOf(entity)), ...changed]
}

/** All names that an item of the entity may have in the table. */
function attributesOf(model: ModelIndex, entity: EntityDescription): readonly string[] {
  const table = model.tableOf(entity)
  return [
    ...keyNames(table),
    ...entity.attributes.filter(({ isStored }) => isStored).map(({ name, storedName }) => storedName ?? name),
    ...entity.indexKeys.flatMap(({ partition, sort }) => [...partition, ...sort].map(({ attribute }) => attribute)),
    table.discriminator,
  ]
}

function attributesOfSatellite(
  model: ModelIndex,
  entity: EntityDescription,
  { attributes, include }: SatelliteDescription,
): readonly string[] {
  const table = model.tableOf(entity)
  const { partition, sort } = entity.key
  const owner = holesOf(sort === undefined ? [partition] : [partition, sort])
  // A guard that has expired may be taken.
  const copied = [...owner, ...attributes, ...include].map((name) => storedNameOf(entity, name))
  return [...keyNames(table), ...copied, table.discriminator, table.ttlAttribute ?? '']
}

function keyNames({ partitionKey, sortKey }: TableDescription): readonly string[] {
  return sortKey === undefined ? [partitionKey.name] : [partitionKey.name, sortKey.name]
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '')
}
