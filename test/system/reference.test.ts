import { Engine, openLmdbStore } from '@hashrange/engine'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConditionFailed, ReferenceTable, type ReferenceItem } from './reference-table.ts'
import { TestedTable, type Condition } from './tested-table.ts'

/** Random operations on the engine and on a naive table of a few dozen lines: they must agree on every answer, and in
 *  the end on every item, through the table and through both indexes. A failure prints its seed. */
test('the engine agrees with a naive table on random operations', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      async (operations, late) => {
        const engine = await Engine.open({ store: await openLmdbStore({ memory: true }) })
        try {
          const subject = new TestedTable(engine)
          await subject.createTable(!late)
          const reference = new ReferenceTable()
          for (const [position, step] of operations.entries()) {
            // The index may come while the table is in use.
            if (late && position === Math.floor(operations.length / 2)) await subject.addIndex()
            await runOnBoth(subject, reference, step)
          }
          if (late) await subject.indexIsReady()
          await compareAll(subject, reference)
        } finally {
          await engine.close()
        }
      },
    ),
    { numRuns: 150 },
  )
})

type Operation =
  | { readonly kind: 'put'; readonly item: ReferenceItem; readonly condition: Condition }
  | { readonly kind: 'update'; readonly item: ReferenceItem; readonly condition: Condition; readonly add: number }
  | { readonly kind: 'delete'; readonly item: ReferenceItem; readonly condition: Condition }
  | { readonly kind: 'get'; readonly item: ReferenceItem }
  | { readonly kind: 'transact'; readonly items: readonly ReferenceItem[]; readonly condition: Condition }
  | { readonly kind: 'batch'; readonly items: readonly ReferenceItem[] }
  | {
      readonly kind: 'query'
      readonly pk: string
      readonly from: number
      readonly to: number
      readonly reverse: boolean
    }

const partitionKey = fc.constantFrom('a', 'b', 'ä€😀', 'x'.repeat(30))
const sortKey = fc.constantFrom(-1e20, -2, 0, 0.5, 1, 10, 123456789)
const item: fc.Arbitrary<ReferenceItem> = fc.record(
  {
    pk: partitionKey,
    sk: sortKey,
    g: fc.constantFrom('g1', 'g2'),
    h: fc.integer({ min: -3, max: 3 }),
    l: fc.constantFrom('', 'k', 'kk', 'z\u0000', 'ÿ').map((text) => `l${text}`),
    v: fc.integer({ min: -5, max: 5 }),
  },
  { requiredKeys: ['pk', 'sk'], noNullPrototype: true },
)
const condition = fc.constantFrom<Condition>('none', 'absent', 'present', 'v-positive')
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), item, condition }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      item,
      condition,
      add: fc.integer({ min: -9, max: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), item, condition }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('get' as const), item }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('transact' as const),
      items: fc.uniqueArray(item, { minLength: 1, maxLength: 4, selector: ({ pk, sk }) => `${pk}/${sk}` }),
      condition,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      items: fc.uniqueArray(item, { minLength: 1, maxLength: 8, selector: ({ pk, sk }) => `${pk}/${sk}` }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('query' as const),
      pk: partitionKey,
      from: sortKey,
      to: sortKey,
      reverse: fc.boolean(),
    }),
  },
)

async function runOnBoth(subject: TestedTable, reference: ReferenceTable, step: Operation): Promise<void> {
  switch (step.kind) {
    case 'get':
      expect(await subject.get(step.item)).toEqual(reference.get(step.item.pk, step.item.sk))
      return
    case 'query': {
      const [from, to] = step.from <= step.to ? [step.from, step.to] : [step.to, step.from]
      const found = reference.query(
        ({ pk, sk }) => pk === step.pk && sk >= from && sk <= to,
        ({ sk }) => sk,
      )
      expect(await subject.query(step.pk, from, to, step.reverse)).toEqual(
        step.reverse ? found.toReversed() : found,
      )
      return
    }
    case 'put':
      return expectSame(
        subject.put(step.item, step.condition),
        attempt(() => reference.put(step.item, holds(step.condition))),
      )
    case 'delete':
      return expectSame(
        subject.delete(step.item, step.condition),
        attempt(() => reference.delete(step.item.pk, step.item.sk, holds(step.condition))),
      )
    case 'update': {
      const { pk, sk, g } = step.item
      return expectSame(
        subject.update(step.item, step.condition, step.add),
        attempt(() => {
          const before = reference.get(pk, sk)
          const { g: _, ...rest } = before ?? { pk, sk }
          const after = { ...rest, ...(g === undefined ? {} : { g }), v: (before?.v ?? 0) + step.add }
          reference.put(after, holds(step.condition))
          return after
        }),
      )
    }
    case 'transact':
      return expectSame(
        subject.transact(step.items, step.condition),
        attempt(() => {
          reference.transact(step.items.map((next) => () => reference.put(next, holds(step.condition))))
          return undefined
        }),
      )
    case 'batch':
      for (const next of step.items) reference.put(next, () => true)
      return subject.batch(step.items)
  }
}

async function compareAll(subject: TestedTable, reference: ReferenceTable): Promise<void> {
  const byKey = ({ pk, sk }: ReferenceItem): string => `${pk}/${sk}`
  const sorted = (items: readonly ReferenceItem[]): ReferenceItem[] =>
    items.toSorted((a, b) => (byKey(a) < byKey(b) ? -1 : 1))
  expect(sorted(await subject.scan())).toEqual(sorted(reference.items))
  const indexed = reference.items.filter(({ g, h }) => g !== undefined && h !== undefined)
  expect(sorted(await subject.scan('global'))).toEqual(sorted(indexed))
  expect(sorted(await subject.scan('local'))).toEqual(sorted(reference.items.filter(({ l }) => l !== undefined)))
  for (const pk of new Set(reference.items.map((each) => each.pk))) {
    const order = (await subject.queryLocal(pk)).map(({ l }) => l)
    const expected = reference.query(
      (each) => each.pk === pk && each.l !== undefined,
      ({ l }) => l ?? '',
    )
    expect(order).toEqual(expected.map(({ l }) => l))
  }
  expect(await subject.counts()).toEqual({ items: reference.items.length, global: indexed.length })
}

async function expectSame(actual: Promise<unknown>, expected: { value?: unknown; failed: boolean }): Promise<void> {
  if (expected.failed) {
    await expect(actual).rejects.toMatchObject({
      code: expect.stringMatching(/ConditionalCheckFailed|TransactionCanceled/) as string,
    })
  } else {
    expect(await actual).toEqual(expected.value)
  }
}

function attempt<T>(run: () => T): { value?: T; failed: boolean } {
  try {
    return { value: run(), failed: false }
  } catch (error) {
    if (error instanceof ConditionFailed) return { failed: true }
    throw error
  }
}

function holds(wanted: Condition): (before: ReferenceItem | undefined) => boolean {
  switch (wanted) {
    case 'none':
      return () => true
    case 'absent':
      return (before) => before === undefined
    case 'present':
      return (before) => before !== undefined
    case 'v-positive':
      return (before) => (before?.v ?? 0) > 0
  }
}
