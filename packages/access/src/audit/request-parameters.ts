import { isRecord, type JsonRecord } from './json-record.ts'

/** The names of a table's key attributes, if there is such a table. */
export type KeyNamesOf = (tableName: string) => readonly string[] | undefined

/** What is told of a call on items: as CloudTrail does it, the keys and the names of attributes, and no other value. Everything that is not known here is left out. */
export function dataParameters(operation: string, input: unknown, keyNamesOf: KeyNamesOf): JsonRecord | null {
  if (!isRecord(input)) return null
  switch (operation) {
    case 'BatchGetItem':
      return { ...plainParts(input), requestItems: mapOf(input['RequestItems'], (request) => batchRead(request)) }
    case 'BatchWriteItem':
      return {
        ...plainParts(input),
        requestItems: mapOf(input['RequestItems'], (requests, table) => batchWrites(requests, keyNamesOf(table))),
      }
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return {
        ...plainParts(input),
        transactItems: listOf(input['TransactItems'], (part) => transactPart(part, keyNamesOf)),
      }
    case 'ExecuteStatement':
      return { ...plainParts(input), ...statementParts(input) }
    case 'BatchExecuteStatement':
      return { ...plainParts(input), statements: listOf(input['Statements'], statementParts) }
    case 'ExecuteTransaction':
      return { ...plainParts(input), transactStatements: listOf(input['TransactStatements'], statementParts) }
    default:
      return itemParts(input, keyNamesOf)
  }
}

/** Lists are told up to here: CloudTrail's records are bounded, and so are ours. */
const mostParts = 100

function transactPart(part: unknown, keyNamesOf: KeyNamesOf): JsonRecord {
  return mapOf(part, (action) => (isRecord(action) ? itemParts(action, keyNamesOf) : null), lowerFirst)
}

function itemParts(input: JsonRecord, keyNamesOf: KeyNamesOf): JsonRecord {
  const parts: JsonRecord = plainParts(input)
  const { Key: key, Item: item, TableName: tableName } = input
  if (isRecord(key)) parts['key'] = key
  if (isRecord(item)) {
    const keyNames = typeof tableName === 'string' ? keyNamesOf(tableName) : undefined
    if (keyNames !== undefined) parts['key'] = picked(item, keyNames)
    parts['item'] = Object.keys(item).slice(0, mostParts)
  }
  for (const name of namesOnly) {
    const map = input[name]
    if (isRecord(map)) parts[lowerFirst(name)] = Object.keys(map).slice(0, mostParts)
  }
  return parts
}

/** Maps whose keys are names of attributes and whose values are theirs. */
const namesOnly = ['AttributeUpdates', 'Expected', 'QueryFilter', 'ScanFilter', 'KeyConditions']

/** Expressions name attributes; their values stand in ExpressionAttributeValues, which is left out. */
const plainNames = [
  'TableName',
  'IndexName',
  'StreamArn',
  'ShardId',
  'ShardIteratorType',
  'SequenceNumber',
  'Limit',
  'Select',
  'Segment',
  'TotalSegments',
  'ConsistentRead',
  'ScanIndexForward',
  'ConditionalOperator',
  'ReturnValues',
  'ReturnConsumedCapacity',
  'ReturnItemCollectionMetrics',
  'ReturnValuesOnConditionCheckFailure',
  'ConditionExpression',
  'UpdateExpression',
  'FilterExpression',
  'ProjectionExpression',
  'KeyConditionExpression',
  'ClientRequestToken',
  'ShardIterator',
]

function plainParts(input: JsonRecord): JsonRecord {
  const parts: JsonRecord = {}
  for (const name of plainNames) {
    const value = input[name]
    if (typeof value === 'string') parts[lowerFirst(name)] = value.slice(0, mostText)
    else if (typeof value === 'number' || typeof value === 'boolean') parts[lowerFirst(name)] = value
  }
  const { ExpressionAttributeNames: names, AttributesToGet: wanted } = input
  if (isRecord(names)) parts['expressionAttributeNames'] = mapOf(names, (name) => String(name).slice(0, mostText))
  if (Array.isArray(wanted)) parts['attributesToGet'] = wanted.slice(0, mostParts).map(String)
  return parts
}

const mostText = 4096

function batchRead(request: unknown): JsonRecord | null {
  if (!isRecord(request)) return null
  return { ...plainParts(request), keys: listOf(request['Keys'], (key) => (isRecord(key) ? key : null)) }
}

function batchWrites(requests: unknown, keyNames: readonly string[] | undefined): unknown {
  return listOf(requests, (request) => {
    if (!isRecord(request)) return null
    const { PutRequest: put, DeleteRequest: removal } = request
    if (isRecord(put) && isRecord(put['Item'])) {
      const key = keyNames === undefined ? {} : { key: picked(put['Item'], keyNames) }
      return { putRequest: { ...key, item: Object.keys(put['Item']).slice(0, mostParts) } }
    }
    return isRecord(removal) && isRecord(removal['Key']) ? { deleteRequest: { key: removal['Key'] } } : null
  })
}

/** A statement without its values, and without its parameters. */
function statementParts(input: unknown): JsonRecord {
  const statement = isRecord(input) ? input['Statement'] : undefined
  return typeof statement === 'string' ? { statement: withoutLiterals(statement.slice(0, mostText)) } : {}
}

export function withoutLiterals(statement: string): string {
  return statement.replaceAll(namesAndLiterals, (part) =>
    part.startsWith('"') ? part : part.startsWith("'") ? "'***'" : '***',
  )
}

/** A name in double quotes, a text, or a number that is not part of a name. */
const namesAndLiterals = /"[^"]*(?:"|$)|'(?:[^']|'')*(?:'|$)|(?<![\w$.#:])[-+]?\d[\w.+-]*/g

function picked(item: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]]))
}

function listOf(list: unknown, part: (value: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.slice(0, mostParts).map(part) : null
}

function mapOf(
  map: unknown,
  part: (value: unknown, name: string) => unknown,
  nameOf: (name: string) => string = (name) => name,
): JsonRecord {
  if (!isRecord(map)) return {}
  const parts = Object.entries(map).slice(0, mostParts)
  return Object.fromEntries(parts.map(([name, value]) => [nameOf(name), part(value, name)]))
}

export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
