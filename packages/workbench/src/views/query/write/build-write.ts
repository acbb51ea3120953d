import { attributeOf, setAttribute, type Item } from '@hashrange/core'
import type { TableDescription } from '../../../api-types.ts'
import type { BatchEntry, ItemChange, TransactItem, WriteRequest } from '../../../codegen/service-request.ts'
import { fromDynamoDbJson, fromPlainJson } from '../../../values/item-json.ts'
import { TextMistake } from '../../../values/json-text.ts'
import { parsePath } from '../draft/attribute-path.ts'
import { conditionOfGroup } from '../draft/build-request.ts'
import { keyShapeOf, type KeyAttribute } from '../draft/key-schema.ts'
import { Placeholders } from '../draft/placeholders.ts'
import { parseValue } from '../draft/value-text.ts'
import type { AttributeChange, WriteDraft, WriteRow } from './write-draft.ts'

/** What a draft comes to: one row is a request of its own, several are a transaction or a batch. */
export interface BuiltWrite {
  readonly request: WriteRequest
  /** What has to be corrected first, by the row and the place in it: `0.item`, `1.key.0`, `2.changes.1`, `0.filter.0`. */
  readonly problems: ReadonlyMap<string, string>
}

export function buildWrite(draft: WriteDraft, table: TableDescription): BuiltWrite {
  const problems = new Map<string, string>()
  const changes = draft.rows.map((row, position) => changeOf(row, table, problems, String(position)))
  const [row] = draft.rows
  const [change] = changes
  if (draft.rows.length === 1 && row !== undefined && change !== undefined) {
    if (row.kind === 'check') problems.set('0.kind', 'A check stands beside other changes, in a transaction.')
    return { request: singleRequest(row, change, draft.returns), problems }
  }
  if (draft.way === 'transaction') {
    const TransactItems = changes.map((each, position): TransactItem => {
      const { kind } = draft.rows[position] ?? { kind: 'put' }
      return { [members[kind]]: each }
    })
    return { request: { operation: 'TransactWriteItems', input: { TransactItems } }, problems }
  }
  const entries = changes.map((each, position): BatchEntry => {
    const { kind } = draft.rows[position] ?? { kind: 'put' }
    if (kind !== 'put' && kind !== 'delete') {
      problems.set(`${position}.kind`, 'A batch puts and deletes items. Send updates and checks as a transaction.')
    }
    if (each.ConditionExpression !== undefined) {
      problems.set(`${position}.kind`, 'A batch has no conditions. Remove them, or send a transaction.')
    }
    return each.Item === undefined
      ? { DeleteRequest: { Key: each.Key ?? {} } }
      : { PutRequest: { Item: each.Item } }
  })
  if (entries.length > 25) problems.set('25.kind', 'A batch has at most 25 entries.')
  return {
    request: { operation: 'BatchWriteItem', input: { RequestItems: { [table.TableName]: entries } } },
    problems,
  }
}

const members = { put: 'Put', update: 'Update', delete: 'Delete', check: 'ConditionCheck' } as const

function singleRequest({ kind }: WriteRow, change: ItemChange, returns: string): WriteRequest {
  const operation = kind === 'put' ? 'PutItem' : kind === 'update' ? 'UpdateItem' : 'DeleteItem'
  // Only an update can answer with more than what was there.
  const isPossible = returns !== 'NONE' && (kind === 'update' || returns === 'ALL_OLD')
  return { operation, input: { ...change, ...(isPossible && { ReturnValues: returns }) } }
}

function changeOf(
  row: WriteRow,
  table: TableDescription,
  problems: Map<string, string>,
  place: string,
): ItemChange {
  const shape = keyShapeOf(table, '')
  const key = [...shape.partition, ...shape.sort]
  const placeholders = new Placeholders()
  const { TableName } = table
  const target =
    row.kind === 'put' ? { Item: itemOf(row, key, problems, place) } : { Key: keyOf(row, key, problems, place) }
  const update = row.kind === 'update' ? updateText(row.changes, placeholders, problems, place) : undefined
  const inner = new Map<string, string>()
  const condition = conditionOfGroup(row.condition, placeholders, inner)
  for (const [where, words] of inner) problems.set(`${place}.${where}`, words)
  if (row.kind === 'check' && condition === undefined) {
    problems.set(`${place}.condition`, 'A check needs a condition.')
  }
  return {
    TableName,
    ...target,
    ...(update !== undefined && { UpdateExpression: update }),
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...placeholders.members(),
  }
}

function itemOf(row: WriteRow, key: readonly KeyAttribute[], problems: Map<string, string>, place: string): Item {
  const guide: Record<string, Item[string]> = {}
  for (const { name, type } of key) setAttribute(guide, name, parseGuide(type))
  const item = attempt(problems, `${place}.item`, () =>
    row.format === 'json' ? fromPlainJson(row.item, guide) : fromDynamoDbJson(row.item),
  )
  const missing = key.find(({ name }) => item !== undefined && attributeOf(item, name) === undefined)
  if (missing !== undefined) problems.set(`${place}.item`, `The key attribute ${missing.name} is missing.`)
  return item ?? {}
}

function parseGuide(type: KeyAttribute['type']): Item[string] {
  return type === 'S' ? { S: '' } : type === 'N' ? { N: '0' } : { B: '' }
}

function keyOf(row: WriteRow, key: readonly KeyAttribute[], problems: Map<string, string>, place: string): Item {
  const made: Record<string, Item[string]> = {}
  for (const [position, { name, type }] of key.entries()) {
    const text = row.key[position] ?? ''
    if (text === '') problems.set(`${place}.key.${position}`, 'Enter the whole key of the item.')
    const value = attempt(problems, `${place}.key.${position}`, () => parseValue(text, type))
    if (value !== undefined) setAttribute(made, name, value)
  }
  return made
}

/** The clauses in the order in which the service's documentation has them. */
function updateText(
  changes: readonly AttributeChange[],
  placeholders: Placeholders,
  problems: Map<string, string>,
  place: string,
): string | undefined {
  const clauses = { SET: [] as string[], REMOVE: [] as string[], ADD: [] as string[], DELETE: [] as string[] }
  for (const [position, change] of changes.entries()) {
    if (change.path.trim() === '') continue
    attempt(problems, `${place}.changes.${position}`, () => {
      const steps = parsePath(change.path)
      const path = placeholders.path(steps)
      const hint = steps.findLast((step) => step.kind === 'name')?.name ?? 'value'
      const value = (type = change.type): string => placeholders.value(parseValue(change.value, type), hint)
      switch (change.action) {
        case 'set':
          return clauses.SET.push(`${path} = ${value()}`)
        case 'default':
          return clauses.SET.push(`${path} = if_not_exists(${path}, ${value()})`)
        case 'append':
          return clauses.SET.push(`${path} = list_append(${path}, ${value('L')})`)
        case 'remove':
          return clauses.REMOVE.push(path)
        case 'add':
          return clauses.ADD.push(`${path} ${value()}`)
        case 'delete':
          return clauses.DELETE.push(`${path} ${value()}`)
      }
    })
  }
  const text = Object.entries(clauses)
    .filter(([, terms]) => terms.length > 0)
    .map(([word, terms]) => `${word} ${terms.join(', ')}`)
    .join(' ')
  if (text === '' && problems.size === 0) problems.set(`${place}.changes.0`, 'Name an attribute to change.')
  return text === '' ? undefined : text
}

function attempt<Result>(problems: Map<string, string>, place: string, make: () => Result): Result | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TextMistake)) throw error
    if (!problems.has(place)) problems.set(place, error.message)
    return undefined
  }
}
