import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import {
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteTransaction,
  Entity,
  executeBatchWrite,
  executeTransactWrite,
  GetItemCommand,
  item,
  number,
  PutTransaction,
  QueryCommand,
  string,
  Table,
} from 'dynamodb-toolbox'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeOnTargets, type Target } from '../../support/targets.ts'
import {
  leaderboardTable,
  matches,
  matchesNewestFirst,
  players,
  ranked,
  ratingKey,
  season,
} from '../domains/leaderboard.ts'
import { memberships, membershipsTable } from '../domains/memberships.ts'
import { albumsAndArtist, artist, externalIds, musicTable, shardKeys, songKey, songs } from '../domains/music.ts'

describeOnTargets('DynamoDB-Toolbox', (target) => {
  describe('with a music catalogue', () => {
    let music: ReturnType<typeof musicEntities>

    beforeAll(async () => {
      await target.client().send(new CreateTableCommand(musicTable))
      music = musicEntities(target)
      const puts = songs.map((song) => music.song.build(BatchPutRequest).item(song))
      await executeBatchWrite(music.table.build(BatchWriteCommand).requests(...puts))
    })

    test('songs are scattered over shards, gathered, and found on the shard they compute', async () => {
      const pages = await Promise.all(
        shardKeys.map((partition) =>
          music.table.build(QueryCommand).query({ partition }).entities(music.song).send(),
        ),
      )
      const titles = pages.flatMap(({ Items = [] }) => Items.map(({ title }) => title))
      expect(titles.toSorted()).toEqual(songs.map(({ title }) => title).toSorted())
      const found = await music.song.build(GetItemCommand).key({ artist, title: 'Monogram' }).send()
      expect(found.Item?.durationSeconds).toBe(301)
    })

    test('index items in the table are kept with the song by transactions', async () => {
      const song = { artist, title: 'Air Song' }
      const pointers = externalIds.map((external) => ({ ...external, ...song }))
      await executeTransactWrite(
        music.song.build(ConditionCheck).key(song).condition({ attr: 'title', exists: true }),
        ...pointers.map((pointer) => music.external.build(PutTransaction).item(pointer)),
      )
      const query = music.table.build(QueryCommand).query({ partition: 'external#isrc#SEXGF0900101' })
      const found = await query.entities(music.external).send()
      expect(found.Items).toMatchObject([song])
      await executeTransactWrite(
        music.song.build(DeleteTransaction).key(song),
        ...pointers.map((pointer) => music.external.build(DeleteTransaction).key(pointer)),
      )
      expect((await query.entities(music.external).send()).Items).toEqual([])
      expect((await music.song.build(GetItemCommand).key(song).send()).Item).toBeUndefined()
    })

    test('albums and the artist come in one query, between two sort keys', async () => {
      const puts = [...albumsAndArtist, 'concert#2026-08-01'].map((sk) =>
        music.detail.build(BatchPutRequest).item({ artist, sk }),
      )
      await executeBatchWrite(music.table.build(BatchWriteCommand).requests(...puts))
      const found = await music.table
        .build(QueryCommand)
        .query({ partition: artist, range: { between: ['album#', 'artist'] } })
        .entities(music.detail)
        .send()
      expect(found.Items?.map(({ sk }) => sk)).toEqual(albumsAndArtist)
    })
  })

  describe('with a leaderboard', () => {
    let game: ReturnType<typeof gameEntities>

    beforeAll(async () => {
      await target.client().send(new CreateTableCommand(leaderboardTable))
      game = gameEntities(target)
      const puts = [
        ...players.map((player) => game.player.build(BatchPutRequest).item(player)),
        ...matches.map((match) => game.match.build(BatchPutRequest).item(match)),
      ]
      await executeBatchWrite(game.table.build(BatchWriteCommand).requests(...puts))
    })

    test('padded ratings rank as numbers would', async () => {
      const query = game.table.build(QueryCommand).query({ index: 'seasons', partition: `SEASON#${season}` })
      const top = await query.options({ reverse: true }).send()
      expect(top.Items?.map((player) => player['handle'])).toEqual(ranked)
    })

    test('matches come newest first, and a handle leads to its player', async () => {
      const played = await game.table
        .build(QueryCommand)
        .query({ partition: 'PLAYER#u8231', range: { beginsWith: 'MATCH#' } })
        .entities(game.match)
        .options({ reverse: true })
        .send()
      expect(played.Items?.map(({ playedAt }) => playedAt)).toEqual(matchesNewestFirst)
      const found = await game.table
        .build(QueryCommand)
        .query({ index: 'handles', partition: 'HANDLE#nighthawk' })
        .send()
      expect(found.Items?.map((player) => player['partitionId'])).toEqual(['PLAYER#u8231'])
    })
  })

  test('with users in groups, each direction is one query', async () => {
    await target.client().send(new CreateTableCommand(membershipsTable))
    const table = pkSkTable(target, membershipsTable.TableName)
    const schema = item({ user: string().key(), group: string().key(), role: string() })
    const byUser = new Entity({
      name: 'GroupOfUser',
      table,
      timestamps: false,
      schema,
      computeKey: ({ user, group }) => ({ pk: `USER#${user}`, sk: `GROUP#${group}` }),
    })
    const byGroup = new Entity({
      name: 'UserOfGroup',
      table,
      timestamps: false,
      schema,
      computeKey: ({ user, group }) => ({ pk: `GROUP#${group}`, sk: `USER#${user}` }),
    })
    for (const membership of memberships) {
      await executeTransactWrite(
        byUser.build(PutTransaction).item(membership),
        byGroup.build(PutTransaction).item(membership),
      )
    }
    const groups = await table.build(QueryCommand).query({ partition: 'USER#user-1' }).entities(byUser).send()
    expect(groups.Items).toEqual(memberships.filter(({ user }) => user === 'user-1'))
    const members = await table.build(QueryCommand).query({ partition: 'GROUP#group-a' }).entities(byGroup).send()
    expect(members.Items).toEqual(memberships.filter(({ group }) => group === 'group-a'))
  })
})

