import { entity, model, s } from '../../index.ts'
import type { CheckedModel } from '../measure-model.ts'

type Gallery = Readonly<Record<string, () => CheckedModel>>

/** More of the gallery: keys that do not sort, spread or tell apart. */
export const badKeys = {
  'low-cardinality-key': {
    'an index by status': () => {
      const Order = entity('Order', { orderId: s.ulid(), status: s.enum('OPEN', 'PAID', 'SHIPPED'), at: s.iso() })
        .key({ pk: 'ORDER#{orderId}', sk: 'ORDER' })
        .index('byStatus', { pk: 'STATUS#{status}', sk: '{at}' })
        .volume({ items: 5_000_000 })
      return model({
        name: 'orders',
        owner: 'team',
        entities: { Order },
        patterns: (p) => ({ byStatus2: p.query({ on: 'byStatus', pk: 'STATUS#{status}', limit: 20 }) }),
      })
    },
  },
  'padding-too-narrow': {
    'a score beyond its digits': () => {
      const Score = entity('Score', { game: s.ulid(), player: s.ulid(), score: s.int().range(0, 9_999_999) })
        .key({ pk: 'GAME#{game}', sk: 'SCORE#{score:05}#{player}' })
        .volume({ maxPerPartition: 100 })
      return model({
        name: 'scores',
        owner: 'team',
        entities: { Score },
        patterns: (p) => ({ add: p.create('Score') }),
      })
    },
    'a score below zero': () => {
      const Score = entity('Score', { game: s.ulid(), player: s.ulid(), score: s.int().range(-100, 100) })
        .key({ pk: 'GAME#{game}', sk: 'SCORE#{score:06}#{player}' })
        .volume({ maxPerPartition: 100 })
      return model({
        name: 'scores',
        owner: 'team',
        entities: { Score },
        patterns: (p) => ({ add: p.create('Score') }),
      })
    },
  },
  'unpadded-number': {
    'a score as it is': unpaddedScores,
  },
  'date-does-not-sort': {
    'a date that is any string': () => {
      const Visit = entity('Visit', { userId: s.ulid(), visitedAt: s.string() })
        .key({ pk: 'USER#{userId}', sk: 'VISIT#{visitedAt}' })
        .volume({ maxPerPartition: 100 })
      return model({
        name: 'visits',
        owner: 'team',
        entities: { Visit },
        patterns: (p) => ({ visits: p.query({ pk: 'USER#{userId}', sk: 'VISIT#*' }) }),
      })
    },
    'two precisions in one timeline': () => {
      const Call = entity('Call', { userId: s.ulid(), at: s.iso('second') })
        .key({ pk: 'USER#{userId}', sk: '{at}#CALL' })
        .volume({ maxPerPartition: 100 })
      const Mail = entity('Mail', { userId: s.ulid(), at: s.iso() })
        .key({ pk: 'USER#{userId}', sk: '{at}#MAIL' })
        .volume({ maxPerPartition: 100 })
      return model({
        name: 'timeline',
        owner: 'team',
        entities: { Call, Mail },
        patterns: (p) => ({ timeline: p.query({ pk: 'USER#{userId}' }) }),
      })
    },
  },
  'prefix-overlap': {
    'ORDER# and ORDER#ITEM#': () => {
      const Order = entity('Order', { userId: s.ulid(), orderId: s.ulid() })
        .key({ pk: 'USER#{userId}', sk: 'ORDER#{orderId}' })
        .volume({ maxPerPartition: 100 })
      const Item = entity('Item', { userId: s.ulid(), itemId: s.ulid() })
        .key({ pk: 'USER#{userId}', sk: 'ORDER#ITEM#{itemId}' })
        .volume({ maxPerPartition: 100 })
      return model({
        name: 'overlap',
        owner: 'team',
        entities: { Order, Item },
        patterns: (p) => ({ orders: p.query({ pk: 'USER#{userId}', sk: 'ORDER#*' }) }),
      })
    },
    'a pattern that drops half of what it reads': () => {
      const Order = entity('Order', { userId: s.ulid(), orderId: s.ulid() })
        .key({ pk: 'USER#{userId}', sk: 'ORDER#{orderId}' })
        .volume({ maxPerPartition: 100 })
      const Line = entity('Line', { userId: s.ulid(), orderId: s.ulid(), n: s.int().range(1, 99) })
        .key({ pk: 'USER#{userId}', sk: 'ORDER#{orderId}#LINE#{n:02}' })
        .volume({ maxPerPartition: 100 })
      return model({
        name: 'dropped',
        owner: 'team',
        entities: { Order, Line },
        patterns: (p) => ({ orders: p.query({ pk: 'USER#{userId}', sk: 'ORDER#*', entities: ['Order'] }) }),
      })
    },
  },
  'separator-injection': {
    'free text before a separator': () => {
      const Song = entity('Song', { artist: s.string(), title: s.string() })
        .key({ pk: 'SONG#{artist}#{title}', sk: 'SONG' })
        .volume({ items: 1000 })
      return model({
        name: 'songs',
        owner: 'team',
        entities: { Song },
        patterns: (p) => ({ song: p.get('Song') }),
      })
    },
    'free text where another key goes on': () => {
      const Page = entity('Page', { path: s.string() }).key({ pk: 'PAGE#{path}', sk: 'PAGE' })
      const Draft = entity('Draft', { path: s.uuid() }).key({ pk: 'PAGE#{path}#DRAFT', sk: 'PAGE' })
      return model({
        name: 'pages',
        owner: 'team',
        entities: { Page, Draft },
        patterns: (p) => ({ page: p.get('Page'), draft: p.get('Draft') }),
      })
    },
  },
} satisfies Readonly<Record<string, Gallery>>

export function unpaddedScores() {
  const Score = entity('Score', { game: s.ulid(), player: s.ulid(), score: s.int().range(0, 9_999_999) })
    .key({ pk: 'GAME#{game}', sk: 'SCORE#{score}#{player}' })
    .volume({ perPartition: 50, maxPerPartition: 100 })
  return model({
    name: 'scores',
    owner: 'team',
    entities: { Score },
    patterns: (p) => ({ top: p.query({ pk: 'GAME#{game}', sk: 'SCORE#*', order: 'desc' }) }),
  })
}
