import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { exampleRequest } from '../export/request/example-request.ts'
import { modelSamples } from '../export/sample/model-samples.ts'
import { entity, model, s } from '../index.ts'
import { checkModel, isAcceptable } from './check-model.ts'
import { reviewTitles } from './finding.ts'
import { safeGlobalTables } from './testing/bad-global-tables.ts'
import { badModels } from './testing/bad-models.ts'
import { goodFormats, goodModels, priceList } from './testing/good-models.ts'

const maxItems = 200

/** How many of the good models are checked by their descriptions as well: a few, and in the long form all. */
const described = process.env['HASHRANGE_CHECK_SEEDS'] === undefined ? 3 : Infinity

/** Mistakes that cannot be made alone. */
const companions: Readonly<Record<string, readonly string[]>> = {
  'unpadded-number': ['wrong-order'],
  'wrong-order': ['unpadded-number'],
  'projection-too-narrow': ['returns-nothing', 'filter'],
}

describe('of the gallery of bad models', () => {
  for (const [code, models] of Object.entries(badModels)) {
    for (const [name, make] of Object.entries(models)) {
      test(`${code} is found in ${name}, and nothing else`, async () => {
        const { findings } = await checkModel(make(), { open, maxItems })
        expect(findings.map((finding) => finding.code)).toContain(code)
        const expected = new Set([code, ...(companions[code] ?? [])])
        expect(findings.filter((finding) => !expected.has(finding.code))).toEqual([])
        for (const { reason, remedy } of findings)
          expect(reason + remedy).not.toMatch(/undefined|NaN|Infinity|\[object/)
      })
    }
  }

  test('there is one for every kind of finding', () => {
    expect(Object.keys(badModels).toSorted()).toEqual(Object.keys(reviewTitles).toSorted())
  })
})

test('on a global table, the same is safe with a home region, with one region for writes, or with strong consistency', async () => {
  for (const make of Object.values(safeGlobalTables)) {
    expect((await checkModel(make(), { open, maxItems: 50 })).findings).toEqual([])
  }
})

test('personal data that is hashed is not in the key', async () => {
  const Subscriber = entity('Subscriber', { subscriberEmail: s.string() }).key({
    pk: 'SUBSCRIBER#{subscriberEmail:hash}',
    sk: 'SUBSCRIBER',
  })
  const subscribers = model({
    name: 'subscribers',
    owner: 'team',
    entities: { Subscriber },
    patterns: (p) => ({ subscriber: p.get('Subscriber') }),
  })
  expect((await checkModel(subscribers, { open, maxItems })).findings).toEqual([])
})

test('an update is tried with what it can change: not with half a key, nor with what is read-only or computed from', async () => {
  const Hive = entity('Hive', {
    hiveId: s.ulid(),
    bornAt: s.iso().readOnly(),
    width: s.int(),
    height: s.int(),
    country: s.string(),
    state: s.enum('billed', 'reminded', 'paid'),
    queens: s.int(),
  })
    .computed('area', s.int(), ['width', 'height'], ({ width, height }) => width * height)
    .key({ pk: 'HIVE#{hiveId}', sk: 'HIVE' })
    .index('unpaid', { pk: 'UNPAID#{country}', sk: '{hiveId}', when: { state: ['billed', 'reminded'] } })
    .volume({ items: 500 })
  const bees = model({
    name: 'bees',
    owner: 'team',
    entities: { Hive },
    patterns: (p) => ({
      pay: p.update('Hive', { changes: ['state'] }),
      touch: p.update('Hive'),
      unpaid: p.query({ on: 'unpaid', pk: 'UNPAID#{country}', limit: 20 }),
    }),
  })
  const { findings, measurement } = await checkModel(bees, { open, maxItems })
  expect(findings).toEqual([])
  expect(measurement.patterns.filter(({ failure, untried }) => (failure ?? untried) !== undefined)).toEqual([])
  const [pay, touch] = bees.description.patterns.map((pattern) =>
    exampleRequest(bees.description, pattern, modelSamples(bees)),
  )
  expect(JSON.stringify(await pay)).toContain('"paid"')
  expect(JSON.stringify(await touch)).toContain('SET #queens')
})

test('padding that is too narrow is widened in its own format', async () => {
  const Price = entity('Price', { shop: s.ulid(), price: s.number().range(0, 1_000_000) })
    .key({ pk: 'SHOP#{shop}', sk: '{price:09.2:desc}' })
    .volume({ maxPerPartition: 100 })
  const prices = model({
    name: 'prices',
    owner: 'team',
    entities: { Price },
    patterns: (p) => ({ add: p.create('Price') }),
  })
  const { findings } = await checkModel(prices, { open, maxItems })
  expect(findings).toMatchObject([
    {
      code: 'padding-too-narrow',
      reason: expect.stringContaining('only reach 999,999.99:') as unknown,
      remedy: expect.stringContaining('{price:10.2:desc}') as unknown,
    },
  ])
})

describe('in a good model nothing is found', () => {
  for (const [place, [name, make]] of Object.entries({ ...goodModels, ...goodFormats }).entries()) {
    // Each is checked once, whoever of the tests comes first.
    const byClient = once(() => checkModel(make(), { open, maxItems }))
    const byDescription = once(() => checkModel(make().description, { open, maxItems }))

    test(`${name}, through its typed client`, async () => {
      const { findings, measurement } = await byClient()
      expect(measurement.patterns.filter(({ failure, untried }) => (failure ?? untried) !== undefined)).toEqual([])
      expect(findings).toEqual([])
    })

    // What differs without a typed client is the same for all of them.
    if (place >= described) continue
    test(`${name}, by its description alone`, async () => {
      const { findings } = await byDescription()
      expect(findings).toEqual([])
    })

    test(`${name}: requests made from its description cost what the typed client's cost`, async () => {
      const typed = await byClient()
      const described = await byDescription()
      // Of shards, the typed client asks each for its part, and again where that was not enough.
      const sharded = new Set(
        typed.model.patterns.flatMap((pattern) => (pattern.shards === undefined ? [] : [pattern.name])),
      )
      const units = ({ measurement }: typeof typed): string[] =>
        measurement.patterns
          .filter(({ pattern }) => !sharded.has(pattern))
          .map(({ pattern, readUnits, writeUnits }) => `${pattern}: ${readUnits} RCU, ${writeUnits} WCU`)
      expect(units(described)).toEqual(units(typed))
    })
  }
})

describe('a check', () => {
  test('is the same for the same seed, and not for another', async () => {
    const figures = async (seed: number) => {
      const { measurement } = await checkModel(priceList(), { open, seed, maxItems })
      return measurement.patterns.map((measured) => ({ ...measured, medianMilliseconds: 0 }))
    }
    const ofSeven = await figures(7)
    expect(await figures(7)).toEqual(ofSeven)
    expect(await figures(8)).not.toEqual(ofSeven)
  })

  test('a build fails by errors, and by warnings if it is strict', () => {
    const finding = (severity: 'error' | 'warning' | 'note') => ({
      findings: [
        {
          code: 'scan' as const,
          severity,
          where: { kind: 'model' as const, name: 'shop' },
          reason: '',
          remedy: '',
        },
      ],
    })
    expect(isAcceptable(finding('error'), false)).toBe(false)
    expect(isAcceptable(finding('warning'), false)).toBe(true)
    expect(isAcceptable(finding('warning'), true)).toBe(false)
    expect(isAcceptable(finding('note'), true)).toBe(true)
  })
})

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
