import { expect, test } from 'vitest'
import { compareModels, type ModelFacts } from './compare-models.ts'

function factsOf(
  patterns: Readonly<Record<string, number>>,
  findings: readonly (readonly [string, 'error' | 'warning'])[] = [],
): ModelFacts {
  const dollars = Object.values(patterns).reduce((sum, units) => sum + units, 0)
  return {
    check: {
      findings: findings.map(([name, severity]) => ({
        severity,
        where: { kind: 'pattern', name },
        code: 'scan',
        reason: `about ${name}`,
      })),
    },
    cost: {
      onDemand: { total: dollars },
      patterns: Object.entries(patterns).map(([pattern, readUnits]) => ({
        pattern,
        readUnits,
        writeUnits: 0,
        onDemand: readUnits,
      })),
    },
  } as unknown as ModelFacts
}

test('failing patterns come first, then what is gone, new and changed', () => {
  const before = factsOf({ same: 1, dearer: 1, gone: 2, broken: 1 }, [['same', 'warning']])
  const after = factsOf({ same: 1, dearer: 3, fresh: 1, broken: 1 }, [
    ['same', 'warning'],
    ['broken', 'error'],
  ])
  const { patterns, dollarsBefore, dollarsAfter } = compareModels(before, after)
  expect(patterns.map(({ pattern, kind }) => [pattern, kind])).toEqual([
    ['broken', 'failing'],
    ['gone', 'removed'],
    ['fresh', 'added'],
    ['dearer', 'changed'],
    ['same', 'same'],
  ])
  expect([dollarsBefore, dollarsAfter]).toEqual([5, 6])
  expect(patterns[3]).toMatchObject({ unitsBefore: 1, unitsAfter: 3, dollarsBefore: 1, dollarsAfter: 3 })
  expect(compareModels(after, before)).toMatchObject({ solved: 1 })
})