function pkSkTable(target: Target, name: string) {
  return new Table({
    documentClient: DynamoDBDocumentClient.from(target.client()),
    name,
    partitionKey: { name: 'pk', type: 'string' },
    sortKey: { name: 'sk', type: 'string' },
  })
}

function musicEntities(target: Target) {
  const table = pkSkTable(target, musicTable.TableName)
  const song = new Entity({
    name: 'Song',
    table,
    timestamps: false,
    schema: item({ artist: string().key(), title: string().key(), durationSeconds: number() }),
    computeKey: songKey,
  })
  /** Points from an identifier in another system to the song. */
  const external = new Entity({
    name: 'ExternalId',
    table,
    timestamps: false,
    schema: item({ type: string().key(), id: string().key(), artist: string().key(), title: string().key() }),
    computeKey: ({ type, id, ...song }) => ({
      pk: `external#${type}#${id}`,
      sk: `song#${songKey(song).pk}#${song.title}`,
    }),
  })
  const detail = new Entity({
    name: 'Detail',
    table,
    timestamps: false,
    schema: item({ artist: string().key().savedAs('pk'), sk: string().key() }),
  })
  return { table, song, external, detail }
}

function gameEntities(target: Target) {
  const table = new Table({
    documentClient: DynamoDBDocumentClient.from(target.client()),
    name: leaderboardTable.TableName,
    partitionKey: { name: 'partitionId', type: 'string' },
    sortKey: { name: 'rangeId', type: 'string' },
    indexes: {
      seasons: {
        type: 'global',
        partitionKey: { name: 'season', type: 'string' },
        sortKey: { name: 'rating', type: 'string' },
      },
      handles: { type: 'global', partitionKey: { name: 'handleKey', type: 'string' } },
    },
  })
  const player = new Entity({
    name: 'Player',
    table,
    timestamps: false,
    schema: item({
      playerId: string().key(),
      handle: string(),
      rating: number().transform({ encode: ratingKey, decode: (key: string) => Number(key.split('#')[1]) }),
      season: string().default(`SEASON#${season}`),
    }).and((player) => ({ handleKey: string().link<typeof player>(({ handle }) => `HANDLE#${handle}`) })),
    computeKey: ({ playerId }) => ({ partitionId: `PLAYER#${playerId}`, rangeId: 'PROFILE' }),
  })
  const match = new Entity({
    name: 'Match',
    table,
    timestamps: false,
    schema: item({
      playerId: string().key(),
      playedAt: string().key(),
      result: string(),
      ratingDelta: number(),
    }),
    computeKey: ({ playerId, playedAt }) => ({ partitionId: `PLAYER#${playerId}`, rangeId: `MATCH#${playedAt}` }),
  })
  return { table, player, match }
}
