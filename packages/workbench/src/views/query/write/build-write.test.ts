import { expect, test } from 'vitest'
import type { TableDescription } from '../../../api-types.ts'
import { newCondition, noFilter } from '../draft/draft.ts'
import { buildWrite } from './build-write.ts'
import { checkWrite, emptyWrite, newRow, type WriteDraft, type WriteRow } from './write-draft.ts'

const table = {
  TableName: 'shop',
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'N' },
  ],
} as unknown as TableDescription

const exists = { ...noFilter, nodes: [{ ...newCondition(), path: 'PK', operator: 'exists' as const }] }
const draftOf = (...rows: readonly Partial<WriteRow>[]): WriteDraft => ({
  ...emptyWrite,
  rows: rows.map((row) => ({ ...newRow(row.kind ?? 'put'), ...row })),
})
const put = { kind: 'put', item: '{"PK": "A", "SK": 1, "on": true}' } as const
const change = (action: 'set' | 'add' | 'remove' | 'append' | 'default' | 'delete', path: string, value = '1') => ({
  action,
  path,
  type: 'N' as const,
  value,
})

test('one row is a request of its own, with its condition and what it returns', () => {
  expect(buildWrite(draftOf(put), table)).toEqual({
    request: {
      operation: 'PutItem',
      input: { TableName: 'shop', Item: { PK: { S: 'A' }, SK: { N: '1' }, on: { BOOL: true } } },
    },
    problems: new Map(),
  })
  const update = draftOf({
    kind: 'update',
    key: ['A', '1'],
    changes: [
      change('set', 'a.b'),
      change('default', 'c'),
      change('append', 'list', '["x"]'),
      change('remove', 'old'),
      change('add', 'n', '2'),
      change('set', ''),
    ],
    condition: exists,
  })
  const { request, problems } = buildWrite({ ...update, returns: 'ALL_NEW' }, table)
  expect(problems).toEqual(new Map())
  expect(request.operation).toBe('UpdateItem')
  expect(request.input).toMatchObject({
    Key: { PK: { S: 'A' }, SK: { N: '1' } },
    UpdateExpression:
      'SET #a.#b = :b, #c = if_not_exists(#c, :c), #list = list_append(#list, :list) REMOVE #old ADD #n :n',
    ConditionExpression: 'attribute_exists(#PK)',
    ReturnValues: 'ALL_NEW',
  })
  // A put cannot answer with what is new.
  expect(buildWrite({ ...draftOf(put), returns: 'ALL_NEW' }, table).request.input.ReturnValues).toBeUndefined()
})

test('several rows are a transaction, or a batch if they can be', () => {
  const rows = [
    put,
    { kind: 'delete', key: ['B', '2'] },
    { kind: 'check', key: ['C', '3'], condition: exists },
  ] as const
  const { request, problems } = buildWrite(draftOf(...rows), table)
  expect(problems).toEqual(new Map())
  expect(request.operation).toBe('TransactWriteItems')
  expect(request.input.TransactItems?.map((item) => Object.keys(item)[0])).toEqual([
    'Put',
    'Delete',
    'ConditionCheck',
  ])
  const batch = { ...draftOf(...rows), way: 'batch' as const }
  expect([...buildWrite(batch, table).problems.keys()]).toEqual(['2.kind'])
  const possible = buildWrite({ ...batch, rows: batch.rows.slice(0, 2) }, table)
  expect(possible.problems).toEqual(new Map())
  expect(possible.request.input.RequestItems?.['shop']).toHaveLength(2)
})

test('what is missing or wrong is told at its place', () => {
  expect([...buildWrite(draftOf({ kind: 'put', item: '{"PK": "A"}' }), table).problems]).toEqual([
    ['0.item', 'The key attribute SK is missing.'],
  ])
  expect([...buildWrite(draftOf({ kind: 'put', item: '{' }), table).problems.keys()]).toEqual(['0.item'])
  expect([...buildWrite(draftOf({ kind: 'delete', key: ['A', 'x'] }), table).problems.keys()]).toEqual(['0.key.1'])
  expect([...buildWrite(draftOf({ kind: 'check', key: ['A', '1'] }), table).problems.keys()]).toEqual([
    '0.condition',
    '0.kind',
  ])
})

test('a link can hold anything', () => {
  for (const value of [null, 7, 'x', [], {}, { rows: 7 }, { rows: [null, { kind: '__proto__', key: {} }] }]) {
    const draft = checkWrite(value)
    expect(draft.rows.length).toBeGreaterThan(0)
    buildWrite(draft, table)
  }
})
