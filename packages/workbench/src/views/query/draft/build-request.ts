import { setAttribute } from '@hashrange/core'
import type { AttributeValue, TableDescription } from '../../../api-types.ts'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { TextMistake } from '../../../values/json-text.ts'
import { parsePath, splitPaths } from './attribute-path.ts'
import {
  anySort,
  type FilterCondition,
  type FilterGroup,
  type FilterNode,
  type QueryDraft,
  type SortTerm,
} from './draft.ts'
import { isGlobalIndex, keyShapeOf, type KeyAttribute, type KeyShape } from './key-schema.ts'
import { Placeholders } from './placeholders.ts'
import { parseValue, parseValues } from './value-text.ts'

/** What a draft asks for: with the whole key of an item a GetItem, with its partition key a Query, else a Scan. */
export interface BuiltRequest {
  readonly request: ServiceRequest
  /** What has to be corrected first, by the place it is in: `partition.0`, `sort.1`, `filter.0.2`, `projection`, `limit`. */
  readonly problems: ReadonlyMap<string, string>
}

export function buildRequest(draft: QueryDraft, table: TableDescription): BuiltRequest {
  const problems = new Map<string, string>()
  const key = keyShapeOf(table, draft.index)
  if (key.partition.length === 0) problems.set('index', `The index ${draft.index} no longer exists.`)
  const placeholders = new Placeholders()
  const partition = partitionValues(draft, key, problems)
  const terms = sortTerms(draft, key, problems)
  const projection = projectionOf(draft, placeholders, problems)
  const limit = limitOf(draft, problems)
  const common = {
    TableName: table.TableName,
    ...(draft.index !== '' && { IndexName: draft.index }),
  }
  const consistent = draft.isConsistent && !isGlobalIndex(table, draft.index) ? { ConsistentRead: true } : {}
  if (draft.isConsistent && isGlobalIndex(table, draft.index)) {
    problems.set(
      'isConsistent',
      'Global secondary indexes do not support strongly consistent reads. Turn this off, or read the table or a local secondary index.',
    )
  }
  const single = draft.index === '' && isEmpty(draft.filter) ? wholeKey(key, partition, terms) : undefined
  if (single !== undefined) {
    const input = { ...common, Key: single, ...projection, ...names(placeholders), ...consistent }
    return { request: { operation: 'GetItem', input }, problems }
  }
  const keyCondition = partition === undefined ? undefined : conditionOf(key, partition, terms, placeholders)
  if (partition === undefined && terms.length > 0) {
    problems.set('partition.0', 'A condition on the sort key needs the partition key.')
  }
  const filter = conditionOfGroup(draft.filter, placeholders, problems)
  return {
    request: {
      operation: keyCondition === undefined ? 'Scan' : 'Query',
      input: {
        ...common,
        ...(keyCondition !== undefined && { KeyConditionExpression: keyCondition }),
        ...(filter !== undefined && { FilterExpression: filter }),
        ...projection,
        ...placeholders.members(),
        ...(keyCondition !== undefined && draft.isDescending && { ScanIndexForward: false }),
        ...consistent,
        ...(limit !== undefined && { Limit: limit }),
      },
    },
    problems,
  }
}

type Problems = Map<string, string>

interface KeyTerm {
  readonly attribute: KeyAttribute
  readonly operator: SortTerm['operator']
  readonly value: AttributeValue
  readonly to: AttributeValue | undefined
}

/** Undefined if no partition is named. */
function partitionValues(
  draft: QueryDraft,
  key: KeyShape,
  problems: Problems,
): readonly AttributeValue[] | undefined {
  const texts = key.partition.map((_, position) => draft.partition[position] ?? '')
  if (texts.every((text) => text === '')) return undefined
  return key.partition.flatMap((attribute, position) => {
    const text = texts[position] ?? ''
    if (text === '') {
      problems.set(
        `partition.${String(position)}`,
        'A Query needs every attribute of the partition key. For a Scan, leave all of them empty.',
      )
      return []
    }
    return attempt(problems, `partition.${String(position)}`, () => parseValue(text, attribute.type)) ?? []
  })
}

/** Conditions go from left to right: all but the last say what is equal. */
function sortTerms(draft: QueryDraft, key: KeyShape, problems: Problems): readonly KeyTerm[] {
  const terms: KeyTerm[] = []
  let open: string | undefined
  for (const [position, attribute] of key.sort.entries()) {
    const { operator, value: text, to: upper } = draft.sort[position] ?? anySort
    const place = `sort.${String(position)}`
    if (operator === 'any' || (text === '' && upper === '')) {
      open ??= attribute.name
      continue
    }
    if (open !== undefined) {
      problems.set(place, `A condition on ${attribute.name} needs ${open} = … first.`)
      continue
    }
    if (operator !== '=') open = attribute.name
    if (operator === 'begins_with' && attribute.type === 'N') {
      problems.set(place, 'begins_with works with strings and binary, not with numbers.')
      continue
    }
    const value = attempt(problems, place, () => parseValue(text, attribute.type))
    const to =
      operator === 'between' ? attempt(problems, place, () => parseValue(upper, attribute.type)) : undefined
    if (operator === 'between' && (text === '' || upper === '')) problems.set(place, 'BETWEEN needs both values.')
    else if (value !== undefined) terms.push({ attribute, operator, value, to })
  }
  return terms
}

