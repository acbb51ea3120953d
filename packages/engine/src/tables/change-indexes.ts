import { limits, ServiceError, validationException } from '@hashrange/core'
import type {
  AttributeDefinitionInput,
  BillingMode,
  GlobalSecondaryIndexInput,
  GlobalSecondaryIndexUpdateInput,
  UpdateGlobalSecondaryIndexInput,
} from '../api/table-inputs.ts'
import type { IndexDefinition, KeySchema, TableDefinition } from '../definitions/table-definition.ts'
import { withCut, withoutCut } from '../cuts/cut-definition.ts'
import { attributeRedefined, keyElement, vectorElement } from './attribute-redefined.ts'
import { changeThroughput } from './change-throughput.ts'
import { invalidParameter, limitExceeded } from './invalid-parameter.ts'
import { assertProjectsFewEnough, globalIndexDraft, readProjection } from './read-indexes.ts'
import { type AttributeTypes, readAttributeTypes, readGlobalKeySchema } from './read-key-schema.ts'
import { namesOf } from '../definitions/key-names.ts'
import {
  assertNotColder,
  checkOnDemandThroughput,
  onDemandLimitsOf,
  readIndexThroughput,
  warmThroughputOf,
} from './read-throughput.ts'
import { withTypesInUse } from './types-in-use.ts'

export interface IndexChange {
  readonly definition: TableDefinition
  /** The index that must be filled now. */
  readonly created?: IndexDefinition
  /** The index whose entries must be removed now. */
  readonly deleted?: IndexDefinition
}

/** Unused identifiers. */
export interface NewIndexIds {
  readonly indexId: number
  readonly cutId: number
}

/** Applies GlobalSecondaryIndexUpdates. `mode` is the billing mode after the request. */
export function changeIndexes(
  definition: TableDefinition,
  updates: readonly GlobalSecondaryIndexUpdateInput[],
  attributeDefinitions: readonly AttributeDefinitionInput[] | undefined,
  mode: BillingMode,
  newIds: NewIndexIds | undefined,
  nowMs: number,
): IndexChange {
  assertOneAtATime(definition, updates)
  let change: IndexChange = { definition }
  for (const { Create, Update, Delete } of updates) {
    if (Create !== undefined) {
      change = createIndex(change.definition, Create, attributeDefinitions, mode, newIds)
    } else if (Delete !== undefined) {
      change = deleteIndex(change.definition, Delete.IndexName)
    } else if (Update !== undefined) {
      change = { ...change, definition: updateIndex(change.definition, Update, mode, nowMs) }
    }
  }
  return change
}

/** An index that is still being built may be deleted, but no other index may be created or deleted meanwhile. */
function assertOneAtATime(definition: TableDefinition, updates: readonly GlobalSecondaryIndexUpdateInput[]): void {
  const changed = updates.flatMap(({ Create, Delete }) => Create?.IndexName ?? Delete?.IndexName ?? [])
  const building = definition.globalIndexes.filter(({ status }) => status === 'CREATING' || status === 'DELETING')
  const othersBuilding = building.some(({ indexName }) => !changed.includes(indexName))
  if (changed.length <= 1 && !(changed.length === 1 && othersBuilding)) return
  throw limitExceeded(
    'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
  )
}

function createIndex(
  definition: TableDefinition,
  input: GlobalSecondaryIndexInput,
  attributeDefinitions: readonly AttributeDefinitionInput[] | undefined,
  mode: BillingMode,
  ids: NewIndexIds | undefined,
): IndexChange {
  const { IndexName } = input
  const { globalIndexes, localIndexes, vectorIndexes = [] } = definition
  if ([...globalIndexes, ...localIndexes, ...vectorIndexes].some(({ indexName }) => indexName === IndexName)) {
    throw validationException('Attempting to create an index which already exists')
  }
  if (globalIndexes.length >= limits.globalSecondaryIndexes) {
    throw limitExceeded(
      `Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of ${limits.globalSecondaryIndexes}`,
    )
  }
  if (attributeDefinitions === undefined) {
    throw invalidParameter(`AttributeDefinitions is not specified for index: ${IndexName}`)
  }
  const types = readAttributeTypes(attributeDefinitions)
  const keySchema = readGlobalKeySchema(input.KeySchema, types)
  assertNotRedefined(definition, keySchema, types)
  const projection = readProjection(input.Projection)
  checkNewIndexThroughput(input, mode)
  if (ids === undefined) throw new Error('a new index needs identifiers')
  const created: IndexDefinition = {
    ...globalIndexDraft(input, keySchema, projection, readIndexThroughput(input, mode)),
    ...ids,
    status: 'CREATING',
    backfilling: true,
  }
  const indexes = [...globalIndexes, created]
  assertProjectsFewEnough([...localIndexes, ...indexes])
  const cut = withCut(definition, { id: ids.cutId, kind: 'reading' })
  return { definition: withTypesInUse({ ...cut, globalIndexes: indexes }, types), created }
}

