// The modelling patterns that DynamoDB is known for, each as a small model on a real database.
import { describe, expect, test } from 'vitest'
import { connect, entity, model, now, s, secondsFromNow, ulid } from '../index.ts'
import { openModel } from '../testing/open-model.ts'
import { id } from '../testing/shop-model.ts'

describe('keys', () => {
  test('natural attributes as keys keep their types, and numbers sort as numbers', async () => {
    const Reading = entity('Reading', { sensor: s.string(), at: s.int(), value: s.number() })
      .key({ pk: '{sensor}', sk: '{at}' })
      .index('byValue', { pk: '{sensor}', sk: '{value}' })
    const sensors = model({
      name: 'sensors',
      table: { pk: 'sensor', sk: 'at', indexes: { byValue: { pk: 'sensor', sk: 'value' } } },
      entities: { Reading },
      patterns: (p) => ({
        history: p.query({ pk: '{sensor}', range: 'at' }),
        highest: p.query({ on: 'byValue', pk: '{sensor}', order: 'desc', limit: 1 }),
      }),
    })
    expect(sensors.description.tables[0]).toMatchObject({ sortKey: { name: 'at', type: 'N' } })
    const { db } = await openModel(sensors)
    for (const at of [9, 10, 100]) await db.Reading.create({ sensor: 'a', at, value: -at })
    const { items } = await db.history({ sensor: 'a', at: { from: 9, to: 50 } })
    expect(items.Reading.map((reading) => reading.at)).toEqual([9, 10])
    expect((await db.highest({ sensor: 'a' })).items.Reading[0]?.value).toBe(-9)
    await db.Reading.update({ sensor: 'a', at: 9 }, { value: -1000 })
    expect((await db.highest({ sensor: 'a' })).items.Reading[0]?.value).toBe(-10)
  })

  test('a collection that grows is split by month', async () => {
    const Event = entity('Event', { user: s.string(), at: s.iso(), what: s.string() }).key({
      pk: 'USER#{user}#{at:month}',
      sk: '{at}',
    })
    const log = model({
      name: 'log',
      entities: { Event },
      patterns: (p) => ({ month: p.query({ pk: 'USER#{user}#{at:month}' }) }),
    })
    const { db } = await openModel(log)
    await db.Event.create({ user: 'a', at: '2026-06-10', what: 'x' })
    await db.Event.create({ user: 'a', at: '2026-07-10', what: 'y' })
    expect((await db.month({ user: 'a', at: '2026-06' })).items.Event.map(({ what }) => what)).toEqual(['x'])
    expect((await db.Event.get({ user: 'a', at: '2026-07-10' })).item?.what).toBe('y')
  })

  test('a computed attribute is a key like any other, and follows its sources', async () => {
    const User = entity('User', {
      userId: s.ulid().default(ulid),
      email: s.string(),
      createdAt: s.iso().default(now).readOnly(),
    })
      .computed('emailKey', s.string(), ['email'], ({ email }) => email.toLowerCase())
      .key({ pk: 'USER#{userId}', sk: 'PROFILE' })
      .index('byEmail', { pk: 'EMAIL#{emailKey}' })
    const users = model({
      name: 'users',
      entities: { User },
      patterns: (p) => ({ byEmail: p.query({ on: 'byEmail', pk: 'EMAIL#{emailKey}' }) }),
    })
    const { db } = await openModel(users, { now: () => new Date(Date.UTC(2026, 0, 1)) })
    const { item } = await db.User.create({ email: 'Asha@Example.com' })
    expect(item).toMatchObject({ emailKey: 'asha@example.com', createdAt: '2026-01-01T00:00:00.000Z' })
    expect((await db.byEmail({ email: 'ASHA@example.com' })).items.User).toHaveLength(1)
    await db.User.update({ userId: item.userId }, { email: 'New@Example.com' })
    expect((await db.byEmail({ email: 'new@example.com' })).items.User[0]?.emailKey).toBe('new@example.com')
    await expect(
      // @ts-expect-error read-only
      db.User.update({ userId: item.userId }, { createdAt: '2027' }),
    ).rejects.toThrow('read-only')
  })
})

