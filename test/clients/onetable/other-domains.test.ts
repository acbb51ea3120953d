import { Table } from 'dynamodb-onetable'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeOnTargets } from '../../support/targets.ts'
import { matches, matchesNewestFirst, players, ranked, season } from '../domains/leaderboard.ts'
import { memberships } from '../domains/memberships.ts'
import { artist, externalIds, shardCount, shardOf, songs } from '../domains/music.ts'

const shared = { format: 'onetable:1.1.0', version: '0.0.1', params: { timestamps: false } } as const

const musicSchema = {
  ...shared,
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Song: {
      pk: { type: String, value: '${artist}#${shard}' },
      sk: { type: String, value: '${title}' },
      artist: { type: String, required: true },
      title: { type: String, required: true },
      shard: { type: Number, required: true },
      durationSeconds: { type: Number, required: true },
    },
    ExternalId: {
      pk: { type: String, value: 'external#${type}#${id}' },
      sk: { type: String, value: 'song#${artist}#${title}' },
      type: { type: String, required: true },
      id: { type: String, required: true },
      artist: { type: String, required: true },
      title: { type: String, required: true },
    },
  },
} as const

const gameSchema = {
  ...shared,
  indexes: {
    primary: { hash: 'partitionId', sort: 'rangeId' },
    seasons: { hash: 'season', sort: 'rating', project: 'all' },
    handles: { hash: 'handleKey', project: 'all' },
  },
  models: {
    Player: {
      partitionId: { type: String, value: 'PLAYER#${playerId}' },
      rangeId: { type: String, value: 'PROFILE' },
      playerId: { type: String, required: true },
      handle: { type: String, required: true },
      points: { type: Number, required: true },
      seasonName: { type: String, required: true },
      season: { type: String, value: 'SEASON#${seasonName}' },
      // Padded to five digits.
      rating: { type: String, value: 'RATING#${points:5:0}' },
      handleKey: { type: String, value: 'HANDLE#${handle}' },
    },
    Match: {
      partitionId: { type: String, value: 'PLAYER#${playerId}' },
      rangeId: { type: String, value: 'MATCH#${playedAt}' },
      playerId: { type: String, required: true },
      playedAt: { type: String, required: true },
      result: { type: String, required: true },
      ratingDelta: { type: Number, required: true },
    },
  },
} as const

const membership = {
  user: { type: String, required: true },
  group: { type: String, required: true },
  role: { type: String, required: true },
} as const

const membershipsSchema = {
  ...shared,
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    GroupOfUser: {
      pk: { type: String, value: 'USER#${user}' },
      sk: { type: String, value: 'GROUP#${group}' },
      ...membership,
    },
    UserOfGroup: {
      pk: { type: String, value: 'GROUP#${group}' },
      sk: { type: String, value: 'USER#${user}' },
      ...membership,
    },
  },
} as const

describeOnTargets('OneTable', (target) => {
  describe('with a music catalogue', () => {
    let table: Table<typeof musicSchema>

    beforeAll(async () => {
      table = new Table({
        client: target.client(),
        name: 'Music',
        schema: musicSchema,
        logger: false,
        partial: true,
      })
      await table.createTable()
      const batch = {}
      for (const song of songs)
        await table.getModel('Song').create({ ...song, shard: shardOf(song.title) }, { batch })
      await table.batchWrite(batch)
    })

    test('songs are scattered over shards, gathered, and found on the shard they compute', async () => {
      const Song = table.getModel('Song')
      const shards = Array.from({ length: shardCount }, (_, shard) => Song.find({ artist, shard }))
      const titles = (await Promise.all(shards)).flatMap((found) => found.map(({ title }) => title))
      expect(titles.toSorted()).toEqual(songs.map(({ title }) => title).toSorted())
      const found = await Song.get({ artist, title: 'Monogram', shard: shardOf('Monogram') })
      expect(found?.durationSeconds).toBe(301)
    })

    test('index items in the table are kept with the song by transactions', async () => {
      const [Song, ExternalId] = [table.getModel('Song'), table.getModel('ExternalId')]
      const song = { artist, title: 'Air Song', shard: shardOf('Air Song') }
      const writing = {}
      await Song.update({ ...song, durationSeconds: 741 }, { transaction: writing })
      for (const { type, id } of externalIds) {
        await ExternalId.create({ type, id, artist, title: song.title }, { transaction: writing })
      }
      await table.transact('write', writing)
      expect(await ExternalId.find({ type: 'mbid', id: '5f3b1c9e' })).toMatchObject([{ artist, title: song.title }])
      const removing = {}
      await Song.remove(song, { transaction: removing })
      for (const { type, id } of externalIds) {
        await ExternalId.remove({ type, id, artist, title: song.title }, { transaction: removing })
      }
      await table.transact('write', removing)
      expect(await ExternalId.find({ type: 'mbid', id: '5f3b1c9e' })).toEqual([])
      expect(await Song.get(song)).toBeUndefined()
    })
  })

  describe('with a leaderboard', () => {
    let table: Table<typeof gameSchema>

    beforeAll(async () => {
      table = new Table({
        client: target.client(),
        name: 'Leaderboard',
        schema: gameSchema,
        logger: false,
        partial: true,
      })
      await table.createTable()
      for (const { rating, ...player } of players) {
        await table.getModel('Player').create({ ...player, points: rating, seasonName: season })
      }
      for (const match of matches) await table.getModel('Match').create(match)
    })

    test('padded ratings rank as numbers would', async () => {
      const top = await table.getModel('Player').find({ seasonName: season }, { index: 'seasons', reverse: true })
      expect(top.map(({ handle }) => handle)).toEqual(ranked)
    })

    test('matches come newest first, and a handle leads to its player', async () => {
      const played = await table.getModel('Match').find({ playerId: 'u8231' }, { reverse: true })
      expect(played.map(({ playedAt }) => playedAt)).toEqual(matchesNewestFirst)
      const found = await table.getModel('Player').find({ handle: 'nighthawk' }, { index: 'handles' })
      expect(found.map(({ playerId }) => playerId)).toEqual(['u8231'])
    })
  })

  test('with users in groups, each direction is one query', async () => {
    const table = new Table({
      client: target.client(),
      name: 'Memberships',
      schema: membershipsSchema,
      logger: false,
      partial: true,
    })
    await table.createTable()
    for (const each of memberships) {
      const transaction = {}
      await table.getModel('GroupOfUser').create(each, { transaction })
      await table.getModel('UserOfGroup').create(each, { transaction })
      await table.transact('write', transaction)
    }
    const groups = await table.getModel('GroupOfUser').find({ user: 'user-1' })
    expect(groups).toEqual(memberships.filter(({ user }) => user === 'user-1'))
    const members = await table.getModel('UserOfGroup').find({ group: 'group-a' })
    expect(members).toEqual(memberships.filter(({ group }) => group === 'group-a'))
  })
})
