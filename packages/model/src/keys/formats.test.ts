import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entity, hashOf, model, s, shardOf } from '../index.ts'
import { openModel } from '../testing/open-model.ts'
import { compareText } from './compare-stored.ts'
import { holeText, parsePadded } from './key-text.ts'
import { checkTemplateText } from './check-template-text.ts'
import { parseTemplate } from './parse-template.ts'

function formatOf(text: string) {
  const [part] = parseTemplate(text)
  if (part?.kind !== 'hole') throw new Error('no hole')
  return part.format
}

describe('a padded number with a sign', () => {
  const forms = ['{n:+04}', '{n:+07.2}', '{n:+04:desc}']
  test.each(forms)('%s sorts like the numbers, and is read back', (text) => {
    const format = formatOf(text)
    if (format.kind !== 'padded') throw new Error('not padded')
    const scale = 10 ** format.decimals
    const number = fc.integer({ min: -9999, max: 9999 }).map((n) => n / scale)
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [left, right] = [a, b].map((n) => holeText('n', format, { N: String(n) }))
        if (left === undefined || right === undefined) throw new Error('no text')
        const order = Math.sign(compareText(left, right))
        expect(order + 0).toBe((format.isDescending ? -1 : 1) * Math.sign(a - b) + 0)
        expect(parsePadded(format, left)).toBeCloseTo(a, 9)
        expect(left.length).toBe(format.width)
      }),
    )
  })

  test('refuses what does not fit', () => {
    expect(() => holeText('n', formatOf('{n:+04}'), { N: '-10000' })).toThrow('does not fit in 4 digits')
    expect(() => holeText('n', formatOf('{n:04}'), { N: '-1' })).toThrow('Give the padding of its key a sign')
    expect(parsePadded({ kind: 'padded', width: 4, decimals: 0, isDescending: false }, '-123')).toBeUndefined()
  })
})

test('hashes and buckets are what they have always been', () => {
  expect(hashOf('')).toBe('cbf29ce484222325')
  expect(hashOf('a')).toBe('af63dc4c8601ec8c')
  expect(hashOf('foobar')).toBe('85944171f73967e8')
  expect(holeText('x', formatOf('{x:bucket:16}'), { S: 'ada' })).toBe(String(shardOf('ada', 16)))
  expect(holeText('x', formatOf('{x:lower}'), { S: 'Ada@Example.COM' })).toBe('ada@example.com')
})

test.each(['{x:lower:desc}', '{x:bucket}', '{x:bucket:0}', '{x:hash:8}', '{x:+5}', '{x:desc:day}', '{x:middle}'])(
  '%s is not a format',
  (text) => expect(() => checkTemplateText(text)).toThrow('has an unknown format'),
)

const Event = entity('Event', {
  user: s.string(),
  at: s.iso('second'),
  balance: s.int().range(-9999, 9999),
  url: s.string(),
  kind: s.string(),
})
  .key({ pk: 'USER#{user:lower}', sk: 'EVENT#{at:desc}' })
  .index('byBalance', { pk: 'KIND#{kind:upper}#{user:bucket:4}', sk: '{balance:+04}#{at}' })
  .index('byUrl', { pk: 'URL#{url:hash}', sk: '{at:day:desc}#{user}' })
const events = model({
  name: 'events',
  entities: { Event },
  table: { indexes: { byUrl: { projection: 'KEYS_ONLY' } } },
  patterns: (p) => ({
    latest: p.query({ pk: 'USER#{user:lower}', sk: 'EVENT#*', range: 'at' }),
    byBalance: p.query({ on: 'byBalance', pk: 'KIND#{kind:upper}#{user:bucket:4}', range: 'balance' }),
    byUrl: p.query({ on: 'byUrl', pk: 'URL#{url:hash}', range: 'at' }),
  }),
})

test('keys with dates that count down, signs, cases, hashes and buckets are written, found and read', async () => {
  const { db } = await openModel(events)
  const at = (day: number) => `2026-01-0${day}T10:00:00Z`
  for (let day = 1; day <= 5; day++) {
    await db.Event.create({ user: 'Ada', at: at(day), balance: (day - 3) * 100, url: 'http://x/#y', kind: 'login' })
  }
  const days = (items: readonly { readonly at: string }[]) => items.map((each) => Number(each.at.slice(8, 10)))
  const latest = async (range: NonNullable<Parameters<typeof db.latest>[0]['at']>) =>
    days((await db.latest({ user: 'ADA', at: range })).items.Event)
  expect(await latest({})).toEqual([5, 4, 3, 2, 1])
  expect(await latest({ from: at(2), to: at(4) })).toEqual([4, 3, 2])
  expect(await latest({ after: '2026-01-02', before: '2026-01-05' })).toEqual([4, 3])
  expect(await latest({ from: '2026-01', to: '2026-01-03' })).toEqual([3, 2, 1])
  const balances = await db.byBalance({ kind: 'Login', user: 'Ada', balance: { from: -100, before: 200 } })
  expect(balances.items.Event.map(({ balance }) => balance)).toEqual([-100, 0, 100])
  const byUrl = await db.byUrl({ url: 'http://x/#y', at: { from: '2026-01-02', to: '2026-01-03' } })
  // Of an index of keys, the exact time is known from the table's key, and the user from the end of the index key.
  expect(byUrl.items.Event).toEqual([
    { user: 'Ada', at: at(3) },
    { user: 'Ada', at: at(2) },
  ])
})

test('a range needs a key that sorts', () => {
  const Page = entity('Page', { site: s.string(), url: s.string() }).key({ pk: 'S#{site}', sk: '{url:hash}' })
  expect(() =>
    model({
      name: 'pages',
      entities: { Page },
      patterns: (p) => ({ list: p.query({ pk: 'S#{site}', range: 'url' }) }),
    }),
  ).toThrow('its key holds a hash, which does not sort like the value')
})
