import { listOf, objectOf, type Json, type JsonObject, type TableDesign, plainText } from '../table-design.ts'
import { isSame, keyTypes, wantedCapacity } from './compare.ts'
import type { Step } from './resource-plan.ts'

export interface IndexSteps {
  readonly removed: readonly Step[]
  /** The indexes that are there and stay, as they are declared. */
  readonly staying: readonly JsonObject[]
  readonly added: readonly Step[]
}

/** One index at a time is added or removed. An index whose key or projection is another one is removed and added. */
export function indexSteps({ create, scaled }: TableDesign, current: JsonObject): IndexSteps {
  const declared = byName(create)
  const existing = byName(current)
  const stays = (name: string): boolean => {
    const [index, before] = [declared.get(name), existing.get(name)]
    return index !== undefined && before !== undefined && isSameIndex(create, index, current, before)
  }
  const update = (does: string, change: object, more: object = {}): Step => ({
    does,
    operation: 'UpdateTable',
    input: { TableName: create['TableName'], ...more, GlobalSecondaryIndexUpdates: [change] },
  })
  const present = [...declared].flatMap(([name, index]) => (stays(name) ? [index] : []))
  const staying = [...present]
  const added: Step[] = []
  for (const [IndexName, index] of declared) {
    if (!stays(IndexName)) {
      present.push(index)
      const AttributeDefinitions = definitionsOf(create, present)
      added.push(update(`adds the index ${IndexName}`, { Create: index }, { AttributeDefinitions }))
    } else if (isProvisioned(create, current)) {
      const ProvisionedThroughput = wantedCapacity(index, existing.get(IndexName) ?? {}, IndexName, scaled)
      if (ProvisionedThroughput === undefined) continue
      const change = { Update: { IndexName, ProvisionedThroughput } }
      added.push(update(`changes the capacity of the index ${IndexName}`, change))
    }
  }
  const removed = [...existing.keys()]
    .filter((name) => !stays(name))
    .map((IndexName) => update(`removes the index ${IndexName}`, { Delete: { IndexName } }))
  return { removed, staying, added }
}

function byName(table: JsonObject): ReadonlyMap<string, JsonObject> {
  const indexes = listOf(table['GlobalSecondaryIndexes']).map(objectOf)
  return new Map(indexes.map((index) => [plainText(index['IndexName']), index]))
}

function isSameIndex(create: JsonObject, index: JsonObject, current: JsonObject, before: JsonObject): boolean {
  return isSame(keyTypes(create, index), keyTypes(current, before)) && isSame(projection(index), projection(before))
}

function projection(index: JsonObject): Json {
  const { ProjectionType, NonKeyAttributes } = objectOf(index['Projection'])
  return [
    ProjectionType ?? 'ALL',
    listOf(NonKeyAttributes)
      .map((one) => plainText(one))
      .toSorted(),
  ]
}

/** The service refuses definitions of attributes that no key uses yet. */
function definitionsOf(create: JsonObject, indexes: readonly JsonObject[]): readonly Json[] {
  const owners = [create, ...listOf(create['LocalSecondaryIndexes']).map(objectOf), ...indexes]
  const used = new Set(
    owners.flatMap((owner) => listOf(owner['KeySchema']).map((part) => objectOf(part)['AttributeName'])),
  )
  return listOf(create['AttributeDefinitions']).filter((one) => used.has(objectOf(one)['AttributeName']))
}

/** With a change of the mode, capacity is set for all at once. */
function isProvisioned(create: JsonObject, current: JsonObject): boolean {
  const mode = objectOf(current['BillingModeSummary'])['BillingMode'] ?? 'PROVISIONED'
  return create['BillingMode'] === 'PROVISIONED' && mode === 'PROVISIONED'
}
