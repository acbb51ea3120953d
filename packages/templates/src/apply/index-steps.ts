import { listOf, objectOf, type Json, type JsonObject } from '../table-design.ts'
import { isSame, keyTypes } from './compare.ts'
import type { Step } from './table-plan.ts'

/** One index at a time is added or removed. An index whose key or projection is another one is removed and added. */
export function indexSteps(create: JsonObject, current: JsonObject): readonly Step[] {
  const declared = byName(create)
  const existing = byName(current)
  const { TableName, AttributeDefinitions, BillingMode } = create
  const steps: Step[] = []
  const update = (does: string, change: object, more: object = {}): void => {
    const input = { TableName, ...more, GlobalSecondaryIndexUpdates: [change] }
    steps.push({ does, operation: 'UpdateTable', input })
  }
  const isOther = (index: JsonObject, before: JsonObject): boolean =>
    !isSame(keyTypes(create, index), keyTypes(current, before)) || !isSame(projection(index), projection(before))
  for (const [IndexName, before] of existing) {
    const index = declared.get(IndexName)
    if (index === undefined || isOther(index, before))
      update(`removes the index ${IndexName}`, { Delete: { IndexName } })
  }
  for (const [IndexName, index] of declared) {
    const before = existing.get(IndexName)
    if (before === undefined || isOther(index, before)) {
      const used = new Set(keysOf([create, index, ...listOf(create['LocalSecondaryIndexes']).map(objectOf)]))
      for (const other of declared.values()) for (const name of keysOf([other])) used.add(name)
      const definitions = listOf(AttributeDefinitions).filter((one) => used.has(objectOf(one)['AttributeName'] ?? null))
      update(`adds the index ${IndexName}`, { Create: index }, { AttributeDefinitions: definitions })
    } else if (BillingMode === 'PROVISIONED' && isProvisioned(current) && !isSame(unitsOf(index), unitsOf(before))) {
      const { ProvisionedThroughput } = index
      update(`changes the capacity of the index ${IndexName}`, { Update: { IndexName, ProvisionedThroughput } })
    }
  }
  return steps
}

function byName(table: JsonObject): ReadonlyMap<string, JsonObject> {
  const indexes = listOf(table['GlobalSecondaryIndexes']).map(objectOf)
  return new Map(indexes.map((index) => [String(index['IndexName']), index]))
}

function projection(index: JsonObject): Json {
  const { ProjectionType, NonKeyAttributes } = objectOf(index['Projection'])
  return [ProjectionType ?? 'ALL', listOf(NonKeyAttributes).map(String).toSorted()]
}

function keysOf(owners: readonly JsonObject[]): readonly Json[] {
  return owners.flatMap((owner) => listOf(owner['KeySchema']).map((part) => objectOf(part)['AttributeName'] ?? null))
}

function isProvisioned(table: JsonObject): boolean {
  return (objectOf(table['BillingModeSummary'])['BillingMode'] ?? 'PROVISIONED') === 'PROVISIONED'
}

function unitsOf(owner: JsonObject): Json {
  const { ReadCapacityUnits, WriteCapacityUnits } = objectOf(owner['ProvisionedThroughput'])
  return [ReadCapacityUnits ?? null, WriteCapacityUnits ?? null]
}