describe('one table', () => {
  test('literal bounds take some entities of a partition', async () => {
    const Artist = entity('Artist', { artist: s.string() }).key({ pk: '{artist}', sk: 'artist' })
    const Album = entity('Album', { artist: s.string(), album: s.string() }).key({
      pk: '{artist}',
      sk: 'album#{album}',
    })
    const Song = entity('Song', { artist: s.string(), album: s.string(), song: s.string() }).key({
      pk: '{artist}',
      sk: 'song#{album}#{song}',
    })
    const music = model({
      name: 'music',
      table: { pk: 'artist', sk: 'sk' },
      entities: { Artist, Album, Song },
      patterns: (p) => ({
        artistWithAlbums: p.query({ pk: '{artist}', between: ['album#', 'artist'], entities: ['Artist', 'Album'] }),
        songsOfAlbum: p.query({ pk: '{artist}', sk: 'song#{album}#*' }),
      }),
    })
    expect(music.description.patterns[0]?.entities).toEqual(['Artist', 'Album'])
    const { db } = await openModel(music)
    await db.Artist.create({ artist: 'Ishome' })
    await db.Album.create({ artist: 'Ishome', album: 'Confession' })
    await db.Song.create({ artist: 'Ishome', album: 'Confession', song: 'Ken Tavr' })
    const { items, entries } = await db.artistWithAlbums({ artist: 'Ishome' })
    expect([items.Artist.length, items.Album.length, entries.length]).toEqual([1, 1, 2])
    expect((await db.songsOfAlbum({ artist: 'Ishome', album: 'Confession' })).items.Song).toHaveLength(1)
  })

  test('many to many: an adjacency list and the same keys inverted', async () => {
    const Membership = entity('Membership', {
      userId: s.string(),
      groupId: s.string(),
      role: s.enum('admin', 'member'),
    })
      .key({ pk: 'USER#{userId}', sk: 'GROUP#{groupId}' })
      .index('inverse', { pk: 'GROUP#{groupId}', sk: 'USER#{userId}' })
    const groups = model({
      name: 'groups',
      table: { indexes: { inverse: { pk: 'sk', sk: 'pk' } } },
      entities: { Membership },
      patterns: (p) => ({
        groupsOfUser: p.query({ pk: 'USER#{userId}', sk: 'GROUP#*' }),
        usersOfGroup: p.query({ on: 'inverse', pk: 'GROUP#{groupId}', sk: 'USER#*' }),
      }),
    })
    const { db } = await openModel(groups)
    await db.batchWrite((b) => [
      b.Membership.put({ userId: '1', groupId: 'a', role: 'admin' }),
      b.Membership.put({ userId: '1', groupId: 'b', role: 'member' }),
      b.Membership.put({ userId: '2', groupId: 'a', role: 'member' }),
    ])
    expect((await db.groupsOfUser({ userId: '1' })).items.Membership.map(({ groupId }) => groupId)).toEqual([
      'a',
      'b',
    ])
    const first = await db.usersOfGroup({ groupId: 'a' }, { limit: 1 })
    const second = await db.usersOfGroup({ groupId: 'a' }, { limit: 1, cursor: first.cursor })
    expect([...first.items.Membership, ...second.items.Membership].map(({ userId }) => userId)).toEqual(['1', '2'])
  })

  test('several tables in one model', async () => {
    const Order = entity('Order', { orderId: s.string(), total: s.int() }).in('orders').key({ pk: '{orderId}' })
    const Payment = entity('Payment', { paymentId: s.string(), orderId: s.string() })
      .in('payments')
      .key({ pk: 'PAYMENT#{paymentId}' })
      .index('byOrder', { pk: 'ORDER#{orderId}' })
      .unique('orderId')
    const pay = model({
      name: 'pay',
      tables: { orders: { pk: 'orderId', name: 'Orders' }, payments: {} },
      entities: { Order, Payment },
      patterns: (p) => ({
        order: p.get('Order'),
        paymentOf: p.query({ on: 'byOrder', pk: 'ORDER#{orderId}' }),
        settle: p.transact({ 'Order.update': 1, 'Payment.create': 1 }),
        both: p.batchGet(['Order', 'Payment']),
        allOrders: p.scan({ on: 'orders' }),
      }),
    })
    expect(pay.description.tables.map(({ name }) => name)).toEqual(['Orders', 'pay-payments'])
    const { db } = await openModel(pay)
    await db.Order.create({ orderId: 'o', total: 5 })
    await db.settle((t) => [
      t.Order.update({ orderId: 'o' }, { total: 0 }),
      t.Payment.create({ paymentId: 'p', orderId: 'o' }),
    ])
    await expect(db.Payment.create({ paymentId: 'q', orderId: 'o' })).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
    expect((await db.paymentOf({ orderId: 'o' })).items.Payment[0]?.paymentId).toBe('p')
    const { items } = await db.both({ Order: [{ orderId: 'o' }], Payment: [{ paymentId: 'p' }] })
    expect([items.Order[0]?.total, items.Payment[0]?.orderId]).toEqual([0, 'o'])
    expect((await db.allOrders()).items.Order).toHaveLength(1)
  })

  test('sessions expire', async () => {
    const Session = entity('Session', {
      sessionId: s.string(),
      expiresAt: s.ttl().default(secondsFromNow(3600)),
    }).key({
      pk: 'SESSION#{sessionId}',
      sk: 'SESSION',
    })
    const sessions = model({
      name: 'sessions',
      entities: { Session },
      patterns: (p) => ({ session: p.get('Session') }),
    })
    expect(sessions.description.tables[0]?.ttlAttribute).toBe('expiresAt')
    const { db } = await openModel(sessions, { now: () => new Date(1_800_000_000_000) })
    expect((await db.Session.create({ sessionId: 'x' })).item.expiresAt).toBe(1_800_003_600)
  })
})

