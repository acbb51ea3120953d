import { describe, expect, test } from 'vitest'
import { connect } from '../client/connect.ts'
import type { AnyModel } from '../model/model.ts'
import { s } from '../schema/s.ts'
import { openModel } from '../testing/open-model.ts'
import { planMigration, type MigrationPlan } from './plan-migration.ts'
import { planMarkdown, planText } from './plan-text.ts'
import { cases, shop, type Case, type Loose } from './testing/plan-cases.ts'

const prices = { perMillionReadUnits: 0.125, perMillionWriteUnits: 0.625 }
function planOf(before: AnyModel, after: AnyModel): MigrationPlan {
  return planMigration(before.description, after.description, { unitsPerSecond: 1000, prices })
}

describe('differences are classified', () => {
  for (const [name, { before, after, kind, says }] of Object.entries(cases)) {
    test(name, () => {
      const plan = planOf(before, after)
      expect(plan.kind).toBe(kind)
      expect(planText(plan)).toContain(says)
      for (const text of [planText(plan), planMarkdown(plan)]) expect(text).not.toMatch(/undefined|\[object/)
    })
  }
})

describe('what is compatible runs side by side, and what is unsafe does not', () => {
  for (const [name, { before, after, kind, items }] of Object.entries(cases)) {
    if (items === undefined) continue
    test(name, async () => {
      const { client } = await openModel(before)
      type Db = {
        Order: { put(item: object): Promise<unknown> }
        orders(key: object): Promise<{ entries: unknown[] }>
      }
      const versions = [before, after].map((each) => connect(each, client) as unknown as Db)
      for (const [i, db] of versions.entries()) await db.Order.put({ ...items[i], orderId: String(i) })
      const answers = await Promise.allSettled(versions.map((db) => db.orders({ userId: 'u' })))
      const isRight = answers.every((each) => each.status === 'fulfilled' && each.value.entries.length === 2)
      expect(isRight).toBe(kind === 'compatible')
    })
  }
})

test('the steps are in the order in which a change goes live, with their cost and way back', () => {
  const { before, after } = cases['another sort key'] as Case
  const plan = planOf(before, after)
  expect(plan.steps.map(({ phase }) => phase)).toEqual([
    'prepare',
    'read both',
    'write both',
    'backfill',
    'verify',
    'switch',
    'stop',
    'drop',
  ])
  const [, , , backfill] = plan.steps
  expect(backfill?.action).toBe(
    'Copy all Order items from USER#{userId} ORDER#{orderId} to USER#{userId} O#{orderId}, on the condition that nothing is there',
  )
  expect(backfill?.cost).toMatchObject({ items: 1_000_000, writeUnits: 1_000_000 })
  expect(backfill?.cost?.dollars).toBeCloseTo(0.625 + ((backfill?.cost?.readUnits ?? 0) * 0.125) / 1e6)
  expect(backfill?.cost?.seconds).toBeGreaterThan(1000)
  for (const step of plan.steps)
    for (const text of [step.check, step.wayBack, step.reason]) expect(text).not.toBe('')
  expect(planMarkdown(plan)).toContain('4. [ ] **backfill**: Copy all Order items')
})

/** What the new model says of the old one, and what it would have to say. */
const predecessors: Record<string, readonly [before: AnyModel, silent: AnyModel, after: AnyModel, said: string]> = {
  'another sort key': [
    shop(),
    shop({}, (order) => order.key({ pk: 'USER#{userId}', sk: 'O#{orderId}' })),
    shop({}, (order) => order.key({ pk: 'USER#{userId}', sk: 'O#{orderId}', was: { sk: 'ORDER#{orderId}' } })),
    ".key({ …, was: { sk: 'ORDER#{orderId}' } })",
  ],
  'more shards': [
    shop({ shard: s.shard(4, 'orderId') }),
    shop({ shard: s.shard(16, 'orderId') }),
    shop({ shard: s.shard(16, 'orderId', { was: 4 }) }),
    "shard: s.shard(16, 'orderId', { was: 4 })",
  ],
  'another key in an index': [
    shop({}, (order) => order.index('all', { pk: 'ALL', sk: '{total:09}' })),
    shop({}, (order) => order.index('all', { pk: 'EVERY', sk: '{total:09}' })),
    shop({}, (order) => order.index('all', { pk: 'EVERY', sk: '{total:09}', was: { pk: 'ALL' } })),
    ".index('all', { …, was: { pk: 'ALL', sk: '{total:09}' } })",
  ],
  'a new name': [
    shop({ note: s.string() }),
    shop({ remark: s.string() }),
    shop({ remark: s.string().was('note') }),
    "remark: ….was('note')",
  ],
  'a new name in the table': [
    shop({ note: s.string() }),
    shop({ note: s.string().as('nt') }),
    shop({ note: s.string().as('nt').was('note') }),
    "note: ….was('note')",
  ],
  'another discriminator': [
    shop(),
    shop({}, undefined, { table: { discriminator: 'kind' } }),
    shop({}, undefined, { table: { discriminator: 'kind', was: { discriminator: 'entity' } } }),
    "table: { …, was: { discriminator: 'entity' } }",
  ],
}

describe('a model that says what it was is not unsafe; one that does not is told what to say', () => {
  test.each(Object.entries(predecessors))('%s', (_name, [before, silent, after, said]) => {
    const missing = planOf(before, silent)
    expect(missing.kind).toBe('unsafe')
    expect(missing.steps[0]).toMatchObject({ phase: 'prepare', action: expect.stringContaining(said) as string })
    const plan = planOf(before, after)
    expect(plan.kind).toBe('rewrite')
    expect(planText(plan)).toContain('its clients read both forms, merged in order')
    expect(plan.steps.map(({ phase }) => phase)).toEqual([
      'read both',
      'write both',
      'write new',
      'backfill',
      'verify',
      'drop',
    ])
    expect(plan.steps[3]?.action).toContain('hashrange migrate')
  })

  test('a key that moves is written twice, in a transaction', () => {
    const [before, , after] = predecessors['another sort key'] ?? []
    if (before === undefined || after === undefined) throw new Error()
    expect(planOf(before, after).cost).toMatchObject({ writeUnits: 4_000_000 })
  })

  test('one that says something else, or whose new key lacks a part of the old one, is unsafe', () => {
    const [before] = predecessors['another sort key'] ?? []
    const moved = (sk: string, was: string) =>
      shop({}, (order) => order.key({ pk: 'USER#{userId}', sk, was: { sk: was } }))
    if (before === undefined) throw new Error()
    expect(planOf(before, moved('O#{orderId}', 'OLD#{orderId}')).kind).toBe('unsafe')
    const lost = planOf(before, moved('O#{total:09}', 'ORDER#{orderId}'))
    expect(lost.kind).toBe('unsafe')
    expect(planText(lost)).toContain('cannot find the old form, which needs orderId')
  })
})

test('a key that a query of the new model could not search in its old form is unsafe, whatever the model says', () => {
  const all = (pk: string, was?: object): AnyModel =>
    shop({}, (order) => order.index('all', { pk, sk: '{total:09}', ...(was !== undefined && { was }) }), {
      patterns: (p: { query: (query: object) => unknown }) => ({ all: p.query({ on: 'all', pk }) }),
    })
  const lost = planOf(all('OF#{userId}'), all('ALL', { pk: 'OF#{userId}' }))
  expect(lost.kind).toBe('unsafe')
  expect(planText(lost)).toContain('The pattern all could not find items with the old key, which needs userId')
  expect(planOf(all('ALL'), all('OF#{userId}', { pk: 'ALL' })).kind).toBe('rewrite')
})

test('several differences share their steps', () => {
  const plan = planOf(shop(), shop({ a: s.string(), b: s.string() }))
  const verify = plan.steps.filter(({ phase }) => phase === 'verify')
  expect(verify).toMatchObject([{ because: ['Order.a', 'Order.b'] }])
})

test('what is in indexes is written there too, and a new index costs its entries', () => {
  const indexed = (order: Loose): Loose => order.index('byTotal', { pk: ['userId'], sk: ['total'] })
  const costOf = (before: AnyModel, after: AnyModel, phase: string): number | undefined =>
    planOf(before, after).steps.find((step) => step.phase === phase)?.cost?.writeUnits
  expect(costOf(shop({}, indexed), shop({ a: s.string() }, indexed), 'backfill')).toBe(2_000_000)
  expect(costOf(shop(), shop({}, indexed), 'add')).toBe(1_000_000)
})
