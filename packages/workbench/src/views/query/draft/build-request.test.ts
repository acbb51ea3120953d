import { describe, expect, test } from 'vitest'
import { tableOf } from '../../../api/testing/table-of.ts'
import { buildRequest } from './build-request.ts'
import { checkDraft, compactDraft, emptyDraft, noFilter, type FilterCondition, type QueryDraft } from './draft.ts'
import { draftOfRequest } from './draft-of-request.ts'
import { legendOf } from './legend.ts'
import { readableRequest } from './readable-request.ts'
import { describeRequest } from './describe-draft.ts'

const table = tableOf(
  'shop',
  { pk: 'S', sk: 'S', season: 'S', country: 'S', rating: 'N', name: 'S' },
  { partition: ['pk'], sort: ['sk'] },
  { byCountry: { partition: ['season', 'country'], sort: ['rating', 'name'] } },
)

const draft = (changes: Partial<QueryDraft>): QueryDraft => ({ ...emptyDraft, ...changes })
const term = (operator: string, value: string, to = '') => ({ operator, value, to }) as QueryDraft['sort'][number]
const condition = (path: string, changes: Partial<FilterCondition> = {}): FilterCondition => ({
  kind: 'condition',
  path,
  operator: '=',
  type: 'S',
  value: 'x',
  to: '',
  ...changes,
})
const filtered = (...nodes: QueryDraft['filter']['nodes']): QueryDraft => draft({ filter: { ...noFilter, nodes } })
const filterOf = (given: QueryDraft): string | undefined =>
  buildRequest(given, table).request.input.FilterExpression

describe('the operation', () => {
  test('is a GetItem with the whole key', () => {
    const { request, problems } = buildRequest(draft({ partition: ['a'], sort: [term('=', 'b')] }), table)
    expect(request).toEqual({
      operation: 'GetItem',
      input: { TableName: 'shop', Key: { pk: { S: 'a' }, sk: { S: 'b' } } },
    })
    expect(problems.size).toBe(0)
  })
  test('is a Query with a partition key, and with the whole key if there is a filter', () => {
    const whole = draft({ partition: ['a'], sort: [term('=', 'b')], isDescending: true, limit: '5' })
    expect(buildRequest({ ...whole, filter: { ...noFilter, nodes: [condition('x')] } }, table).request).toEqual({
      operation: 'Query',
      input: {
        TableName: 'shop',
        KeyConditionExpression: '#pk = :pk AND #sk = :sk',
        FilterExpression: '#x = :x',
        ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk', '#x': 'x' },
        ExpressionAttributeValues: { ':pk': { S: 'a' }, ':sk': { S: 'b' }, ':x': { S: 'x' } },
        ScanIndexForward: false,
        Limit: 5,
      },
    })
    expect(buildRequest(draft({ partition: ['a'] }), table).request.operation).toBe('Query')
  })
  test('is a Scan without one, and then nothing can be said of the sort key', () => {
    expect(buildRequest(emptyDraft, table).request).toEqual({ operation: 'Scan', input: { TableName: 'shop' } })
    const { problems } = buildRequest(draft({ sort: [term('begins_with', 'A')] }), table)
    expect(problems.get('partition.0')).toBe('A condition on the sort key needs the partition key.')
  })
})

