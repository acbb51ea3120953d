import { describe, expect, test } from 'vitest'
import { entity } from '../model/entity.ts'
import { model } from '../model/model.ts'
import { s } from '../schema/s.ts'
import { addDecimals, canonicalDecimal, subtractDecimals } from './decimal.ts'
import { copy, count, max, min, sum, topN } from './derivation.ts'
import { derive } from './derive.ts'
import { derivedHandler } from './derived-handler.ts'
import { marks } from './marks.ts'

const Score = entity('Score', {
  game: s.string(),
  player: s.string(),
  points: s.int().range(0, 999),
  name: s.string(),
})
  .key({ pk: 'GAME#{game}', sk: 'SCORE#{points:03}#{player}' })
  .index('byPlayer', { pk: 'PLAYER#{player}', sk: '{points:03}' })
const Game = entity('Game', {
  game: s.string(),
  scores: s.int().default(0),
  points: s.int().optional(),
  text: s.string().optional(),
  best: s.list(s.string()).optional(),
  strict: s.int().optional(),
}).key({ pk: 'GAME#{game}', sk: 'TOTALS' })
const Ranked = entity('Ranked', { game: s.string(), points: s.int().default(0) })
  .key({ pk: 'RANK#{game}', sk: 'RANK' })
  .index('ranks', { pk: 'ALL', sk: '{points:09}' })
const Mark = marks()
const games = model({
  name: 'games',
  table: { stream: 'NEW_AND_OLD_IMAGES' },
  entities: { Score, Game, Ranked, Mark },
  patterns: (p) => ({
    scores: p.query({ pk: 'GAME#{game}', sk: 'SCORE#*', order: 'desc' }),
    scoresOfPlayer: p.query({ on: 'byPlayer', pk: 'PLAYER#{player}', order: 'desc' }),
  }),
})

describe('declarations that cannot be kept are refused', () => {
  const by = { by: 'game', into: Game } as const
  const refusals: Record<string, [() => unknown, string]> = {
    'without marks': [
      () => derive(games, { n: count(Score, { ...by, set: 'scores' }) }),
      'The derivation n: Counters, sums and entries need marks, so that no change counts twice.',
    ],
    'a counter in a composed key': [
      () => derive(games, { n: count(Score, { by: 'game', into: Ranked, set: 'points' }) }, { marks: Mark }),
      "Ranked.points is part of a composed key. Make it a native key of the index instead: sk: ['points']",
    ],
    'a counter that is not a number': [
      () => derive(games, { n: count(Score, { ...by, set: 'text' }) }, { marks: Mark }),
      'Game.text is not a number.',
    ],
    'a ranking by a global index': [
      () =>
        derive(games, {
          n: topN(Score, 3, { ...by, set: 'best', via: 'scoresOfPlayer', each: ({ name }) => name }),
        }),
      'The pattern scoresOfPlayer reads the global index byPlayer, which may not contain the newest changes yet',
    ],
    'the smallest from the wrong end': [
      () => derive(games, { n: min(Score, 'points', { ...by, set: 'points', via: 'scores' }) }),
      "The pattern scores does not return the smallest points first. Use a pattern whose sort key begins with {points}, with order: 'asc'.",
    ],
    'an unknown pattern': [
      () => derive(games, { n: max(Score, 'points', { ...by, set: 'points', via: 'nowhere' }) }),
      'nowhere is not a query pattern that returns Score items',
    ],
    'marks that are not marks': [
      () => derive(games, { n: count(Score, { ...by, set: 'scores' }) }, { marks: Ranked }),
      "Ranked is not an entity of marks. Make it with marks('Ranked').",
    ],
    'a copy without a reference': [
      () => derive(games, { n: copy(Score, { into: Game, attributes: { name: 'text' }, via: 'scores' }) }),
      'Game has no attribute player, so that it does not say which Score it belongs to.',
    ],
    'an entity of another model': [
      () => derive(games, { n: count(entity('Other', { game: s.string() }), { ...by, set: 'scores' }) }),
      'Other is not an entity of the model games.',
    ],
  }
  for (const [what, [declare, message]] of Object.entries(refusals)) {
    test(what, () => {
      expect(declare).toThrow(message)
    })
  }

  test('a stream that lacks images', () => {
    const half = model({
      name: 'half',
      table: { stream: 'KEYS_ONLY' },
      entities: { Score, Game, Mark },
      patterns: () => ({}),
    })
    expect(() => derive(half, { n: count(Score, { ...by, set: 'scores' }) }, { marks: Mark })).toThrow(
      "shows KEYS_ONLY. Derived items also need the old image of each change: set stream: 'NEW_AND_OLD_IMAGES'",
    )
  })

  test('by the compiler, where it can see it', () => {
    // @ts-expect-error The key of a game is not made of the player.
    const other = count(Score, { by: 'player', into: Game, set: 'scores' })
    expect(() => derive(games, { other }, { marks: Mark })).toThrow('The key of Game also needs game.')
    // @ts-expect-error There is no such attribute.
    sum(Score, 'goals', { by: 'game', into: Game, set: 'points' })
    sum(Score, 'points', { by: ({ game }) => ({ game: game.toUpperCase() }), into: Game, set: 'points' })
    // @ts-expect-error The function returns no key of a game.
    sum(Score, 'points', { by: ({ player }) => ({ player }), into: Game, set: 'points' })
  })
})

test('a record that does not say where it belongs in the order is not counted', async () => {
  const derived = derive(games, { n: count(Score, { by: 'game', into: Game, set: 'scores' }) }, { marks: Mark })
  const client = { send: () => Promise.reject(new Error('nothing is sent')) }
  const errors: unknown[] = []
  const handler = derivedHandler(derived, client as never, { onError: (error) => errors.push(error) })
  const Keys = { pk: { S: 'GAME#a' }, sk: { S: 'SCORE#001#p' } }
  const values = { game: { S: 'a' }, player: { S: 'p' }, points: { N: '1' }, name: { S: 'P' } }
  const NewImage = { ...Keys, ...values, entity: { S: 'Score' } }
  const record = { eventName: 'INSERT', dynamodb: { Keys, NewImage, SequenceNumber: '7' } }
  expect(await handler({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] })
  expect(String(errors[0])).toContain('The record does not say which stream it is from. Pass its streamArn.')
})

test('numbers are added exactly, as DynamoDB does', () => {
  expect(addDecimals('0.1', '0.2')).toBe('0.3')
  expect(subtractDecimals('0.3', '0.3')).toBe('0')
  expect(subtractDecimals('100', '250.50')).toBe('-150.5')
  expect(addDecimals('99999999999999999999999999999999999999', '1')).toBe('1' + '0'.repeat(38))
  expect(addDecimals('1e125', '1e125')).toBe('2E125')
  expect(canonicalDecimal('-0012.500')).toBe('-12.5')
  expect(canonicalDecimal('1E-130')).toBe('1E-130')
})
