import { describe, expect, test } from 'vitest'
import type { Item } from '../values/attribute-value.ts'
import { compileCondition } from './compile-condition.ts'
import { ExpressionScope } from './expression-scope.ts'
import { holds } from './holds.ts'

const item: Item = {
  s: { S: 'hello' },
  same: { S: 'hello' },
  astral: { S: 'a😀' },
  n: { N: '10' },
  // The bytes 3, 4, 5.
  b: { B: 'AwQF' },
  yes: { BOOL: true },
  nil: { NULL: true },
  ss: { SS: ['x', 'y'] },
  ns: { NS: ['1', '2'] },
  bs: { BS: ['AwQ=', 'AA=='] },
  l: { L: [{ S: 'zero' }, { N: '1' }, { M: { deep: { S: 'd' } } }] },
  m: { M: { one: { N: '1' }, two: { L: [{ S: 'e' }] } } },
  type: { S: 'S' },
}

function meets(text: string, value?: unknown, other?: unknown): boolean {
  const values: Record<string, unknown> = {}
  if (value !== undefined) values[':v'] = value
  if (other !== undefined) values[':w'] = other
  const scope = new ExpressionScope(undefined, Object.keys(values).length > 0 ? values : undefined)
  return holds(compileCondition(text, 'FilterExpression', scope), item)
}

describe('comparisons', () => {
  test.each([
    ['s = :v', { S: 'hello' }, true],
    ['s = :v', { S: 'hell' }, false],
    ['s = same', undefined, true],
    ['n = :v', { N: '10.0' }, true],
    ['n = :v', { S: '10' }, false],
    ['n <> :v', { S: '10' }, true],
    ['n <> :v', { N: '10' }, false],
    ['n < :v', { N: '9' }, false],
    ['n < :v', { N: '100' }, true],
    ['n <= :v', { N: '10' }, true],
    ['n > :v', { N: '-11' }, true],
    ['n >= :v', { S: '1' }, false],
    [':v > n', { N: '11' }, true],
    ['s < :v', { S: 'help' }, true],
    ['b > :v', { B: 'AwQ=' }, true],
    ['ss = :v', { SS: ['y', 'x'] }, true],
    ['ss <> :v', { SS: ['x'] }, true],
    ['yes = :v', { BOOL: true }, true],
    ['nil = :v', { NULL: true }, true],
    ['m.one = :v', { N: '1' }, true],
    ['m.two[0] = :v', { S: 'e' }, true],
    ['l[2].deep = :v', { S: 'd' }, true],
    ['l[9] = :v', { S: 'd' }, false],
    ['s.deep = :v', { S: 'd' }, false],
    ['yes < n', undefined, false],
  ])('%s with %j is %s', (text, value, expected) => {
    expect(meets(text, value)).toBe(expected)
  })

  test.each([
    ['gone = :v', false],
    ['gone <> :v', true],
    ['gone < :v', false],
    ['gone >= :v', false],
    ['NOT gone = :v', true],
    ['gone <> absent OR s = :v', true],
    ['gone = absent OR s = :v', false],
    ['gone IN (:v)', false],
    ['constructor_ = :v', false],
  ])('of what is missing: %s is %s', (text, expected) => {
    expect(meets(text, { S: 'x' })).toBe(expected)
  })

  test.each([
    [{ N: '9' }, { N: '11' }, true],
    [{ N: '10' }, { N: '10' }, true],
    [{ N: '11' }, { N: '12' }, false],
    [{ S: '0' }, { S: '99' }, false],
  ])('n BETWEEN %j AND %j is %s', (lower, upper, expected) => {
    expect(meets('n BETWEEN :v AND :w', lower, upper)).toBe(expected)
  })

  test('IN looks for an equal one', () => {
    expect(meets('n IN (:v, :w)', { S: '10' }, { N: '10' })).toBe(true)
    expect(meets('n IN (:v, s)', { S: '10' })).toBe(false)
  })
})

describe('functions', () => {
  test('attribute_type looks at a value as well as at an attribute', () => {
    expect(meets('attribute_type(:v, :w)', { N: '0' }, { S: 'N' })).toBe(true)
    expect(meets('attribute_type(:v, :w)', { N: '0' }, { S: 'S' })).toBe(false)
  })

  test.each([
    ['attribute_exists(s)', undefined, true],
    ['attribute_exists(m.two[0])', undefined, true],
    ['attribute_exists(m.two[1])', undefined, false],
    ['attribute_not_exists(m.three)', undefined, true],
    ['attribute_not_exists(nil)', undefined, false],
    ['attribute_type(m.one, :v)', { S: 'N' }, true],
    ['attribute_type(s, :v)', { S: 'N' }, false],
    ['attribute_type(gone, :v)', { S: 'NULL' }, false],
    ['attribute_type(size(s), :v)', { S: 'N' }, true],
    ['begins_with(s, :v)', { S: 'he' }, true],
    ['begins_with(s, :v)', { S: '' }, true],
    ['begins_with(s, :v)', { S: 'lo' }, false],
    ['begins_with(s, :v)', { B: 'AwQ=' }, false],
    ['begins_with(b, :v)', { B: 'AwQ=' }, true],
    ['begins_with(b, :v)', { B: 'BAU=' }, false],
    ['begins_with(n, :v)', { S: '1' }, false],
    ['contains(s, :v)', { S: 'ell' }, true],
    ['contains(s, :v)', { N: '1' }, false],
    ['contains(b, :v)', { B: 'BAU=' }, true],
    ['contains(b, :v)', { B: 'BQQ=' }, false],
    ['contains(ss, :v)', { S: 'x' }, true],
    ['contains(ss, :v)', { S: 'z' }, false],
    ['contains(ns, :v)', { N: '1.0' }, true],
    ['contains(bs, :v)', { B: 'AwQ=' }, true],
    ['contains(l, :v)', { N: '1' }, true],
    ['contains(l, :v)', { M: { deep: { S: 'd' } } }, true],
    ['contains(l, :v)', { S: 'one' }, false],
    ['contains(m, :v)', { S: 'one' }, false],
    ['contains(gone, :v)', { S: 'one' }, false],
    ['NOT contains(gone, :v)', { S: 'one' }, true],
  ])('%s with %j is %s', (text, value, expected) => {
    expect(meets(text, value)).toBe(expected)
  })

  test.each([
    ['s', '5'],
    ['b', '3'],
    ['ss', '2'],
    ['ns', '2'],
    ['bs', '2'],
    ['l', '3'],
    ['m', '2'],
  ])('size(%s) is %s', (name, size) => {
    expect(meets(`size(${name}) = :v`, { N: size })).toBe(true)
  })

  test.each(['n', 'yes', 'nil', 'gone'])('%s has no size', (name) => {
    expect(meets(`size(${name}) >= :v`, { N: '0' })).toBe(false)
  })
})

test('an attribute of the prototype is not an attribute of the item', () => {
  const scope = new ExpressionScope({ '#p': '__proto__', '#c': 'toString' }, undefined)
  const condition = compileCondition('attribute_exists(#p) OR attribute_exists(#c)', 'ConditionExpression', scope)
  expect(holds(condition, {})).toBe(false)
  const hostile: Item = { ['__proto__']: { S: 'x' } }
  expect(holds(condition, hostile)).toBe(true)
})
