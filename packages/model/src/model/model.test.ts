import { describe, expect, test } from 'vitest'
import { entity, model, ModelError, s, type Attributes } from '../index.ts'
import { openModel } from '../testing/open-model.ts'
import { shop } from '../testing/shop-model.ts'

describe('a model describes itself as plain data', () => {
  const description = shop.description

  test('that survives JSON', () => {
    expect(JSON.parse(JSON.stringify(description))).toEqual(description)
  })

  test('with its table, indexes and projections', () => {
    expect(description.tables).toEqual([
      {
        id: 'main',
        name: 'shop',
        partitionKey: { name: 'PK', type: 'S' },
        sortKey: { name: 'SK', type: 'S' },
        discriminator: 'EntityType',
        ttlAttribute: 'expiresAt',
        billing: { mode: 'on-demand' },
        indexes: [
          {
            name: 'gsi1',
            kind: 'global',
            partitionKeys: [{ name: 'gsi1pk', type: 'S' }],
            sortKeys: [{ name: 'gsi1sk', type: 'S' }],
            projection: { type: 'ALL' },
          },
          {
            name: 'open',
            kind: 'global',
            partitionKeys: [{ name: 'openpk', type: 'S' }],
            sortKeys: [{ name: 'opensk', type: 'S' }],
            projection: { type: 'KEYS_ONLY' },
          },
          {
            name: 'byRegion',
            kind: 'global',
            partitionKeys: [
              { name: 'region', type: 'S' },
              { name: 'status', type: 'S' },
            ],
            sortKeys: [{ name: 'total', type: 'N' }],
            projection: { type: 'ALL' },
          },
          {
            name: 'byStatus',
            kind: 'global',
            partitionKeys: [{ name: 'byStatuspk', type: 'S' }],
            sortKeys: [{ name: 'byStatussk', type: 'S' }],
            projection: { type: 'INCLUDE', attributes: ['EntityType', 'note'] },
          },
          {
            name: 'byTotal',
            kind: 'local',
            partitionKeys: [{ name: 'PK', type: 'S' }],
            sortKeys: [{ name: 'byTotalsk', type: 'S' }],
            projection: { type: 'ALL' },
          },
        ],
      },
    ])
  })

  test('with its patterns, their conditions, parameters and shards', () => {
    const pattern = (name: string) => description.patterns.find((each) => each.name === name)
    expect(pattern('recentOrders')).toMatchObject({
      operation: 'Query',
      entities: ['Order'],
      sort: { kind: 'range', attribute: 'placedAt', templates: [{ text: 'ORDER#' }] },
      order: 'descending',
      parameters: [
        { name: 'customerId', kind: 'value', isRequired: true, value: { type: 'ulid' } },
        { name: 'placedAt', kind: 'range', isRequired: false, value: { type: 'iso' } },
      ],
    })
    expect(pattern('openOrders')).toMatchObject({ shards: { attribute: 'shard', count: 4, by: 'orderId' } })
    expect(pattern('customerByEmail')).toMatchObject({
      operation: 'GetItem',
      via: 'Customer.email',
      isConsistent: true,
    })
    expect(pattern('placeOrder')?.steps).toContainEqual({ entity: 'Line', action: 'create', count: 3 })
    expect(pattern('createCustomer')?.operation).toBe('TransactWriteItems')
    expect(pattern('payOrder')?.changes).toEqual(['status', 'region', 'total'])
  })

  test('with the places where things are defined', () => {
    expect(description.entities[0]?.location?.file).toMatch(/shop-model\.ts$/)
    expect(description.patterns[0]?.location?.line).toBeGreaterThan(60)
  })
})