describe('shards', () => {
  test('a primary key by the hash of an attribute: items can still be got', async () => {
    const Song = entity('Song', { artist: s.string(), title: s.string(), shard: s.shard(10, 'title') }).key({
      pk: '{artist}#{shard}',
      sk: '{title}',
    })
    const songs = model({
      name: 'songs',
      entities: { Song },
      patterns: (p) => ({ byArtist: p.query({ pk: '{artist}#{shard}' }) }),
    })
    const { db } = await openModel(songs)
    const titles = Array.from({ length: 30 }, (_, n) => `Song ${String(n).padStart(2, '0')}`)
    await db.batchWrite((b) => titles.map((title) => b.Song.put({ artist: 'x', title })))
    expect((await db.Song.get({ artist: 'x', title: 'Song 07' })).item).toEqual({ artist: 'x', title: 'Song 07' })
    const seen: string[] = []
    for await (const { item } of db.byArtist.iterate({ artist: 'x' }, { limit: 7 })) seen.push(item.title)
    expect(seen).toEqual(titles)
  })

  test('at random: the shard is stored, and needed to get one item', async () => {
    const Song = entity('Song', { artist: s.string(), title: s.string(), shard: s.shard(10) }).key({
      pk: '{artist}#{shard}',
      sk: '{title}',
    })
    const songs = model({
      name: 'songs',
      entities: { Song },
      patterns: (p) => ({ byArtist: p.query({ pk: '{artist}#{shard}' }) }),
    })
    const { db } = await openModel(songs)
    const { item } = await db.Song.create({ artist: 'x', title: 'a' })
    expect((await db.Song.get(item)).item).toEqual(item)
    expect((await db.byArtist({ artist: 'x' })).items.Song).toEqual([item])
    const one = await db.byArtist({ artist: 'x', shard: item.shard })
    expect([one.items.Song.length, one.cost.requests]).toEqual([1, 1])
  })

  test('a busy index at random: a change of state moves the item, and nothing is lost', async () => {
    const Job = entity('Job', {
      jobId: s.string(),
      at: s.iso(),
      state: s.enum('waiting', 'done'),
      shard: s.shard(3),
    })
      .key({ pk: 'JOB#{jobId}' })
      .index('waiting', { pk: 'WAITING#{shard}', sk: '{at}', when: { state: 'waiting' } })
    const jobs = model({
      name: 'jobs',
      entities: { Job },
      patterns: (p) => ({ waiting: p.query({ on: 'waiting', pk: 'WAITING#{shard}', order: 'desc' }) }),
    })
    const { db } = await openModel(jobs)
    for (let n = 0; n < 9; n++) await db.Job.create({ jobId: id(n), at: `2026-01-0${n + 1}`, state: 'waiting' })
    await db.Job.update({ jobId: id(0) }, { state: 'done', at: '2026-01-01' })
    await db.Job.update({ jobId: id(1) }, { state: 'waiting', at: '2026-02-01' })
    const { items } = await db.waiting()
    expect(items.Job.map(({ jobId }) => jobId)).toEqual([1, 8, 7, 6, 5, 4, 3, 2].map(id))
  })
})

test('the table can be called otherwise where it is used', async () => {
  const A = entity('A', { a: s.string() }).key({ pk: 'A#{a}' })
  const named = model({ name: 'named', entities: { A }, patterns: (p) => ({ get: p.get('A') }) })
  const db = connect(named, { send: () => Promise.reject(new Error('none')) }, { tables: 'prod-named' })
  expect(db.get.explain({ a: 'x' })[0]?.input).toMatchObject({ TableName: 'prod-named' })
})
