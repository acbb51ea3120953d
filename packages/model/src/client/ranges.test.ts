import { describe, expect, test } from 'vitest'
import { absent, atLeast, beginsWith, between, differs, entity, model, oneOf, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'

const Reading = entity('Reading', {
  device: s.string(),
  at: s.iso('day'),
  value: s.number(),
  big: s.decimal(),
  name: s.string(),
  note: s.string().optional(),
})
  .key({ pk: 'D#{device}', sk: 'AT#{at}' })
  .index('byValue', { pk: 'D#{device}', sk: '{value}' })
  .index('byName', { pk: 'D#{device}', sk: 'N#{name}#{at}' })
  .index('byBig', { pk: 'D#{device}', sk: '{big}' })
const readings = model({
  name: 'readings',
  table: {
    indexes: {
      byValue: { pk: 'gpk', sk: 'value' },
      byName: { pk: 'gpk', sk: 'nsk' },
      byBig: { pk: 'gpk', sk: 'big' },
    },
  },
  entities: { Reading },
  patterns: (p) => ({
    byTime: p.query({ pk: 'D#{device}', sk: 'AT#*', range: 'at' }),
    byValue: p.query({ on: 'byValue', pk: 'D#{device}', range: 'value' }),
    byBig: p.query({ on: 'byBig', pk: 'D#{device}', range: 'big' }),
    byName: p.query({ on: 'byName', pk: 'D#{device}', sk: 'N#*', range: 'name' }),
    filtered: p.query({ pk: 'D#{device}', sk: 'AT#*', filter: ['value', 'note'] }),
  }),
})

async function opened() {
  const { db } = await openModel(readings)
  for (let day = 1; day <= 6; day++) {
    await db.Reading.create({
      device: 'a',
      at: `2026-01-0${day}`,
      value: day - 3,
      big: `${day - 3}.5`,
      name: ['a', 'ab', 'b', 'b\u{10FFFD}', 'c', '\u{1F600}'][day - 1] ?? '',
      ...(day % 2 === 0 && { note: `even ${day}` }),
    })
  }
  return db
}

describe('bounds that are not included', () => {
  test('of dates, of whole months too', async () => {
    const db = await opened()
    const days = async (at: Parameters<typeof db.byTime>[0]['at']) =>
      (await db.byTime({ device: 'a', at })).items.Reading.map((each) => Number(each.at.slice(-2)))
    expect(await days({ after: '2026-01-02', before: '2026-01-05' })).toEqual([3, 4])
    expect(await days({ after: '2026-01-02', to: '2026-01-05' })).toEqual([3, 4, 5])
    expect(await days({ from: '2026-01-02', before: '2026-01-05' })).toEqual([2, 3, 4])
    expect(await days({ before: '2026-01-03' })).toEqual([1, 2])
    expect(await days({ after: '2025-12' })).toEqual([1, 2, 3, 4, 5, 6])
    expect(await days({ after: '2026-01' })).toEqual([])
    expect(await days({ before: '2026-01' })).toEqual([])
    expect(await days({ after: '2026-01-03', before: '2026-01-03' })).toEqual([])
    expect(await days({ after: '2026-01-03', before: '2026-01-04' })).toEqual([])
    await expect(days({ after: '2026-01-04', before: '2026-01-03' })).rejects.toThrow('ends before it begins')
    // @ts-expect-error one lower bound is enough
    await expect(days({ from: '2026-01-01', after: '2026-01-01' })).rejects.toThrow('takes from or after')
  })

  test('of numbers, below and above zero', async () => {
    const db = await opened()
    const values = async (value: Parameters<typeof db.byValue>[0]['value']) =>
      (await db.byValue({ device: 'a', value })).items.Reading.map((each) => each.value)
    expect(await values({ after: -2, before: 2 })).toEqual([-1, 0, 1])
    expect(await values({ after: 0 })).toEqual([1, 2, 3])
    expect(await values({ before: 0 })).toEqual([-2, -1])
    expect(await values({ after: -1, to: 1 })).toEqual([0, 1])
    expect(await values({ after: 0, before: 1 })).toEqual([])
    const big = (await db.byBig({ device: 'a', big: { after: '-0.5', before: '2.5' } })).items.Reading
    expect(big.map((each) => each.big)).toEqual(['0.5', '1.5'])
  })

  test('of text', async () => {
    const db = await opened()
    const names = async (name: Parameters<typeof db.byName>[0]['name']) =>
      (await db.byName({ device: 'a', name })).items.Reading.map((each) => each.name)
    expect(await names({ after: 'a', before: 'c' })).toEqual(['ab', 'b', 'b\u{10FFFD}'])
    expect(await names({ before: 'b' })).toEqual(['a', 'ab'])
    expect(await names({ before: '\u{1F600}' })).toEqual(['a', 'ab', 'b', 'b\u{10FFFD}', 'c'])
    expect(await names({ after: 'c' })).toEqual(['\u{1F600}'])
  })
})

test('filters compare in other ways than for equality', async () => {
  const db = await opened()
  const found = async (parameters: Omit<Parameters<typeof db.filtered>[0], 'device'>) =>
    (await db.filtered({ device: 'a', ...parameters })).items.Reading.map((each) => each.value)
  expect(await found({ value: atLeast(0), note: beginsWith('even') })).toEqual([1, 3])
  expect(await found({ value: between(-2, 0), note: absent() })).toEqual([-2, 0])
  expect(await found({ value: oneOf(-1, 3), note: differs('even 2') })).toEqual([3])
  expect(await found({ value: 3, note: 'even 6' })).toEqual([3])
  const refused = () => {
    // @ts-expect-error a value is a number
    void found({ value: atLeast('x'), note: absent() })
    // @ts-expect-error only what is filtered by is compared
    void db.filtered({ device: beginsWith('a'), value: 1, note: 'x' })
  }
  expect(refused).toBeTypeOf('function')
})
