import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { createSchema, Entity } from 'electrodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeOnTargets } from '../../support/targets.ts'
import { leaderboardTable, matches, matchesNewestFirst, players, ranked, season } from '../domains/leaderboard.ts'
import { memberships, membershipsTable } from '../domains/memberships.ts'
import { artist, musicTable, shardCount, shardOf, songs } from '../domains/music.ts'

const song = createSchema({
  model: { entity: 'song', version: '1', service: 'music' },
  attributes: {
    artist: { type: 'string', required: true },
    title: { type: 'string', required: true },
    durationSeconds: { type: 'number', required: true },
    /** Known to whoever knows the title. */
    shard: { type: 'number', required: true, default: 0, watch: ['title'], set: (_, { title }) => shardOf(title) },
  },
  indexes: {
    sharded: {
      pk: { field: 'pk', composite: ['artist', 'shard'], template: '${artist}#${shard}', casing: 'none' },
      sk: { field: 'sk', composite: ['title'], template: '${title}', casing: 'none' },
    },
  },
})

const player = createSchema({
  model: { entity: 'player', version: '1', service: 'game' },
  attributes: {
    playerId: { type: 'string', required: true },
    handle: { type: 'string', required: true },
    season: { type: 'string', required: true, field: 'seasonName' },
    points: { type: 'number', required: true, padding: { length: 5, char: '0' } },
  },
  indexes: {
    profile: {
      pk: { field: 'partitionId', composite: ['playerId'], template: 'PLAYER#${playerId}', casing: 'none' },
      sk: { field: 'rangeId', composite: [], template: 'PROFILE', casing: 'none' },
    },
    bySeason: {
      index: 'seasons',
      pk: { field: 'season', composite: ['season'], template: 'SEASON#${season}', casing: 'none' },
      sk: { field: 'rating', composite: ['points'], template: 'RATING#${points}', casing: 'none' },
    },
    byHandle: {
      index: 'handles',
      projection: 'keys_only',
      pk: { field: 'handleKey', composite: ['handle'], template: 'HANDLE#${handle}', casing: 'none' },
    },
  },
})

const match = createSchema({
  model: { entity: 'match', version: '1', service: 'game' },
  attributes: {
    playerId: { type: 'string', required: true },
    playedAt: { type: 'string', required: true },
    result: { type: 'string', required: true },
    ratingDelta: { type: 'number', required: true },
  },
  indexes: {
    byPlayer: {
      pk: { field: 'partitionId', composite: ['playerId'], template: 'PLAYER#${playerId}', casing: 'none' },
      sk: { field: 'rangeId', composite: ['playedAt'], template: 'MATCH#${playedAt}', casing: 'none' },
    },
  },
})

const membershipAttributes = {
  user: { type: 'string', required: true },
  group: { type: 'string', required: true },
  role: { type: 'string', required: true },
} as const

/** A membership as its user sees it. */
const groupOfUser = createSchema({
  model: { entity: 'groupOfUser', version: '1', service: 'memberships' },
  attributes: membershipAttributes,
  indexes: { groups: { pk: { field: 'pk', composite: ['user'] }, sk: { field: 'sk', composite: ['group'] } } },
})

/** A membership as its group sees it. */
const userOfGroup = createSchema({
  model: { entity: 'userOfGroup', version: '1', service: 'memberships' },
  attributes: membershipAttributes,
  indexes: { users: { pk: { field: 'pk', composite: ['group'] }, sk: { field: 'sk', composite: ['user'] } } },
})

describeOnTargets('ElectroDB', (target) => {
  describe('with a music catalogue', () => {
    test('songs are scattered over shards, gathered, and found on the shard they compute', async () => {
      const client = target.client()
      await client.send(new CreateTableCommand(musicTable))
      const catalogue = new Entity(song, { client, table: musicTable.TableName })
      await catalogue.put(songs.map((each) => ({ ...each, shard: shardOf(each.title) }))).go()
      const pages = await Promise.all(
        Array.from({ length: shardCount }, (_, shard) => catalogue.query.sharded({ artist, shard }).go()),
      )
      const titles = pages.flatMap(({ data }) => data.map(({ title }) => title))
      expect(titles.toSorted()).toEqual(songs.map(({ title }) => title).toSorted())
      const found = await catalogue.get({ artist, title: 'Monogram', shard: shardOf('Monogram') }).go()
      expect(found.data?.durationSeconds).toBe(301)
    })
  })

  describe('with a leaderboard', () => {
    const entities = () => {
      const options = { client: target.client(), table: leaderboardTable.TableName }
      return { player: new Entity(player, options), match: new Entity(match, options) }
    }

    beforeAll(async () => {
      await target.client().send(new CreateTableCommand(leaderboardTable))
      const put = players.map(({ rating, ...each }) => ({ ...each, season, points: rating }))
      await entities().player.put(put).go()
      await entities()
        .match.put([...matches])
        .go()
    })

    test('padded ratings rank as numbers would', async () => {
      const top = await entities().player.query.bySeason({ season }).go({ order: 'desc', hydrate: true })
      expect(top.data.map(({ handle }) => handle)).toEqual(ranked)
    })

    test('matches come newest first, and a handle leads to its player', async () => {
      const played = await entities().match.query.byPlayer({ playerId: 'u8231' }).go({ order: 'desc' })
      expect(played.data.map(({ playedAt }) => playedAt)).toEqual(matchesNewestFirst)
      const found = await entities().player.query.byHandle({ handle: 'nighthawk' }).go({ hydrate: true })
      expect(found.data.map(({ playerId }) => playerId)).toEqual(['u8231'])
    })
  })

  test('with users in groups, each direction is one query', async () => {
    const options = { client: target.client(), table: membershipsTable.TableName }
    await options.client.send(new CreateTableCommand(membershipsTable))
    const groupsOf = new Entity(groupOfUser, options)
    const usersOf = new Entity(userOfGroup, options)
    await groupsOf.put([...memberships]).go()
    await usersOf.put([...memberships]).go()
    const groups = await groupsOf.query.groups({ user: 'user-1' }).go()
    expect(groups.data.map(({ group, role }) => [group, role])).toEqual([
      ['group-a', 'admin'],
      ['group-b', 'member'],
    ])
    const members = await usersOf.query.users({ group: 'group-a' }).go()
    expect(members.data.map(({ user }) => user)).toEqual(['user-1', 'user-2'])
  })
})
