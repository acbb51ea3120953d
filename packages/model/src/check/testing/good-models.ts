import { entity, model, s, type StandardSchema } from '../../index.ts'
import type { AnyModel } from '../../model/model.ts'
import { shop } from './shop.ts'

/** Many to many: users and groups, each a list of the other. */
function memberships() {
  const User = entity('User', { userId: s.ulid(), name: s.string() })
    .key({ pk: 'USER#{userId}', sk: 'USER' })
    .volume({ items: 50_000 })
  const Group = entity('Group', { groupId: s.ulid(), title: s.string() })
    .key({ pk: 'GROUP#{groupId}', sk: 'GROUP' })
    .volume({ items: 5000 })
  const Membership = entity('Membership', { userId: s.ulid(), groupId: s.ulid(), role: s.enum('member', 'admin') })
    .key({ pk: 'USER#{userId}', sk: 'GROUP#{groupId}' })
    .index('members', { pk: 'GROUP#{groupId}', sk: 'USER#{userId}' })
    .volume({ items: 500_000, perPartition: 10, maxPerPartition: 200 })
  return model({
    name: 'memberships',
    owner: 'team',
    entities: { User, Group, Membership },
    patterns: (p) => ({
      groupsOfUser: p.query({ pk: 'USER#{userId}', sk: 'GROUP#*', traffic: { rate: 100 } }),
      membersOfGroup: p.query({ on: 'members', pk: 'GROUP#{groupId}', limit: 100, traffic: { rate: 20 } }),
      user: p.get('User', { traffic: { rate: 500 } }),
      group: p.get('Group', { consistent: true, traffic: { rate: 50 } }),
      join: p.transact({ 'User.check': 1, 'Membership.create': 1 }, { traffic: { rate: 5 } }),
      promote: p.modify('Membership', { changes: ['role'], traffic: { rate: 1 } }),
    }),
  })
}

/** Scores of a game in descending order, spread over shards, and a native multi-attribute index. */
function leaderboard() {
  const Score = entity('Score', {
    game: s.ulid(),
    player: s.ulid(),
    points: s.int().range(0, 99_999_999),
    country: s.string().distinct(200),
    league: s.enum('gold', 'silver', 'bronze'),
    shard: s.shard(4, 'player'),
  })
    .key({ pk: 'GAME#{game}', sk: 'PLAYER#{player}' })
    .index('top', { pk: 'TOP#{game}#{shard}', sk: '{points:08:desc}#{player}' })
    .index('byLeague', { pk: ['country', 'league'], sk: ['points'] })
    .volume({ items: 1_000_000, perPartition: 1000, maxPerPartition: 100_000 })
  return model({
    name: 'leaderboard',
    owner: 'team',
    entities: { Score },
    patterns: (p) => ({
      top: p.query({
        on: 'top',
        pk: 'TOP#{game}#{shard}',
        limit: 10,
        traffic: { rate: 300 },
        budget: { requests: 8 },
      }),
      score: p.get('Score', { traffic: { rate: 200 } }),
      bestOfLeague: p.query({
        on: 'byLeague',
        pk: ['country', 'league'],
        order: 'desc',
        limit: 10,
        traffic: { rate: 10 },
      }),
      record: p.upsert('Score', { traffic: { rate: 300 } }),
    }),
  })
}

/** Generated texts are no addresses: such values go past the typed client. */
const address: StandardSchema<string, string> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof value === 'string' && value.includes('@') ? { value } : { issues: [{ message: 'is no address' }] },
  },
}

/** Two tables, a native key, a local index, sets, index items for each element, a TTL, and a guard. */
function sessions() {
  const User = entity('User', {
    userId: s.uuid(),
    email: s.string().size(30).check(address),
    emails: s.set(s.string()).count(2, 5),
    address: s.map({ street: s.string(), city: s.string() }).optional(),
  })
    .key({ pk: 'USER#{userId}', sk: 'USER' })
    .unique('email')
    .indexItem('byEmail', { pk: 'EMAIL#{emails}', sk: 'USER', each: 'emails' })
    .volume({ items: 10_000 })
    .in('users')
  const Session = entity('Session', {
    token: s.uuid(),
    startedAt: s.iso('second'),
    expiresAt: s.ttl(),
    userId: s.uuid(),
  })
    .key({ pk: '{userId}', sk: '{token}' })
    .index('byStart', { sk: '{startedAt}' })
    .volume({ items: 20_000, perPartition: 2, maxPerPartition: 20 })
    .in('sessions')
  return model({
    name: 'sessions',
    owner: 'team',
    tables: { users: {}, sessions: { pk: 'userId', sk: 'token', indexes: { byStart: { sk: 'startedAt' } } } },
    entities: { User, Session },
    patterns: (p) => ({
      user: p.get('User', { traffic: { rate: 50 } }),
      byEmail: p.lookup('User', 'byEmail', { traffic: { rate: 10 } }),
      sessionsOfUser: p.query({ on: 'byStart', pk: '{userId}', order: 'desc', traffic: { rate: 20 } }),
      both: p.transactGet(['User', 'Session'], { traffic: { rate: 1, items: 2 } }),
      signUp: p.create('User', { traffic: { rate: 1 } }),
      signIn: p.create('Session', { traffic: { rate: 10 } }),
      changeEmail: p.modify('User', { changes: ['email'], traffic: { rate: 0.1 } }),
      signOut: p.delete('Session', { traffic: { rate: 10 } }),
    }),
  })
}

