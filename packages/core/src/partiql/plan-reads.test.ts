import { describe, expect, test } from 'vitest'
import { parseStatement } from './parse-statement.ts'
import { planReads, type ReadPlan } from './plan-reads.ts'
import { translateCondition } from './translate-condition.ts'

function planOf(where: string): ReadPlan {
  const statement = parseStatement(`SELECT * FROM t WHERE ${where}`)
  if (statement.kind !== 'select' || statement.select.where === undefined) throw new Error('no condition')
  return planReads(translateCondition(statement.select.where, []), { hash: 'pk', range: 'sk' })
}

function reads(where: string): readonly string[] {
  const plan = planOf(where)
  if (plan.kind === 'scan') return ['scan']
  return plan.reads.map(({ hashValue, rangeTerms, filter, contradictory }) => {
    const hash = 'S' in hashValue ? hashValue.S : ''
    const range = rangeTerms.map(({ operator }) => operator).join('&')
    return [hash, range, filter && 'filter', contradictory && 'contradictory'].filter(Boolean).join(' ')
  })
}

describe('a WHERE clause is', () => {
  test.each([
    ["pk = 'a'", ['a']],
    ["'a' = pk AND '1' < sk AND n = 1", ['a > filter']],
    ["pk = 'a' AND sk = '1' AND sk = '1'", ['a =']],
    ["pk = 'a' AND sk >= '1' AND sk < '2'", ['a >=&<']],
    ["pk IN ['a', 'b']", ['a', 'b']],
    ["pk IN ['a', 'b'] AND (sk = '1' OR sk = '2')", ['a =', 'a =', 'b =', 'b =']],
    ["pk = 'a' AND (n = 1 OR m = 2)", ['a filter']],
    ["(pk = 'a' AND n = 1) OR pk = 'b'", ['a filter', 'b']],
    ["pk = 'a' AND pk = 'b'", ['a filter contradictory']],
    ["pk = 'a' AND sk <> '1'", ['a filter']],
    ["pk = 'a' AND NOT (pk = 'b')", ['a filter']],
    ["pk = 'a' OR n = 1", ['scan']],
    ["NOT pk = 'a'", ['scan']],
    ["pk > 'a'", ['scan']],
    ['pk = other', ['scan']],
    ["pk.a = 'a'", ['scan']],
    ["pk IN ['a', other]", ['scan']],
    ["begins_with(pk, 'a')", ['scan']],
  ])('%s', (where, expected) => {
    expect(reads(where)).toEqual(expected)
  })
})

test('what would be too many reads is counted, not made', () => {
  const many = Array.from({ length: 100 }, () => "(sk = '1' OR sk = '2')").join(' AND ')
  expect(() => planOf(`pk = 'a' AND ${many}`)).toThrow('Too many decomposed read operations for a given query.')
})
