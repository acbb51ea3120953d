import { entity, model, s } from '../../index.ts'
import type { GlobalTableDescription, ModelDescription } from '../../description.ts'
import type { CheckedModel } from '../measure-model.ts'

type Gallery = Readonly<Record<string, () => CheckedModel>>

const regions = ['us-east-1', 'us-east-2', 'us-west-2']

/** What is fine in one region, and not on a global table. */
export const badGlobalTables = {
  'global-counter': {
    'likes of a song': () => songs({ regions }),
    'votes that are counted in a transaction': () => votes({ regions, consistency: 'eventual' }),
  },
  'global-read-modify-write': { 'a cart that is changed as a whole': () => carts({ regions }) },
  'global-version': { 'a page with a version': () => pages({ regions }) },
  'global-unique': {
    'an account name': () => accounts({ regions }),
    'an account name, although each account has a home': () => accounts({ regions, writes: 'home' }),
  },
  'global-unsupported': {
    'a transaction with strong consistency': () => votes({ regions, consistency: 'strong' }),
    'sessions that expire': () => sessions({ regions, consistency: 'strong' }),
    'two regions': () => songs({ regions: ['us-east-1', 'us-east-2'], consistency: 'strong' }),
  },
} satisfies Readonly<Record<string, Gallery>>

/** The same where it is safe: each item has a home, all are written in one region, or all regions see each other. */
export const safeGlobalTables: Gallery = {
  'likes of a song that has a home': () => songs({ regions, writes: 'home' }),
  'likes with strong consistency': () => songs({ regions, consistency: 'strong' }),
  'a cart that has a home': () => carts({ regions, writes: 'home' }),
  'a page with strong consistency': () => pages({ regions, consistency: 'strong' }),
  'an account name that one region gives': () => accounts({ regions, writes: 'one' }),
}

function songs(global: GlobalTableDescription) {
  const Song = entity('Song', { songId: s.ulid(), likes: s.int(), title: s.string() }).key({
    pk: 'SONG#{songId}',
    sk: 'SONG',
  })
  return model({
    name: 'songs',
    owner: 'team',
    table: { global },
    entities: { Song },
    patterns: (p) => ({
      like: p.update('Song', { changes: ['likes'] }),
      rename: p.update('Song', { changes: ['title'] }),
    }),
  })
}

function votes(global: GlobalTableDescription): ModelDescription {
  const Poll = entity('Poll', { pollId: s.ulid(), votes: s.int() }).key({ pk: 'POLL#{pollId}', sk: 'POLL' })
  const Vote = entity('Vote', { pollId: s.ulid(), voter: s.ulid() })
    .key({ pk: 'POLL#{pollId}', sk: 'VOTE#{voter}' })
    .volume({ perPartition: 40, maxPerPartition: 1000 })
  return model({
    name: 'votes',
    owner: 'team',
    table: { global },
    entities: { Poll, Vote },
    patterns: (p) => ({ vote: p.transact({ 'Vote.create': 1, 'Poll.upsert': 1 }) }),
  }).description
}

function carts(global: GlobalTableDescription) {
  const Cart = entity('Cart', { cartId: s.ulid(), lines: s.list(s.string()).count(5, 20) }).key({
    pk: 'CART#{cartId}',
    sk: 'CART',
  })
  return model({
    name: 'carts',
    owner: 'team',
    table: { global },
    entities: { Cart },
    patterns: (p) => ({ change: p.modify('Cart', { changes: ['lines'] }) }),
  })
}

function pages(global: GlobalTableDescription) {
  const Page = entity('Page', { pageId: s.ulid(), text: s.string(), version: s.version() }).key({
    pk: 'PAGE#{pageId}',
    sk: 'PAGE',
  })
  return model({
    name: 'pages',
    owner: 'team',
    table: { global },
    entities: { Page },
    patterns: (p) => ({ add: p.create('Page'), save: p.update('Page', { changes: ['text'] }) }),
  })
}

function accounts(global: GlobalTableDescription) {
  const Account = entity('Account', { accountId: s.ulid(), handle: s.string() })
    .key({ pk: 'ACCOUNT#{accountId}', sk: 'ACCOUNT' })
    .unique('handle')
  return model({
    name: 'accounts',
    owner: 'team',
    table: { global },
    entities: { Account },
    patterns: (p) => ({ open: p.create('Account'), read: p.get('Account') }),
  })
}

function sessions(global: GlobalTableDescription) {
  const Session = entity('Session', { sessionId: s.ulid(), endsAt: s.ttl() }).key({
    pk: 'SESSION#{sessionId}',
    sk: 'SESSION',
  })
  return model({
    name: 'sessions',
    owner: 'team',
    table: { global },
    entities: { Session },
    patterns: (p) => ({ open: p.create('Session'), read: p.get('Session') }),
  })
}