/** The key of one item, if all of it is given. */
function wholeKey(
  key: KeyShape,
  partition: readonly AttributeValue[] | undefined,
  terms: readonly KeyTerm[],
): Readonly<Record<string, AttributeValue>> | undefined {
  if (partition?.length !== key.partition.length) return undefined
  if (terms.length !== key.sort.length || terms.some(({ operator }) => operator !== '=')) return undefined
  const whole: Record<string, AttributeValue> = {}
  for (const [position, { name }] of key.partition.entries()) {
    const value = partition[position]
    if (value !== undefined) setAttribute(whole, name, value)
  }
  for (const { attribute, value } of terms) setAttribute(whole, attribute.name, value)
  return whole
}

function conditionOf(
  key: KeyShape,
  partition: readonly AttributeValue[],
  terms: readonly KeyTerm[],
  placeholders: Placeholders,
): string {
  const equalities = partition.map((value, position) => {
    const name = key.partition[position]?.name ?? ''
    return `${placeholders.name(name)} = ${placeholders.value(value, name)}`
  })
  const sorts = terms.map(({ attribute, operator, value, to }) => {
    const name = placeholders.name(attribute.name)
    if (operator === 'begins_with') return `begins_with(${name}, ${placeholders.value(value, attribute.name)})`
    if (operator === 'between' && to !== undefined) {
      const from = placeholders.value(value, `${attribute.name}_from`)
      return `${name} BETWEEN ${from} AND ${placeholders.value(to, `${attribute.name}_to`)}`
    }
    return `${name} ${operator} ${placeholders.value(value, attribute.name)}`
  })
  return [...equalities, ...sorts].join(' AND ')
}

function projectionOf(
  draft: QueryDraft,
  placeholders: Placeholders,
  problems: Problems,
): { ProjectionExpression?: string } {
  const paths = splitPaths(draft.projection).flatMap(
    (path) => attempt(problems, 'projection', () => placeholders.path(parsePath(path))) ?? [],
  )
  return paths.length === 0 ? {} : { ProjectionExpression: [...new Set(paths)].join(', ') }
}

function limitOf(draft: QueryDraft, problems: Problems): number | undefined {
  const text = draft.limit.trim()
  if (text === '') return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  problems.set('limit', 'Enter a whole number, 1 or more.')
  return undefined
}

function names(placeholders: Placeholders): object {
  const { ExpressionAttributeNames } = placeholders.members()
  return ExpressionAttributeNames === undefined ? {} : { ExpressionAttributeNames }
}

/** Rows in which no attribute is named yet are not there. */
function isEmpty(node: FilterNode): boolean {
  return node.kind === 'group' ? node.nodes.every(isEmpty) : node.path.trim() === ''
}

/** The expression of a group; problems are under `filter.…`. */
export function conditionOfGroup(
  group: FilterGroup,
  placeholders: Placeholders,
  problems: Map<string, string>,
): string | undefined {
  const text = groupText(group, placeholders, problems, 'filter')
  return text?.replace(/^\(([^]*)\)$/, (whole, inner: string) => (isBalanced(inner) ? inner : whole))
}

function groupText(
  group: FilterGroup,
  placeholders: Placeholders,
  problems: Problems,
  place: string,
): string | undefined {
  const texts = group.nodes.flatMap((node, position) => {
    const inner = `${place}.${String(position)}`
    if (isEmpty(node)) return []
    if (node.kind === 'group') return groupText(node, placeholders, problems, inner) ?? []
    return attempt(problems, inner, () => conditionText(node, placeholders)) ?? []
  })
  if (texts.length === 0) return undefined
  const joined = texts.length === 1 ? (texts[0] ?? '') : `(${texts.join(` ${group.join} `)})`
  return group.isNegated ? `NOT ${texts.length === 1 ? `(${joined})` : joined}` : joined
}

/** Whether the first parenthesis of `(text)` is closed by its last. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}

function conditionText(condition: FilterCondition, placeholders: Placeholders): string {
  const steps = parsePath(condition.path)
  const path = placeholders.path(steps)
  const hint = steps.findLast((step) => step.kind === 'name')?.name ?? 'value'
  const { operator, type, value, to } = condition
  const operand = (text: string, name = hint): string => placeholders.value(parseValue(text, type), name)
  switch (operator) {
    case 'exists':
      return `attribute_exists(${path})`
    case 'not exists':
      return `attribute_not_exists(${path})`
    case 'type':
      return `attribute_type(${path}, ${placeholders.value({ S: type }, `${hint}_type`)})`
    case 'begins_with':
      if (type !== 'S' && type !== 'B') throw new TextMistake('begins_with works only with strings and binary.', 0)
      return `begins_with(${path}, ${operand(value)})`
    case 'contains':
      return `contains(${path}, ${operand(value)})`
    case 'not contains':
      return `NOT contains(${path}, ${operand(value)})`
    case 'between':
      return `${path} BETWEEN ${operand(value, `${hint}_from`)} AND ${operand(to, `${hint}_to`)}`
    case 'in': {
      const values = parseValues(value, type).map((each) => placeholders.value(each, hint))
      return `${path} IN (${values.join(', ')})`
    }
    case 'size =':
    case 'size <>':
    case 'size <':
    case 'size <=':
    case 'size >':
    case 'size >=':
      return `size(${path}) ${operator.slice('size '.length)} ${placeholders.value(parseValue(value, 'N'), `${hint}_size`)}`
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `${path} ${operator} ${operand(value)}`
  }
}

function attempt<Result>(problems: Problems, place: string, make: () => Result): Result | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TextMistake)) throw error
    problems.set(place, error.message)
    return undefined
  }
}