describe('a model is refused', () => {
  const refused = (make: () => unknown): ModelError => {
    try {
      make()
    } catch (error) {
      if (error instanceof ModelError) return error
    }
    throw new Error('nothing was refused')
  }
  const one = (E: ReturnType<typeof entityOf>) => model({ name: 'x', entities: { E }, patterns: () => ({}) })
  const entityOf = (pk: string) =>
    entity('E', { a: s.string(), n: s.int(), l: s.list(s.string()) }).key({ pk: pk as '{a}' })

  test('when a template names what is not there, with the line', () => {
    const error = refused(() => one(entityOf('X#{zz}')))
    expect(error.code).toBe('UNKNOWN_ATTRIBUTE')
    expect(error.message).toMatch(/E has no attribute zz.*model\.test\.ts:\d+:\d+/)
  })

  test.each([
    ['{a}{n}', 'next to each other'],
    ['{a:05}', 'not a number'],
    ['{a:day}', 'not an ISO date'],
    ['{l}', 'cannot be part of a composed key'],
  ])('when %s is %s', (pk, message) => {
    expect(() => one(entityOf(pk))).toThrow(message)
  })

  const thing = (more: Attributes) => entity('Thing', { id: s.string(), ...more }).key({ pk: '{id}' }) as never
  const text = s.string()

  test.each([
    ['a count of shards', 'a shard count of 0', thing({ shard: s.shard(0, 'id') })],
    ['a former count of shards', 'a shard count of 1.5', thing({ shard: s.shard(2, 'id', { was: 1.5 }) })],
    ['a set', 'a set of boolean', thing({ flags: s.set(s.boolean()) })],
    [
      'a set inside',
      'an attribute inner.flags that is a set of map',
      thing({ inner: s.map({ flags: s.set(s.map({})) }) }),
    ],
    ['a range', 'is of type string, which has no range', thing({ name: text.range(1, 2) })],
    ['a count', 'is of type string, which has no count', thing({ names: s.list(text.count(3)) })],
    ['a name', 'is stored under an empty name', thing({ name: text.as('') })],
    ['a union', 'is a union without forms', thing({ way: s.union('kind', {}) })],
    [
      'a form of a union',
      'a field kind in its form card',
      thing({ way: s.union('kind', { card: { kind: text } }) }),
    ],
    [
      'an attribute twice',
      'already has an attribute id',
      entity('Thing', { id: text }).computed('id', text, [], String) as never,
    ],
    [
      'an index twice',
      'is in the index g twice',
      entity('Thing', { id: text })
        .key({ pk: '{id}' })
        .index('g', { pk: 'A#{id}' })
        .index('g', { pk: 'B#{id}' }) as never,
    ],
    [
      'a guard twice',
      'two guards or index items named Thing.id',
      entity('Thing', { id: text }).key({ pk: '{id}' }).unique('id').unique('id') as never,
    ],
  ])('when it has %s that cannot be, with the line', (_what, sentence, Thing) => {
    const make = (): unknown => model({ name: 'x', entities: { Thing }, patterns: () => ({}) })
    expect(make).toThrow(sentence)
    expect(make).toThrow(/model\.test\.ts:\d+:\d+\)$/)
  })

  test('when two entities disagree about a key', () => {
    const A = entity('A', { a: s.string() }).key({ pk: 'A#{a}', sk: 'A' }).index('g', { pk: 'A#{a}', sk: 'A' })
    const B = entity('B', { b: s.string() }).key({ pk: 'B#{b}', sk: 'B' }).index('g', { pk: 'B#{b}' })
    expect(() => model({ name: 'x', entities: { A, B }, patterns: () => ({}) })).toThrow(
      'In the index g, B has different keys',
    )
  })

  test('when a sparse index could not be left', () => {
    const A = entity('A', { a: s.string(), on: s.boolean() })
      .key({ pk: 'A#{a}' })
      .index('g', { pk: ['a'], when: { on: true } })
    expect(() => model({ name: 'x', entities: { A }, patterns: () => ({}) })).toThrow('could never leave')
  })

  test('when a range is taken of what the partition needs one value of', () => {
    const Album = entity('Album', { artist: s.string(), album: s.string(), at: s.iso() })
      .computed('initials', s.string(), ['album'], ({ album }) => album.slice(0, 2))
      .key({ pk: '{artist}', sk: '{album}' })
      .index('titles', { pk: 'titles#{initials}', sk: '{album}' })
      .index('days', { pk: 'day#{at:day}', sk: '{at}' })
    const made = (more: object) =>
      model({
        name: 'x',
        entities: { Album },
        patterns: (p) => ({ q: p.query({ on: 'titles', pk: 'titles#{initials}', ...more }) }),
      })
    expect(made({}).description.patterns[0]?.parameters.map(({ name }) => name)).toEqual(['album'])
    const error = refused(() => made({ range: 'album' }))
    expect(error).toMatchObject({ code: 'INVALID_MODEL', pattern: 'q' })
    expect(error.message).toContain(
      'initials is computed from it. Remove range, or make initials an ordinary attribute',
    )
    const days = () =>
      model({
        name: 'x',
        entities: { Album },
        patterns: (p) => ({
          // One day after another.
          q: p.query({ on: 'days', pk: 'day#{at:day}', range: 'at' }),
          // @ts-expect-error the partition is computed from it
          r: p.query({ on: 'titles', pk: 'titles#{initials}', range: 'album' }),
        }),
      })
    expect(days).toThrow('because initials is computed from it')
  })

  test('when a global index is read consistently, or a name is used twice', () => {
    const A = entity('A', { a: s.string() }).key({ pk: 'A#{a}' }).index('g', { pk: 'G#{a}' })
    expect(() =>
      model({
        name: 'x',
        entities: { A },
        patterns: (p) => ({ q: p.query({ on: 'g', pk: 'G#{a}', consistent: true }) }),
      }),
    ).toThrow('Remove consistent')
    expect(() => model({ name: 'x', entities: { A }, patterns: (p) => ({ A: p.get('A') }) })).toThrow(
      'both an entity and a pattern',
    )
  })
})

