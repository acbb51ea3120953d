import { describe, expect, test } from 'vitest'
import type { Item } from '../values/attribute-value.ts'
import { holds } from './holds.ts'
import type {
  ConditionalOperator,
  LegacyCondition,
  LegacyExpectation,
  LegacyOperator,
} from './legacy-conditions.ts'
import { legacyExpected, legacyFilter, legacyKeyTerms } from './legacy-conditions.ts'
import { matchKeyConditions } from './match-key-conditions.ts'

const item: Item = { s: { S: 'hello' }, n: { N: '10' }, ss: { SS: ['x'] }, l: { L: [{ N: '1' }] } }

function meets(
  filter: Readonly<Record<string, LegacyCondition>>,
  operator?: ConditionalOperator,
): boolean | undefined {
  const condition = legacyFilter(filter, operator)
  return condition === undefined ? undefined : holds(condition, item)
}

describe('legacyFilter', () => {
  test.each<[string, LegacyOperator, readonly unknown[] | undefined, boolean]>([
    ['n', 'EQ', [{ N: '1e1' }], true],
    ['n', 'NE', [{ N: '10' }], false],
    ['n', 'NE', [{ S: '10' }], true],
    ['absent', 'NE', [{ S: '10' }], true],
    ['l', 'EQ', [{ L: [{ N: '1' }] }], true],
    ['n', 'LT', [{ N: '11' }], true],
    ['n', 'LE', [{ N: '10' }], true],
    ['n', 'GT', [{ N: '10' }], false],
    ['n', 'GE', [{ N: '10' }], true],
    ['s', 'NULL', undefined, false],
    ['absent', 'NULL', [], true],
    ['s', 'NOT_NULL', undefined, true],
    ['s', 'CONTAINS', [{ S: 'ell' }], true],
    ['ss', 'CONTAINS', [{ S: 'x' }], true],
    ['s', 'NOT_CONTAINS', [{ S: 'ell' }], false],
    ['s', 'NOT_CONTAINS', [{ N: '1' }], true],
    ['absent', 'NOT_CONTAINS', [{ S: 'ell' }], false],
    ['s', 'BEGINS_WITH', [{ S: 'he' }], true],
    ['n', 'IN', [{ N: '9' }, { N: '10' }], true],
    ['n', 'BETWEEN', [{ N: '9' }, { N: '10' }], true],
    ['n', 'BETWEEN', [{ N: '11' }, { N: '12' }], false],
  ])('%s %s %j is %s', (name, ComparisonOperator, AttributeValueList, expected) => {
    const condition =
      AttributeValueList === undefined ? { ComparisonOperator } : { ComparisonOperator, AttributeValueList }
    expect(meets({ [name]: condition })).toBe(expected)
  })

  test('conditions are joined by AND unless OR is asked for', () => {
    const filter = {
      s: { ComparisonOperator: 'NULL' },
      n: { ComparisonOperator: 'NOT_NULL' },
    } as const
    expect(meets(filter)).toBe(false)
    expect(meets(filter, 'AND')).toBe(false)
    expect(meets(filter, 'OR')).toBe(true)
    expect(meets({})).toBeUndefined()
  })

  const invalid = 'One or more parameter values were invalid: '
  test.each<[LegacyOperator, readonly unknown[], string]>([
    ['EQ', [], `${invalid}Invalid number of argument(s) for the EQ ComparisonOperator`],
    ['EQ', [{ S: 'a' }, { S: 'a' }], `${invalid}Invalid number of argument(s) for the EQ ComparisonOperator`],
    ['IN', [], `${invalid}Invalid number of argument(s) for the IN ComparisonOperator`],
    ['NULL', [{ S: 'a' }], `${invalid}Invalid number of argument(s) for the NULL ComparisonOperator`],
    ['BETWEEN', [{ S: 'a' }], `${invalid}Invalid number of argument(s) for the BETWEEN ComparisonOperator`],
    ['IN', [{ S: 'b' }, { N: '1' }], `${invalid}AttributeValues inside AttributeValueList must be of same type`],
    ['LT', [{ BOOL: true }], `${invalid}ComparisonOperator LT is not valid for BOOL AttributeValue type`],
    ['IN', [{ M: {} }], `${invalid}ComparisonOperator IN is not valid for M AttributeValue type`],
    ['CONTAINS', [{ L: [] }], `${invalid}ComparisonOperator CONTAINS is not valid for L AttributeValue type`],
    [
      'BEGINS_WITH',
      [{ N: '1' }],
      `${invalid}ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type`,
    ],
    [
      'BETWEEN',
      [{ S: 'b' }, { S: 'a' }],
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    ],
    ['EQ', [{}], 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'],
  ])('%s %j is refused', (ComparisonOperator, AttributeValueList, message) => {
    expect(() => legacyFilter({ a: { ComparisonOperator, AttributeValueList } }, undefined)).toThrow(message)
  })
})

describe('legacyExpected', () => {
  test.each<[string, LegacyExpectation, boolean]>([
    ['s', { Value: { S: 'hello' } }, true],
    ['s', { Exists: true, Value: { S: 'x' } }, false],
    ['s', { Exists: false }, false],
    ['absent', { Exists: false }, true],
    ['n', { ComparisonOperator: 'GT', Value: { N: '9' } }, true],
    ['n', { ComparisonOperator: 'IN', AttributeValueList: [{ N: '9' }, { N: '10' }] }, true],
    ['absent', { ComparisonOperator: 'NULL' }, true],
  ])('%s %j is %s', (name, expectation, expected) => {
    const condition = legacyExpected({ [name]: expectation }, undefined)
    expect(condition !== undefined && holds(condition, item)).toBe(expected)
  })

  test.each<[LegacyExpectation, string]>([
    [{}, 'Value must be provided when Exists is null for Attribute: a'],
    [{ Exists: true }, 'Value must be provided when Exists is true for Attribute: a'],
    [{ Exists: false, Value: { S: 'a' } }, 'Value cannot be used when Exists is false for Attribute: a'],
    [
      { Value: { S: 'a' }, AttributeValueList: [] },
      'Value and AttributeValueList cannot be used together for Attribute: a',
    ],
    [
      { Exists: true, ComparisonOperator: 'EQ' },
      'Exists and ComparisonOperator cannot be used together for Attribute: a',
    ],
    [
      { ComparisonOperator: 'EQ' },
      'Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a',
    ],
    [
      { AttributeValueList: [{ S: 'a' }] },
      'AttributeValueList can only be used with a ComparisonOperator for Attribute: a',
    ],
    [
      { ComparisonOperator: 'NULL', Value: { S: 'a' } },
      'Invalid number of argument(s) for the NULL ComparisonOperator',
    ],
    [
      { ComparisonOperator: 'CONTAINS', Value: { L: [] } },
      'ComparisonOperator CONTAINS is not valid for L AttributeValue type',
    ],
  ])('%j is refused', (expectation, problem) => {
    expect(() => legacyExpected({ a: expectation }, undefined)).toThrow(
      `One or more parameter values were invalid: ${problem}`,
    )
  })
})

describe('legacyKeyTerms', () => {
  test('translates the operators that an index can answer', () => {
    expect(
      legacyKeyTerms({
        pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] },
        sk: { ComparisonOperator: 'BETWEEN', AttributeValueList: [{ N: '1' }, { N: '2' }] },
      }),
    ).toEqual([
      { attribute: 'pk', operator: '=', values: [{ S: 'a' }] },
      { attribute: 'sk', operator: 'BETWEEN', values: [{ N: '1' }, { N: '2' }] },
    ])
  })

  test('leaves it to the key to refuse the others', () => {
    const terms = legacyKeyTerms({ pk: { ComparisonOperator: 'NULL' } })
    expect(terms).toEqual([{ attribute: 'pk', operator: undefined, values: [] }])
    expect(() => matchKeyConditions(terms, { hash: ['id'], range: [], types: { id: 'S' } })).toThrow(
      'Query condition missed key schema element: id',
    )
    expect(() => matchKeyConditions(terms, { hash: ['pk'], range: [], types: { pk: 'S' } })).toThrow(
      'Attempted conditional constraint is not an indexable operation',
    )
  })
})

test.each([
  ['', 'Empty attribute name'],
  ['a'.repeat(65_536), 'Attribute name is too large, must be less than 65536 bytes'],
])('the name of an attribute is neither empty nor longer than 65535 bytes', (name, message) => {
  expect(() => legacyFilter({ [name]: { ComparisonOperator: 'NULL' } }, 'AND')).toThrow(message)
  expect(() => legacyExpected({ [name]: { Exists: false } }, 'AND')).toThrow(message)
})