describe('key conditions', () => {
  test.each([
    [term('<', 'x'), '#sk < :sk'],
    [term('>=', 'x'), '#sk >= :sk'],
    [term('begins_with', 'x'), 'begins_with(#sk, :sk)'],
    [term('between', 'x', 'y'), '#sk BETWEEN :sk_from AND :sk_to'],
  ])('%j', (sort, text) => {
    const { request } = buildRequest(draft({ partition: ['a'], sort: [sort] }), table)
    expect(request.input.KeyConditionExpression).toBe(`#pk = :pk AND ${text}`)
  })
  test('of an index with several attributes go from left to right', () => {
    const given = draft({
      index: 'byCountry',
      partition: ['s1', 'IT'],
      sort: [term('=', '1500'), term('begins_with', 'A')],
    })
    const { request, problems } = buildRequest(given, table)
    expect(request.input.KeyConditionExpression).toBe(
      '#season = :season AND #country = :country AND #rating = :rating AND begins_with(#name, :name)',
    )
    expect(request.input.ExpressionAttributeValues?.[':rating']).toEqual({ N: '1500' })
    expect(problems.size).toBe(0)
    const skipped = buildRequest({ ...given, sort: [term('>', '1500'), term('=', 'A')] }, table).problems
    expect(skipped.get('sort.1')).toBe('A condition on name needs rating = … first.')
    const half = buildRequest({ ...given, partition: ['s1', ''] }, table).problems
    expect(half.get('partition.1')).toContain('every attribute of the partition key')
  })
  test('say what is wrong with a value where it is', () => {
    const { problems } = buildRequest(
      draft({
        index: 'byCountry',
        partition: ['s', 'c'],
        sort: [term('>', 'many')],
        limit: '0',
        isConsistent: true,
      }),
      table,
    )
    expect([...problems.keys()].toSorted()).toEqual(['isConsistent', 'limit', 'sort.0'])
    expect(problems.get('sort.0')).toBe('"many" is not a number.')
    expect(buildRequest(draft({ index: 'gone' }), table).problems.get('index')).toContain(
      'The index gone no longer exists',
    )
  })
})

describe('filters', () => {
  test('nest, and negate', () => {
    expect(filterOf(filtered(condition('a'), condition('b', { operator: '<>' })))).toBe('#a = :a AND #b <> :b')
    const either = { ...noFilter, join: 'OR' as const, nodes: [condition('b'), condition('c')] }
    expect(filterOf(filtered(condition('a'), either))).toBe('#a = :a AND (#b = :b OR #c = :c)')
    expect(filterOf(filtered(condition('a'), { ...either, isNegated: true }))).toBe(
      '#a = :a AND NOT (#b = :b OR #c = :c)',
    )
    expect(filterOf(filtered({ ...noFilter, isNegated: true, nodes: [condition('a')] }))).toBe('NOT (#a = :a)')
    expect(filterOf(filtered(either, either))).toBe('(#b = :b OR #c = :c) AND (#b = :b2 OR #c = :c2)')
  })
  test('have every function', () => {
    expect(filterOf(filtered(condition('a', { operator: 'exists' })))).toBe('attribute_exists(#a)')
    expect(filterOf(filtered(condition('a', { operator: 'type', type: 'SS' })))).toBe('attribute_type(#a, :a_type)')
    expect(filterOf(filtered(condition('a', { operator: 'size >=', value: '3' })))).toBe('size(#a) >= :a_size')
    expect(filterOf(filtered(condition('a', { operator: 'not contains' })))).toBe('NOT contains(#a, :a)')
    expect(filterOf(filtered(condition('a', { operator: 'in', value: 'x, y' })))).toBe('#a IN (:a, :a2)')
    expect(filterOf(filtered(condition('a', { operator: 'between', type: 'N', value: '1', to: '2' })))).toBe(
      '#a BETWEEN :a_from AND :a_to',
    )
  })
  test('reach into maps and lists, and take names that are words or hold dots', () => {
    const { request } = buildRequest(filtered(condition('address.city'), condition('"a.b"[2].name')), table)
    expect(request.input.FilterExpression).toBe('#address.#city = :city AND #a_b[2].#name = :name')
    expect(request.input.ExpressionAttributeNames).toEqual({
      '#address': 'address',
      '#city': 'city',
      '#a_b': 'a.b',
      '#name': 'name',
    })
    expect(buildRequest(filtered(condition('a..b')), table).problems.get('filter.0')).toContain('is not a path')
  })
  test('take values of every type, and refuse what is none', () => {
    const values = (type: FilterCondition['type'], value: string) =>
      Object.values(
        buildRequest(filtered(condition('a', { type, value })), table).request.input.ExpressionAttributeValues ??
          {},
      )
    expect(values('N', '12345678901234567890123456789012345678')).toEqual([
      { N: '12345678901234567890123456789012345678' },
    ])
    expect(values('BOOL', 'true')).toEqual([{ BOOL: true }])
    expect(values('NULL', '')).toEqual([{ NULL: true }])
    expect(values('B', 'AQID')).toEqual([{ B: 'AQID' }])
    expect(values('SS', '["a","b"]')).toEqual([{ SS: ['a', 'b'] }])
    expect(values('M', '{"a": [1, "x"]}')).toEqual([{ M: { a: { L: [{ N: '1' }, { S: 'x' }] } } }])
    const wrong = buildRequest(filtered(condition('a', { type: 'M', value: '[1]' })), table).problems
    expect(wrong.get('filter.0')).toContain('Write a map as a JSON object')
  })
  test('a row without an attribute is not there', () => {
    expect(filterOf(filtered(condition(''), condition(' ')))).toBeUndefined()
  })
})

