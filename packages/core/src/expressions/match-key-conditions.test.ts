import { describe, expect, test } from 'vitest'
import { ExpressionScope } from './expression-scope.ts'
import { compileKeyCondition } from './key-terms.ts'
import type { KeyShape } from './match-key-conditions.ts'
import { matchKeyConditions } from './match-key-conditions.ts'
import type { KeyTerm } from './syntax.ts'

const values = { ':a': { S: 'a' }, ':b': { S: 'b' }, ':n': { N: '1' }, ':e': { S: '' } }

function terms(text: string): readonly KeyTerm[] {
  return compileKeyCondition(text, new ExpressionScope(undefined, values))
}

describe('compileKeyCondition', () => {
  test.each([
    ['pk = :a', [{ attribute: 'pk', operator: '=', values: [{ S: 'a' }] }]],
    [
      '(pk = :a) AND (begins_with(sk, :b))',
      [
        { attribute: 'pk', operator: '=', values: [{ S: 'a' }] },
        { attribute: 'sk', operator: 'begins_with', values: [{ S: 'b' }] },
      ],
    ],
    [
      '(sk BETWEEN :a AND :b AND (:n = pk))',
      [
        { attribute: 'sk', operator: 'BETWEEN', values: [{ S: 'a' }, { S: 'b' }] },
        { attribute: 'pk', operator: '=', values: [{ N: '1' }] },
      ],
    ],
    [':a < sk', [{ attribute: 'sk', operator: '>', values: [{ S: 'a' }] }]],
    [':a >= sk', [{ attribute: 'sk', operator: '<=', values: [{ S: 'a' }] }]],
  ])('%s', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })

  const nested = 'KeyConditionExpressions cannot contain nested operations'
  const several = 'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition'
  const deep = 'KeyConditionExpressions cannot have conditions on nested attributes'
  const none = 'Invalid condition in KeyConditionExpression: No key attribute specified'
  const twice = 'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key'
  const operator = 'Invalid operator used in KeyConditionExpression: '
  test.each([
    ['', 'Invalid KeyConditionExpression: The expression can not be empty;'],
    [
      'sk.names = :a',
      'Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: names',
    ],
    ['a > b and size(b) > c or a > c', `${operator}OR`],
    ['a in (b, size(c), d)', `${operator}IN`],
    ['attribute_exists(a)', `${operator}attribute_exists`],
    ['contains(a.d, b)', `${operator}contains`],
    ['not a > b', `${operator}NOT`],
    ['a <> b', `${operator}<>`],
    [
      ':a between size(b) and size(a) and b > :b',
      'Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand',
    ],
    [
      'begins_with(:a, b) and a > :b',
      'Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand',
    ],
    ['size(b) > a AND a.b > b AND b > c', nested],
    ['a > size(b.d)', nested],
    ['a between size(b) and size(a)', nested],
    ['b > a.b', several],
    ['a between b and size(a)', several],
    ['begins_with(a, b)', several],
    ['b.d > a AND c.d > e.f', deep],
    ['b[0] > a', deep],
    [':b > :a AND a < :b', none],
    [':a > b AND :a < :b', none],
    ['b > :a AND b < :a and c = :a and d = :a', twice],
    ['(a > :a and b > :a) and (b > :a and c > :a)', twice],
  ])('%j is refused', (text, message) => {
    expect(() => terms(text)).toThrow(message)
  })
})

const table: KeyShape = { hash: ['pk'], range: ['sk'], types: { pk: 'S', sk: 'S' } }
const hashOnly: KeyShape = { hash: ['pk'], range: [], types: { pk: 'S' } }
const wide: KeyShape = {
  hash: ['h1', 'h2'],
  range: ['r1', 'r2', 'r3'],
  types: { h1: 'S', h2: 'S', r1: 'S', r2: 'S', r3: 'S' },
}
const a = { S: 'a' }
const b = { S: 'b' }

describe('matchKeyConditions', () => {
  test.each([
    [table, 'pk = :a', { hashValues: [a], rangeEquals: [] }],
    [table, 'sk = :b AND pk = :a', { hashValues: [a], rangeEquals: [b] }],
    [
      table,
      'pk = :a AND sk < :b',
      { hashValues: [a], rangeEquals: [], rangeCondition: { attribute: 'sk', operator: '<', values: [b] } },
    ],
    [wide, 'h2 = :b AND h1 = :a', { hashValues: [a, b], rangeEquals: [] }],
    [
      wide,
      'h1 = :a AND h2 = :a AND begins_with(r2, :b) AND r1 = :b',
      {
        hashValues: [a, a],
        rangeEquals: [b],
        rangeCondition: { attribute: 'r2', operator: 'begins_with', values: [b] },
      },
    ],
  ])('%j: %s', (shape, text, expected) => {
    expect(matchKeyConditions(terms(text), shape)).toEqual(expected)
  })

  const missed = 'Query condition missed key schema element: '
  const unsupported = 'Query key condition not supported'
  const tooMany = (terms: number, attributes: number): string =>
    `The number of query conditions (${terms}) exceeds the number of key attributes defined in the schema (${attributes})`
  const unequal = (lacking: string, last: string): string =>
    `RANGE key attributes ${lacking} must have equality conditions specified in the query because a condition is present on key attribute ${last}`
  const incomplete = (lacking: string): string =>
    `HASH key attributes ${lacking} must have equality conditions specified in the query`
  const type = 'One or more parameter values were invalid: Condition parameter type does not match schema type'
  test.each([
    [table, 'sk = :a', `${missed}pk`],
    [table, 'attr1 = :a', `${missed}pk`],
    [table, 'pk = :a AND attr1 = :a', `${missed}sk`],
    [table, 'pk > :a', unsupported],
    [table, 'pk > :a AND sk = :a', unsupported],
    [table, 'pk = :n', type],
    [table, 'pk > :n', type],
    [table, 'pk = :a AND sk = :n', type],
    [table, 'pk = :a AND sk = :a AND c = :a', tooMany(3, 2)],
    [hashOnly, 'pk = :a AND sk = :a', tooMany(2, 1)],
    [wide, 'h1 = :a', incomplete('h2')],
    [wide, 'h1 = :a AND h2 > :a', incomplete('h2')],
    [wide, 'r1 = :a AND r2 = :a', incomplete('h1, h2')],
    [wide, 'h1 = :a AND h2 = :a AND r2 = :a', unequal('r1', 'r2')],
    [wide, 'h1 = :a AND h2 = :a AND r1 > :a AND r2 = :a', unequal('r1', 'r2')],
    [wide, 'h1 = :a AND h2 = :a AND x = :a', `${missed}r1`],
    [
      table,
      'pk = :e',
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
  ])('%j: %s is refused', (shape, text, message) => {
    expect(() => matchKeyConditions(terms(text), shape)).toThrow(message)
  })

  test('a Query asks for something', () => {
    expect(() => matchKeyConditions([], table)).toThrow('Conditions can be of length 1 or 2 only')
  })
})
