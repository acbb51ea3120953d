import type { TableDescription } from '../../../api-types.ts'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { pathOf } from './attribute-path.ts'
import { anySort, emptyDraft, type FilterNode, type QueryDraft, type SortTerm } from './draft.ts'
import { keyShapeOf } from './key-schema.ts'
import { typedText } from './value-text.ts'

/** A request that a pattern made, as a draft to be changed by hand. */
export function draftOfRequest({ operation, input }: ServiceRequest, table: TableDescription): QueryDraft {
  const index = input.IndexName ?? ''
  const key = keyShapeOf(table, index)
  const terms = operation === 'GetItem' ? keyTerms(input) : conditionTerms(input.KeyConditionExpression, input)
  const termOf = (name: string): SortTerm => terms.find((term) => term.name === name)?.term ?? anySort
  return {
    ...emptyDraft,
    index,
    partition: key.partition.map(({ name }) => termOf(name).value),
    sort: key.sort.map(({ name }) => termOf(name)),
    filter: { ...emptyDraft.filter, nodes: filterNodes(input) },
    isConsistent: input.ConsistentRead === true,
    isDescending: input.ScanIndexForward === false,
    limit: input.Limit === undefined ? '' : String(input.Limit),
  }
}

interface NamedTerm {
  readonly name: string
  readonly term: SortTerm
}

function keyTerms(input: ServiceRequest['input']): NamedTerm[] {
  return Object.entries(input.Key ?? {}).map(([name, value]) => ({
    name,
    term: { operator: '=', value: typedText(value), to: '' },
  }))
}

/** The forms that key conditions have. */
const pattern = /begins_with\((#\w+), (:\w+)\)|(#\w+) BETWEEN (:\w+) AND (:\w+)|(#\w+) (=|<=|>=|<|>) (:\w+)/g

function conditionTerms(expression: string | undefined, input: ServiceRequest['input']): NamedTerm[] {
  const nameOf = (placeholder = ''): string => input.ExpressionAttributeNames?.[placeholder] ?? placeholder
  const valueText = (placeholder = ''): string => {
    const value = input.ExpressionAttributeValues?.[placeholder]
    return value === undefined ? '' : typedText(value)
  }
  return [...(expression ?? '').matchAll(pattern)].map((match): NamedTerm => {
    const [, beginsName, begins, betweenName, from, to, name, operator, value] = match
    if (beginsName !== undefined) {
      return { name: nameOf(beginsName), term: { operator: 'begins_with', value: valueText(begins), to: '' } }
    }
    if (betweenName !== undefined) {
      return { name: nameOf(betweenName), term: { operator: 'between', value: valueText(from), to: valueText(to) } }
    }
    return {
      name: nameOf(name),
      term: { operator: operator as SortTerm['operator'], value: valueText(value), to: '' },
    }
  })
}

/** Patterns filter by equality alone. */
function filterNodes(input: ServiceRequest['input']): FilterNode[] {
  return [...(input.FilterExpression ?? '').matchAll(/(#\w+) = (:\w+)/g)].flatMap(
    ([, name = '', placeholder = '']) => {
      const value = input.ExpressionAttributeValues?.[placeholder]
      const [type] = Object.keys(value ?? {})
      if (value === undefined || type === undefined) return []
      const path = pathOf(input.ExpressionAttributeNames?.[name] ?? name)
      return [{ kind: 'condition', path, operator: '=', type: type as never, value: typedText(value), to: '' }]
    },
  )
}
