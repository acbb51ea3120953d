import type { AnyModel } from '@hashrange/model'
import { proveRoles } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { leaderboard } from './leaderboard/leaderboard.model.ts'
import { music } from './music/music.model.ts'
import { payments } from './payments/payments.model.ts'
import { shop } from './shop/shop.model.ts'

test.each([shop, music, leaderboard, payments])(
  'every pattern of $name can be used with the policy that is generated for it alone',
  async (model) => {
    const findings: unknown[] = []
    const { patterns } = model.description
    // Every third, which are of every kind; HASHRANGE_ROUNDS=all proves all of them.
    const step = process.env['HASHRANGE_ROUNDS'] === 'all' ? 1 : 3
    for (const pattern of patterns.filter((_, place) => place % step === 0)) {
      const reports = await proveRoles(withRoleOf(model, pattern.name))
      findings.push(...reports.flatMap((report) => report.findings))
    }
    expect(findings).toEqual([])
  },
  120_000,
)

/** A role that has nothing but this pattern. */
function withRoleOf({ $, name, resolved, definitions, description }: AnyModel, pattern: string): AnyModel {
  const roles = [{ name: 'only', patterns: [pattern] }]
  return { $, name, resolved, definitions, description: { ...description, roles } }
}
