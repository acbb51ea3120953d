import { isObject, listOf, objectOf, type Json, type JsonObject } from '../table-design.ts'

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

export function unitsOf(owner: JsonObject): Json {
  const { ReadCapacityUnits, WriteCapacityUnits } = objectOf(owner['ProvisionedThroughput'])
  return [ReadCapacityUnits ?? null, WriteCapacityUnits ?? null]
}
