import {
  isObject,
  listOf,
  objectOf,
  partOf,
  type CapacityUnits,
  type Json,
  type JsonObject,
} from '../table-design.ts'

/** Whether two values say the same, whatever the order of their names. */
export function isSame(one: Json, other: Json): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join()}}`
}

/** The attributes of a key, with the type of each. `owner` has the key; the types are declared by the table. */
export function keyTypes(table: JsonObject, owner: JsonObject = table): Json {
  const types = new Map(
    listOf(table['AttributeDefinitions'])
      .map(objectOf)
      .map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType ?? null]),
  )
  return listOf(owner['KeySchema'])
    .map(objectOf)
    .map(({ AttributeName, KeyType }) => [AttributeName ?? null, KeyType ?? null, types.get(AttributeName) ?? null])
}

/** The capacity that a table or an index should have: what auto scaling has set is not set back. Undefined if it has it. */
export function wantedCapacity(
  declared: JsonObject,
  current: JsonObject,
  indexName: string,
  scaled: ReadonlySet<string> | undefined,
): JsonObject | undefined {
  const before = capacityIn(current)
  const wanted = capacityIn(declared)
  for (const units of ['ReadCapacityUnits', 'WriteCapacityUnits'] as const)
    if (scaled?.has(partOf(indexName, units)) === true) wanted[units] = before[units]
  return isSame(wanted, before) ? undefined : wanted
}

function capacityIn(owner: JsonObject): Record<CapacityUnits, Json> {
  const { ReadCapacityUnits, WriteCapacityUnits } = objectOf(owner['ProvisionedThroughput'])
  return { ReadCapacityUnits: ReadCapacityUnits ?? null, WriteCapacityUnits: WriteCapacityUnits ?? null }
}

/** A key is named by its ARN, its ID or an alias. */
export function isKey(wanted: string, currentArn: string): boolean {
  return wanted === currentArn || currentArn.endsWith(`:${wanted}`) || currentArn.endsWith(`:key/${wanted}`)
}
