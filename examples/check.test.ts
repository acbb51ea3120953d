import { checkModel } from '@hashrange/model/check'
import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { leaderboard } from './leaderboard/leaderboard.model.ts'
import { music } from './music/music.model.ts'
import { payments } from './payments/payments.model.ts'
import { shop } from './shop/shop.model.ts'

/** Notes that the review makes, and that the READMEs answer. */
const answered: Readonly<Record<string, readonly string[]>> = { music: ['scan of allCovers'] }

describe('the review of the examples has nothing to find', () => {
  test.each([shop, music, leaderboard, payments])('$name', async (model) => {
    const { findings, measurement } = await checkModel(model, { open })
    expect(measurement.patterns.filter(({ failure }) => failure !== undefined)).toEqual([])
    const found = findings.map(({ severity, code, where, reason }) =>
      severity === 'note' ? `${code} of ${where.name}` : { severity, code, where: where.name, reason },
    )
    expect(found).toEqual(answered[model.name] ?? [])
  })
})