test('a projection names its attributes once', () => {
  const { request } = buildRequest(
    draft({ partition: ['a'], projection: 'name, status,name, address.city' }),
    table,
  )
  expect(request.input.ProjectionExpression).toBe('#name, #status, #address.#city')
})

test('every placeholder is explained', () => {
  const { request } = buildRequest(
    draft({ partition: ['a'], filter: { ...noFilter, nodes: [condition('x')] } }),
    table,
  )
  expect(legendOf(request, table)).toEqual([
    { placeholder: '#pk', text: 'pk', type: undefined, role: 'partition key' },
    { placeholder: '#x', text: 'x', type: undefined, role: 'filter' },
    { placeholder: ':pk', text: 'a', type: 'S', role: 'key condition' },
    { placeholder: ':x', text: 'x', type: 'S', role: 'filter' },
  ])
  expect(describeRequest(request)).toBe('Query: pk = "a", filter x = "x"')
})

test('the request of a pattern gets placeholders that can be read, and becomes a draft', () => {
  const sent = {
    operation: 'Query' as const,
    input: {
      TableName: 'shop',
      KeyConditionExpression: '#n1 = :v1 AND #n2 BETWEEN :v2 AND :v3',
      FilterExpression: '#n3 = :v4',
      ExpressionAttributeNames: { '#n1': 'pk', '#n2': 'sk', '#n3': 'status' },
      ExpressionAttributeValues: { ':v1': { S: 'a' }, ':v2': { S: 'b' }, ':v3': { S: 'c' }, ':v4': { N: '1' } },
      ScanIndexForward: false,
      Limit: 20,
    },
  }
  expect(readableRequest(sent).input).toMatchObject({
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :sk AND :sk2',
    FilterExpression: '#status = :status',
    ExpressionAttributeValues: { ':sk2': { S: 'c' } },
  })
  const made = draftOfRequest(sent, table)
  expect(made).toMatchObject({
    partition: ['a'],
    sort: [{ operator: 'between', value: 'b', to: 'c' }],
    isDescending: true,
    limit: '20',
  })
  expect(buildRequest(made, table).request.input.FilterExpression).toBe('#status = :status')
})

test('a link reproduces a draft, whatever is in it', () => {
  const given = draft({
    index: 'byCountry',
    partition: ['s'],
    filter: { ...noFilter, join: 'OR', nodes: [condition('a')] },
  })
  expect(checkDraft(JSON.parse(JSON.stringify(compactDraft(given))))).toEqual(given)
  expect(checkDraft({ partition: 3, sort: [{ operator: '!' }], filter: { nodes: [null] } })).toEqual({
    ...emptyDraft,
    sort: [{ operator: 'any', value: '', to: '' }],
    filter: { ...noFilter, nodes: [condition('', { value: '' })] },
  })
})
