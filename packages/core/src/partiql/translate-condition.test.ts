import { describe, expect, test } from 'vitest'
import { holds } from '../expressions/holds.ts'
import type { Condition } from '../expressions/syntax.ts'
import { parseStatement } from './parse-statement.ts'
import { translateCondition } from './translate-condition.ts'

function conditionOf(text: string): Condition {
  const statement = parseStatement(`SELECT * FROM t WHERE ${text}`)
  if (statement.kind !== 'select' || statement.select.where === undefined) throw new Error('no condition')
  return translateCondition(statement.select.where, [{ N: '1' }])
}

const item = {
  n: { N: '1' },
  m: { M: { list: { L: [{ S: 'a' }] }, __proto__x: { N: '2' } } },
  off: { BOOL: false },
}

describe('a condition', () => {
  test.each([
    ['n = ?', true],
    ['m."list"[0] = \'a\'', true],
    ["m['list'] = 1", 'Unexpected path component at 1:25:6'],
    ['m.*  = 1', 'Unexpected path component at 1:25:1'],
    ['"__proto__" IS MISSING', true],
    ['m.constructor IS NOT MISSING', false],
    ['n IN (1)', true],
    ['n IN ()', 'Unexpected term'],
    ['n IN []', 'The IN operator must have at least one operand'],
    ['n IS BAG OR n IS SYMBOL', false],
    ['off = (n = 2)', true],
    ['(n = 1) IN [off, true]', true],
    ['n + 1 = 2', 'Unrecognized function: + at 1:25:1'],
    ['n', 'Unexpected expression where a condition should be at 1:23:1'],
    ['upper(n) = 1', 'Unrecognized function: upper at 1:23:5'],
    [
      'n < n',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: <, first operand: [n]',
    ],
  ])('%s', (text, outcome) => {
    if (typeof outcome === 'string') expect(() => conditionOf(text)).toThrow(outcome)
    else expect(holds(conditionOf(text), item)).toBe(outcome)
  })

  test('can be compared with others, but not so often that it takes long', () => {
    expect(holds(conditionOf('((n = 1) = (n = 2)) = (n = 3)'), item)).toBe(true)
    const often = `${'('.repeat(60)}n = 1${') = (n = 1)'.repeat(60)}`
    expect(() => conditionOf(often)).toThrow('nested too deeply')
  })
})
