import {
  DeleteItemCommand,
  PutItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import type { ComputeAttributes } from '../check/data/compute-attributes.ts'
import type { DataGenerator, GeneratedItem } from '../check/data/generate-data.ts'
import { isInIndex, storeItem, storeSatellites, withShards } from '../check/data/store-item.ts'
import type { StoredItem } from '../check/item-size.ts'
import { holesOf, type ModelIndex } from '../check/model-index.ts'
import { changedValues } from '../check/run/changed-values.ts'
import type { Subject, WriteStepAction } from '../client/pattern-arguments.ts'
import type { EntityDescription, PatternDescription, StepDescription, TableDescription } from '../description.ts'

/** Whose items a call is about. */
export interface Tenant {
  readonly attribute: string
  readonly value: AttributeValue
}

export interface SubjectSource {
  /** The administrator's, who puts in place what a call is about. */
  readonly client: DynamoDBClient
  readonly model: ModelIndex
  readonly generator: DataGenerator
  readonly items: readonly GeneratedItem[]
  readonly compute: ComputeAttributes
}

/** What a call of a pattern is about: items of one tenant, which are there unless the call creates them. */
export async function subjectOfTenant(
  source: SubjectSource,
  pattern: PatternDescription,
  tenant: Tenant | undefined,
): Promise<Subject> {
  const { items, steps } = partsOf(source.model, pattern)
  const found: GeneratedItem[] = []
  for (const entity of items) {
    const item = tenantItem(source, baseFor(source, pattern, entity), tenant)
    await put(source, item)
    found.push(item)
  }
  const writes: Subject['writes'][number][] = []
  for (const { entity, action } of steps) {
    if (action === 'get') continue
    const described = source.model.entity(entity)
    if (described === undefined) continue
    const item = tenantItem(source, source.generator.another(described), tenant)
    const after = changedValues(described, item.values, pattern.changes, writes.length, action)
    await prepare(source, action, item)
    writes.push({ action, item, after })
  }
  return { items: found, writes }
}

interface Parts {
  readonly items: readonly EntityDescription[]
  readonly steps: readonly Pick<StepDescription, 'entity' | 'action'>[]
}

function partsOf(model: ModelIndex, pattern: PatternDescription): Parts {
  const first = model.ownerOf(pattern.entities[0] ?? '')
  const owners = first === undefined ? [] : [first]
  switch (pattern.action) {
    case 'scan':
    case 'query':
    case 'get':
    case 'lookup':
      return { items: owners, steps: [] }
    case 'batchGet':
    case 'transactGet':
      return { items: (pattern.steps ?? []).flatMap(({ entity }) => model.entity(entity) ?? []), steps: [] }
    case 'transact':
      return { items: [], steps: pattern.steps ?? [] }
    case 'create':
    case 'put':
    case 'update':
    case 'modify':
    case 'upsert':
    case 'delete': {
      const { action } = pattern
      return { items: [], steps: owners.map(({ name }) => ({ entity: name, action })) }
    }
  }
}

/** One that has all that the pattern looks for. */
function baseFor(source: SubjectSource, pattern: PatternDescription, entity: EntityDescription): GeneratedItem {
  const key = entity.indexKeys.find(({ index }) => index === pattern.index)
  const satellite = entity.satellites.find(({ name }) => name === pattern.via)
  const wanted = [...holesOf(pattern.partition ?? []), ...(satellite?.attributes ?? [])]
  const fits = ({ entity: own, values }: GeneratedItem): boolean =>
    own === entity && wanted.every((name) => values.has(name)) && (key === undefined || isInIndex(key, values))
  return source.items.find(fits) ?? source.generator.another(entity)
}

function tenantItem(
  { model, compute }: SubjectSource,
  item: GeneratedItem,
  tenant: Tenant | undefined,
): GeneratedItem {
  const { entity } = item
  if (tenant === undefined || !entity.attributes.some(({ name }) => name === tenant.attribute)) return item
  const values = new Map(item.values).set(tenant.attribute, tenant.value)
  compute(entity, values)
  withShards(entity, values)
  const table = model.tableOf(entity)
  return {
    entity,
    values,
    stored: storeItem(table, entity, values),
    satellites: entity.satellites.flatMap((satellite) => storeSatellites(table, entity, satellite, values)),
  }
}

/** What is created is not there before; everything else is. */
async function prepare(source: SubjectSource, action: WriteStepAction, item: GeneratedItem): Promise<void> {
  if (action !== 'create' && action !== 'put' && action !== 'upsert') return put(source, item)
  const table = source.model.tableOf(item.entity)
  for (const stored of [item.stored, ...item.satellites]) {
    await source.client.send(new DeleteItemCommand({ TableName: table.name, Key: keyIn(table, stored) }))
  }
}

async function put({ client, model }: SubjectSource, { entity, stored, satellites }: GeneratedItem): Promise<void> {
  const { name } = model.tableOf(entity)
  for (const Item of [stored, ...satellites]) await client.send(new PutItemCommand({ TableName: name, Item }))
}

function keyIn({ partitionKey, sortKey }: TableDescription, stored: StoredItem): StoredItem {
  const names = [partitionKey.name, ...(sortKey === undefined ? [] : [sortKey.name])]
  return Object.fromEntries(Object.entries(stored).filter(([name]) => names.includes(name)))
}
