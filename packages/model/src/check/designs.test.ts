import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { checkModel } from './check-model.ts'
import { designs } from './testing/designs.ts'

/** Twenty take three minutes of processor time: `HASHRANGE_CHECK_SEEDS=20` tries as many. */
const seeds = Number(process.env['HASHRANGE_CHECK_SEEDS'] ?? 1)

/** In the short form two of them will do: smaller models that are sound are checked in check-model.test.ts. */
const checked = Object.entries(designs).slice(0, seeds > 1 ? undefined : 2)

describe.each(checked)('%s', (_name, make) => {
  test(`is found to be sound with ${seeds} different data`, { timeout: 180_000 + seeds * 20_000 }, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const report = await checkModel(make(), { open, seed, maxItems: 200 })
      const rejected = report.measurement.patterns.filter(
        ({ failure, untried }) => (failure ?? untried) !== undefined,
      )
      expect({ seed, rejected }).toEqual({ seed, rejected: [] })
      expect({ seed, findings: report.findings }).toEqual({ seed, findings: [] })
      expect(report.notJudged).toEqual([])
    }
  })
})

/** What differs without a typed client is tested with the smaller models of check-model.test.ts as well: in the short form the
 *  largest design will do. */
const described = Object.entries(designs).slice(0, seeds > 1 ? undefined : 1)

test.each(described)('%s is found to be sound by its description alone', async (_name, make) => {
  const report = await checkModel(make().description, { open, seed: 3, maxItems: 200 })
  const rejected = report.measurement.patterns.filter(({ failure, untried }) => (failure ?? untried) !== undefined)
  expect(rejected).toEqual([])
  expect(report.findings).toEqual([])
})

test('the code host has 34 patterns', () => {
  expect(designs['a code host']?.().description.patterns).toHaveLength(34)
})