test('a value cannot turn an item into one of another entity', async () => {
  const Album = entity('Album', { artist: s.string(), album: s.string() }).key({ pk: '{artist}', sk: '{album}' })
  const Song = entity('Song', { artist: s.string(), album: s.string(), song: s.string() }).key({
    pk: '{artist}',
    sk: '{album}#{song}',
  })
  const music = model({
    name: 'music',
    table: { pk: 'Artist', sk: 'sk' },
    entities: { Album, Song },
    patterns: (p) => ({ albumWithSongs: p.query({ pk: '{artist}', sk: '{album}*' }) }),
  })
  const { db } = await openModel(music)
  await db.Album.create({ artist: 'Solar Fields', album: 'Leaving Home' })
  await db.Song.create({ artist: 'Solar Fields', album: 'Leaving Home', song: 'Air Song' })
  await expect(db.Album.create({ artist: 'Solar Fields', album: 'Leaving Home#Monogram' })).rejects.toMatchObject({
    code: 'INVALID_KEY_PART',
  })
  const { items } = await db.albumWithSongs({ artist: 'Solar Fields', album: 'Leaving Home' })
  expect([items.Album.length, items.Song.length]).toEqual([1, 1])
})

test('an index copies attributes under the names that each of its entities has for them', async () => {
  const User = entity('User', { id: s.string(), team: s.string() })
    .key({ pk: 'USER#{id}', sk: 'USER' })
    .index('byTeam', { pk: 'TEAM#{team}', sk: 'USER#{id}' })
  const Task = entity('Task', { id: s.string(), team: s.string(), title: s.string().as('t') })
    .key({ pk: 'TASK#{id}', sk: 'TASK' })
    .index('byTeam', { pk: 'TEAM#{team}', sk: 'TASK#{id}' })
  const teams = model({
    name: 'teams',
    table: { indexes: { byTeam: { projection: ['title'] } } },
    entities: { User, Task },
    patterns: (p) => ({ team: p.query({ on: 'byTeam', pk: 'TEAM#{team}' }) }),
  })
  const { db } = await openModel(teams)
  await db.User.create({ id: '1', team: 'red' })
  await db.Task.create({ id: '2', team: 'red', title: 'Paint' })
  const { items } = await db.team({ team: 'red' })
  expect(items).toEqual({ User: [{ id: '1', team: 'red' }], Task: [{ id: '2', team: 'red', title: 'Paint' }] })
})