/** Prices with decimals in a key, a range of them up to the last that fits, and updates in transactions of what has guards. */
export function priceList() {
  const Product = entity('Product', {
    shop: s.ulid(),
    sku: s.ulid(),
    barcode: s.string().size(13),
    title: s.string().size(20),
    price: s.number().range(0, 999_999.99),
    stock: s.int(),
  })
    .computed('barcodeKey', s.string(), ['barcode'], ({ barcode }) => barcode.toLowerCase())
    .key({ pk: 'SHOP#{shop}', sk: 'PRODUCT#{sku}' })
    .index('byPrice', { pk: 'PRICES#{shop}', sk: '{price:09.2}#{sku}' })
    .unique('barcodeKey')
    .indexItem('byTitle', { pk: 'TITLE#{title}', sk: 'PRODUCT' })
    .volume({ items: 10_000, perPartition: 20, maxPerPartition: 100 })
  return model({
    name: 'prices',
    owner: 'team',
    entities: { Product },
    patterns: (p) => ({
      product: p.get('Product', { traffic: { rate: 10 } }),
      cheapest: p.query({
        on: 'byPrice',
        pk: 'PRICES#{shop}',
        range: 'price',
        limit: 10,
        traffic: { rate: 10 },
      }),
      titled: p.lookup('Product', 'byTitle', { traffic: { rate: 1 } }),
      scanned: p.lookup('Product', 'barcodeKey', { traffic: { rate: 1 } }),
      add: p.create('Product', { traffic: { rate: 1 } }),
      move: p.transact({ 'Product.update': 2 }, { traffic: { rate: 1 } }),
    }),
  })
}

/** Two kinds in one query that count up and down, in a table without a discriminator; keys by day, by hash and in one case. */
function matches() {
  const Event = entity('Event', { match: s.uuid(), seq: s.int().range(1, 99_999), at: s.iso(), by: s.ulid() })
    .key({ pk: 'M#{match}', sk: 'E#{seq:05}' })
    .index('byDay', { pk: 'BY#{by}', sk: '{at:day}#{match}' })
    .index('byHash', { pk: 'HASH#{by}', sk: '{match:hash}#{seq:05}' })
    .volume({ items: 20_000, maxPerPartition: 400 })
  const Snapshot = entity('Snapshot', { match: s.uuid(), seq: s.int().range(1, 99_999) })
    .key({ pk: 'M#{match}', sk: 'S#{seq:05:desc}' })
    .volume({ items: 400, maxPerPartition: 8 })
  return model({
    name: 'matches',
    owner: 'team',
    table: { discriminator: 'by-key' },
    entities: { Event, Snapshot },
    patterns: (p) => ({
      match: p.query({ pk: 'M#{match}', traffic: { rate: 1 } }),
      days: p.query({ on: 'byDay', pk: 'BY#{by}', limit: 20, traffic: { rate: 1 } }),
      hashes: p.query({ on: 'byHash', pk: 'HASH#{by}', limit: 20, traffic: { rate: 1 } }),
    }),
  })
}

/** Stays in car parks. The first attribute of a stay that is in no key decides whether it is in an index; and a count has no more
 *  digits than its key. */
function parking() {
  const Level = entity('Level', {
    place: s.ulid(),
    level: s.int().range(-3, 9),
    free: s.int(),
    sign: s.string().size(5),
  })
    .key({ pk: 'PLACE#{place}', sk: 'LEVEL#{level:+02}' })
    .index('freest', { pk: 'PLACE#{place}', sk: '{free:04}' })
    .volume({ items: 2000, perPartition: 5, maxPerPartition: 13 })
  const Stay = entity('Stay', {
    plate: s.ulid(),
    enteredAt: s.iso('second'),
    place: s.ulid(),
    isPaid: s.boolean().default(false),
    note: s.string().optional().size(10, 200),
  })
    .key({ pk: 'CAR#{plate}', sk: 'STAY#{enteredAt}' })
    .index('unpaid', { pk: 'UNPAID#{place}', sk: '{enteredAt}', when: { isPaid: false } })
    .volume({ items: 50_000, perPartition: 10, maxPerPartition: 500 })
  return model({
    name: 'parking',
    owner: 'team',
    entities: { Level, Stay },
    patterns: (p) => ({
      levels: p.query({ pk: 'PLACE#{place}', sk: 'LEVEL#*', range: 'level', traffic: { rate: 5 } }),
      freest: p.query({ on: 'freest', pk: 'PLACE#{place}', order: 'desc', limit: 3, traffic: { rate: 5 } }),
      unpaid: p.query({ on: 'unpaid', pk: 'UNPAID#{place}', limit: 50, traffic: { rate: 1 } }),
      stays: p.query({ pk: 'CAR#{plate}', sk: 'STAY#*', limit: 20, traffic: { rate: 1 } }),
      pay: p.modify('Stay', { changes: ['isPaid'], traffic: { rate: 2 } }),
      count: p.update('Level', { changes: ['free'], traffic: { rate: 2 } }),
      leave: p.transact({ 'Stay.update': 1, 'Level.update': 1 }, { traffic: { rate: 2 } }),
    }),
  })
}

/** Models in which the review has nothing to find. */
export const goodModels: Readonly<Record<string, () => AnyModel>> = {
  shop: () => shop,
  memberships,
  leaderboard,
  sessions,
  priceList,
  parking,
}

/** The same, of formats in keys that other tools do not know. */
export const goodFormats: Readonly<Record<string, () => AnyModel>> = { matches }
