import { readFileSync } from 'node:fs'
import { checkDerived, checkModel } from '@hashrange/model/check'
import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { leaderboard } from './leaderboard/leaderboard.model.ts'
import { music } from './music/music.model.ts'
import { payments } from './payments/payments.model.ts'
import { derived, reviews } from './reviews/reviews.model.ts'
import { shop } from './shop/shop.model.ts'
import { tenants } from './tenants/tenants.model.ts'

const models = [shop, music, leaderboard, payments, tenants, reviews]

/** Notes that the review makes, and that a README answers. */
const answered: Readonly<Record<string, readonly string[]>> = { music: ['scan of allCovers'] }

describe('the review of the examples has nothing to find', () => {
  test.each(models)('$name', async (model) => {
    const { findings, measurement } = await checkModel(model, { open, maxItems: 200 })
    expect(measurement.patterns.filter(({ failure }) => failure !== undefined)).toEqual([])
    const found = findings.map(({ severity, code, where, reason }) =>
      severity === 'note' ? `${code} of ${where.name}` : { severity, code, where: where.name, reason },
    )
    expect(found).toEqual(answered[model.name] ?? [])
  })
})

test('what is derived is derived rightly from generated data, at the cost that is expected', async () => {
  const { sources, findings } = await checkDerived(derived, { open })
  expect(findings).toEqual([])
  const review = sources.find(({ source }) => source === 'Review')
  // The mark, the rating and the counter of the site in one transaction; and two rankings.
  expect(review?.insert.writeUnits).toBeGreaterThanOrEqual(8)
  expect(review?.insertInBatch.writeUnits).toBeLessThan(review?.insert.writeUnits ?? 0)
  // One of the eight shards.
  expect(review?.busiest).toEqual({ derivation: 'reviewsInAll', target: 'Site', share: 1 / 8 })
})

test.each(models)('the README of $name names every pattern', ({ name, description }) => {
  const readme = readFileSync(new URL(`${name}/README.md`, import.meta.url), 'utf8')
  expect(description.patterns.filter((pattern) => !readme.includes(`\`${pattern.name}\``))).toEqual([])
})