function checkNewIndexThroughput(input: GlobalSecondaryIndexInput, mode: BillingMode): void {
  const { IndexName, ProvisionedThroughput: provisioned } = input
  if (mode === 'PAY_PER_REQUEST' && provisioned !== undefined) {
    throw invalidParameter(
      `Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: ${IndexName} when BillingMode is PAY_PER_REQUEST`,
    )
  }
  if (mode === 'PROVISIONED' && provisioned === undefined) {
    throw invalidParameter(
      `Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: ${IndexName}`,
    )
  }
  checkIndexOnDemandThroughput(input, mode)
}

function deleteIndex(definition: TableDefinition, indexName: string): IndexChange {
  const deleted = globalIndexOf(definition, indexName, 'delete')
  const rest = definition.globalIndexes.filter((index) => index !== deleted)
  const uncut = deleted.cutId === undefined ? definition : withoutCut(definition, deleted.cutId)
  return { definition: withTypesInUse({ ...uncut, globalIndexes: rest }, new Map()), deleted }
}

function updateIndex(
  definition: TableDefinition,
  input: UpdateGlobalSecondaryIndexInput,
  mode: BillingMode,
  nowMs: number,
): TableDefinition {
  const { IndexName, ProvisionedThroughput: provisioned } = input
  const index = globalIndexOf(definition, IndexName, 'update')
  if (provisioned !== undefined && mode === 'PAY_PER_REQUEST') {
    throw invalidParameter(
      `The only Updates for index: ${IndexName} when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`,
    )
  }
  checkIndexOnDemandThroughput(input, mode)
  assertNotColder(input.WarmThroughput, index.warmThroughput, `index ${IndexName}`)
  const { onDemandLimits, throughput, warmThroughput, ...rest } = index
  const current = throughput ?? { readUnits: 0, writeUnits: 0, decreasesToday: 0 }
  const changed: IndexDefinition = {
    ...rest,
    throughput: provisioned === undefined ? current : changeThroughput(current, provisioned, nowMs, IndexName),
    warmThroughput: warmThroughputOf(input.WarmThroughput, provisioned ?? noUnits(mode), warmThroughput),
    ...onDemandLimitsOf(input.OnDemandThroughput, onDemandLimits),
  }
  return {
    ...definition,
    globalIndexes: definition.globalIndexes.map((one) => (one === index ? changed : one)),
  }
}

function noUnits(mode: BillingMode): { ReadCapacityUnits: number; WriteCapacityUnits: number } | undefined {
  return mode === 'PROVISIONED' ? { ReadCapacityUnits: 0, WriteCapacityUnits: 0 } : undefined
}

function checkIndexOnDemandThroughput(input: UpdateGlobalSecondaryIndexInput, mode: BillingMode): void {
  checkOnDemandThroughput(input.OnDemandThroughput, mode, {
    subject: ` for index : ${input.IndexName}`,
    rangeSubject: `index : ${input.IndexName}`,
    ending: '',
    mayRemove: true,
  })
}

function globalIndexOf(definition: TableDefinition, name: string, action: 'delete' | 'update'): IndexDefinition {
  const index = definition.globalIndexes.find(({ indexName }) => indexName === name)
  if (index !== undefined) return index
  if (definition.localIndexes.some(({ indexName }) => indexName === name)) {
    throw validationException(`Cannot ${action} an index that is not a GlobalSecondaryIndex: ${name}`)
  }
  throw new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Index ${name} for table ${definition.tableName}`,
  )
}

function assertNotRedefined(definition: TableDefinition, keySchema: KeySchema, types: AttributeTypes): void {
  for (const name of namesOf(keySchema)) {
    const vector = definition.vectorIndexes?.find(({ vectorAttribute }) => vectorAttribute === name)
    const known = Object.hasOwn(definition.attributeTypes, name) ? definition.attributeTypes[name] : undefined
    const given = types.get(name)
    if (vector === undefined && (known === undefined || known === given)) continue
    const keyType = keySchema.hash.includes(name) ? 'HASH' : 'RANGE'
    const existing =
      vector === undefined ? keyElement(name, known, keyType) : vectorElement(name, vector.dimensions)
    throw attributeRedefined(existing, keyElement(name, given, keyType))
  }
}
