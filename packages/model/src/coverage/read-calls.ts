import type { NamedItem, RecordedCall, RecordedRead } from './recorded-call.ts'

type Fields = Readonly<Record<string, unknown>>

/** The calls on items in a log in CloudTrail's form: one record a line, as `hashrange start --audit-log` writes them, or
 *  `{ "Records": […] }`, as AWS does. Refused calls, and what is not a call on items, are left out. */
export function readCalls(text: string): readonly RecordedCall[] {
  return recordsIn(text).flatMap((record) => callOf(record) ?? [])
}

function recordsIn(text: string): readonly Fields[] {
  const whole = parsed(text)
  if (whole !== undefined) return Array.isArray(whole['Records']) ? whole['Records'].filter(isFields) : [whole]
  return text.split('\n').flatMap((line) => {
    const record = line.trim() === '' ? undefined : parsed(line)
    return record === undefined ? [] : [record]
  })
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

const readOperations = new Set(['Query', 'Scan'])
const itemActions: Readonly<Record<string, NamedItem['action']>> = {
  GetItem: 'get',
  PutItem: 'put',
  UpdateItem: 'update',
  DeleteItem: 'delete',
}

function callOf(record: Fields): RecordedCall | undefined {
  const operation = record['eventName']
  const parameters = record['requestParameters']
  const atMs = Date.parse(String(record['eventTime']))
  if (typeof operation !== 'string' || !isFields(parameters) || record['errorCode'] !== undefined) return undefined
  if (record['eventSource'] !== 'dynamodb.amazonaws.com' || Number.isNaN(atMs)) return undefined
  const call = { operation, atMs }
  if (readOperations.has(operation)) return { ...call, items: [], read: readOf(parameters) }
  const action = itemActions[operation]
  if (action !== undefined) return { ...call, items: [itemOf(action, parameters)] }
  switch (operation) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return { ...call, items: Object.entries(fieldsIn(parameters, 'requestItems')).flatMap(batchItems) }
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return { ...call, items: listIn(parameters, 'transactItems').flatMap(transactItems) }
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      return { ...call, items: [] }
    default:
      return undefined
  }
}

function readOf(parameters: Fields): RecordedRead {
  const condition = textIn(parameters, 'keyConditionExpression') ?? ''
  // Numbers of AND tell nothing: BETWEEN has one of its own.
  const sort = /begins_with/i.test(condition) ? 'prefix' : /\bBETWEEN\b|[<>]/i.test(condition) ? 'range' : 'none'
  const index = textIn(parameters, 'indexName')
  return {
    table: tableIn(parameters),
    ...(index !== undefined && { index }),
    equalities: (condition.match(/(?<![<>])=/g) ?? []).length,
    sort,
    isDescending: parameters['scanIndexForward'] === false,
    hasFilter: textIn(parameters, 'filterExpression') !== undefined,
  }
}

function itemOf(action: NamedItem['action'], parameters: Fields): NamedItem {
  const condition = textIn(parameters, 'conditionExpression') ?? ''
  const key = parameters['key']
  const names = Object.entries(fieldsIn(parameters, 'expressionAttributeNames'))
  const expression = textIn(parameters, 'updateExpression') ?? ''
  return {
    table: tableIn(parameters),
    action,
    ...(isFields(key) && { key }),
    isConditionalOnAbsence: /^\s*\(?\s*attribute_not_exists/i.test(condition),
    names: names.flatMap(([placeholder, name]) =>
      new RegExp(`${placeholder.replaceAll(/[^\w#]/g, '')}\\b`).test(expression) ? [String(name)] : [],
    ),
  }
}

function batchItems([table, requests]: readonly [string, unknown]): readonly NamedItem[] {
  const common = { table: nameOfTable(table), isConditionalOnAbsence: false, names: [] }
  if (isFields(requests)) {
    return listIn(requests, 'keys').map((key) => ({ ...common, action: 'get' as const, key }))
  }
  return (Array.isArray(requests) ? requests.filter(isFields) : []).map((request) => {
    const [kind, body] = Object.entries(request)[0] ?? []
    const key = isFields(body) && isFields(body['key']) ? body['key'] : undefined
    return { ...common, action: kind === 'deleteRequest' ? ('delete' as const) : ('put' as const), key }
  })
}

const transactActions: Readonly<Record<string, NamedItem['action']>> = {
  get: 'get',
  put: 'put',
  update: 'update',
  delete: 'delete',
  conditionCheck: 'check',
}

function transactItems(part: Fields): readonly NamedItem[] {
  return Object.entries(part).flatMap(([kind, body]) => {
    const action = transactActions[kind]
    return action === undefined || !isFields(body) ? [] : [itemOf(action, body)]
  })
}

function tableIn(parameters: Fields): string {
  return nameOfTable(textIn(parameters, 'tableName') ?? '')
}

/** A table may be named by its ARN. */
function nameOfTable(name: string): string {
  return /^arn:[^/]*:table\/([^/]+)/.exec(name)?.[1] ?? name
}

function textIn(from: Fields, name: string): string | undefined {
  const value = from[name]
  return typeof value === 'string' ? value : undefined
}

function fieldsIn(from: Fields, name: string): Fields {
  const value = from[name]
  return isFields(value) ? value : {}
}

function listIn(from: Fields, name: string): readonly Fields[] {
  const value = from[name]
  return Array.isArray(value) ? value.filter(isFields) : []
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
