import type { AttributeType } from '@hashrange/core'

/** A query as it is being built: text as it was typed. It stands in the URL, so every part of it can be anything. */
export interface QueryDraft {
  /** Empty for the table itself. */
  readonly index: string
  /** A value for each attribute of the partition key; indexes have up to four. */
  readonly partition: readonly string[]
  /** A condition for each attribute of the sort key. */
  readonly sort: readonly SortTerm[]
  readonly filter: FilterGroup
  /** Paths, with commas in between. */
  readonly projection: string
  readonly isConsistent: boolean
  readonly isDescending: boolean
  readonly limit: string
}

export const sortOperators = ['any', '=', '<', '<=', '>', '>=', 'between', 'begins_with'] as const
export type SortOperator = (typeof sortOperators)[number]

export interface SortTerm {
  readonly operator: SortOperator
  readonly value: string
  /** The upper bound of `between`. */
  readonly to: string
}

export interface FilterGroup {
  readonly kind: 'group'
  readonly join: 'AND' | 'OR'
  readonly isNegated: boolean
  readonly nodes: readonly FilterNode[]
}

export interface FilterCondition {
  readonly kind: 'condition'
  /** `address.city`, `tags[0]`, `"a.b"`. */
  readonly path: string
  readonly operator: FilterOperator
  readonly type: AttributeType
  readonly value: string
  readonly to: string
}

export type FilterNode = FilterGroup | FilterCondition

export const filterOperators = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'between',
  'in',
  'begins_with',
  'contains',
  'not contains',
  'exists',
  'not exists',
  'type',
  'size =',
  'size <>',
  'size <',
  'size <=',
  'size >',
  'size >=',
] as const
export type FilterOperator = (typeof filterOperators)[number]

export const valueTypes = ['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS'] as const

export const noFilter: FilterGroup = { kind: 'group', join: 'AND', isNegated: false, nodes: [] }
export const anySort: SortTerm = { operator: 'any', value: '', to: '' }

export const emptyDraft: QueryDraft = {
  index: '',
  partition: [],
  sort: [],
  filter: noFilter,
  projection: '',
  isConsistent: false,
  isDescending: false,
  limit: '',
}

export function newCondition(): FilterCondition {
  return { kind: 'condition', path: '', operator: '=', type: 'S', value: '', to: '' }
}

/** Far beyond what the service takes; what a URL has beyond it is left out. */
const deepest = 8
const mostNodes = 100

/** Turns the contents of a link into a draft. */
export function checkDraft(value: unknown): QueryDraft {
  const given = recordOf(value)
  return {
    index: stringOf(given['index']),
    partition: listOf(given['partition']).slice(0, 4).map(stringOf),
    sort: listOf(given['sort']).slice(0, 4).map(checkSort),
    filter: checkGroup(given['filter'], 0),
    projection: stringOf(given['projection']),
    isConsistent: given['isConsistent'] === true,
    isDescending: given['isDescending'] === true,
    limit: stringOf(given['limit']),
  }
}

/** Without what is as it is in an empty draft, so that links stay short. */
export function compactDraft(draft: QueryDraft): Partial<QueryDraft> {
  const entries = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(emptyDraft[name as keyof QueryDraft]),
  )
  return Object.fromEntries(entries)
}

function checkSort(value: unknown): SortTerm {
  const given = recordOf(value)
  return {
    operator: sortOperators.find((operator) => operator === given['operator']) ?? 'any',
    value: stringOf(given['value']),
    to: stringOf(given['to']),
  }
}

export function checkGroup(value: unknown, depth: number): FilterGroup {
  const given = recordOf(value)
  return {
    kind: 'group',
    join: given['join'] === 'OR' ? 'OR' : 'AND',
    isNegated: given['isNegated'] === true,
    nodes: listOf(given['nodes'])
      .slice(0, mostNodes)
      .flatMap((node) => checkNode(node, depth + 1)),
  }
}

function checkNode(value: unknown, depth: number): FilterNode[] {
  const given = recordOf(value)
  if (given['kind'] === 'group') return depth > deepest ? [] : [checkGroup(given, depth)]
  return [
    {
      kind: 'condition',
      path: stringOf(given['path']),
      operator: filterOperators.find((operator) => operator === given['operator']) ?? '=',
      type: valueTypes.find((type) => type === given['type']) ?? 'S',
      value: stringOf(given['value']),
      to: stringOf(given['to']),
    },
  ]
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
