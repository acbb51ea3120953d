import dynamoose from 'dynamoose'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeOnTargets } from '../../support/targets.ts'
import { leaderboardItems, matchesNewestFirst, ranked, season } from '../domains/leaderboard.ts'
import { bothEdges, memberships } from '../domains/memberships.ts'
import {
  albumsAndArtist,
  artist,
  artistItems,
  externalIdItem,
  externalIds,
  shardKeys,
  songItem,
  songKey,
  songs,
} from '../domains/music.ts'

const creation = {
  throughput: 'ON_DEMAND',
  waitForActive: { enabled: true, check: { timeout: 20_000, frequency: 50 } },
} as const

const pkSk = { pk: { type: String, hashKey: true }, sk: { type: String, rangeKey: true } }

describeOnTargets('Dynamoose', (target) => {
  beforeAll(() => dynamoose.aws.ddb.set(target.client()))

  describe('with a music catalogue', () => {
    const catalogue = () => dynamoose.model('Music', new dynamoose.Schema(pkSk, { saveUnknown: true }), creation)
    let Music: ReturnType<typeof catalogue>

    beforeAll(async () => {
      Music = catalogue()
      await Music.batchPut(songs.map(songItem))
    })

    test('songs are scattered over shards, gathered, and found on the shard they compute', async () => {
      const shards = await Promise.all(shardKeys.map((pk) => Music.query('pk').eq(pk).exec()))
      const titles = shards.flatMap((found) => found.map((song) => String(song['title'])))
      expect(titles.toSorted()).toEqual(songs.map(({ title }) => title).toSorted())
      expect((await Music.get(songKey({ artist, title: 'Monogram' })))['durationSeconds']).toBe(301)
    })

    test('index items in the table are kept with the song by transactions', async () => {
      const song = { artist, title: 'Air Song', durationSeconds: 741 }
      const pointers = externalIds.map((external) => externalIdItem(external, song))
      await dynamoose.transaction([
        Music.transaction.create(songItem(song), { overwrite: true }),
        ...pointers.map((pointer) => Music.transaction.create(pointer)),
      ])
      const found = await Music.query('pk').eq('external#isrc#SEXGF0900101').exec()
      expect(found.map((pointer) => pointer['songSk'])).toEqual(['Air Song'])
      const taken: Promise<unknown> = dynamoose.transaction(
        pointers.map((pointer) => Music.transaction.create(pointer)),
      )
      await expect(taken).rejects.toMatchObject({
        CancellationReasons: pointers.map(() => ({ Code: 'ConditionalCheckFailed' })),
      })
      const keys = [songKey(song), ...pointers.map(({ pk, sk }) => ({ pk, sk }))]
      await dynamoose.transaction(keys.map((key) => Music.transaction.delete(key)))
      expect(await Music.batchGet(keys)).toHaveLength(0)
    })

    test('albums and the artist come in one query, between two sort keys', async () => {
      await Music.batchPut([...artistItems])
      const found = await Music.query('pk').eq(artist).where('sk').between('album#', 'artist').exec()
      expect(found.map((item) => item['sk'])).toEqual(albumsAndArtist)
    })
  })

  test('with a leaderboard, ratings rank, matches come newest first and handles lead to players', async () => {
    const schema = new dynamoose.Schema(
      {
        partitionId: { type: String, hashKey: true },
        rangeId: { type: String, rangeKey: true },
        season: { type: String, index: { name: 'seasons', rangeKey: 'rating', project: ['handle', 'playerId'] } },
        rating: String,
        handleKey: { type: String, index: { name: 'handles', project: false } },
      },
      { saveUnknown: true },
    )
    const Leaderboard = dynamoose.model('Leaderboard', schema, creation)
    await Leaderboard.batchPut(leaderboardItems())
    const top = await Leaderboard.query('season').eq(`SEASON#${season}`).using('seasons').sort('descending').exec()
    expect(top.map((player) => player['handle'])).toEqual(ranked)
    const played = await Leaderboard.query('partitionId')
      .eq('PLAYER#u8231')
      .where('rangeId')
      .beginsWith('MATCH#')
      .sort('descending')
      .exec()
    expect(played.map((match) => match['playedAt'])).toEqual(matchesNewestFirst)
    const found = await Leaderboard.query('handleKey').eq('HANDLE#nighthawk').using('handles').exec()
    expect(found.map((player) => player['partitionId'])).toEqual(['PLAYER#u8231'])
  })

  test('with users in groups, each direction is one query', async () => {
    const Membership = dynamoose.model('Memberships', { ...pkSk, role: String }, creation)
    await Membership.batchPut(memberships.flatMap(bothEdges))
    const groups = await Membership.query('pk').eq('USER#user-1').where('sk').beginsWith('GROUP#').exec()
    expect(groups.map((edge) => [edge['sk'], edge['role']])).toEqual([
      ['GROUP#group-a', 'admin'],
      ['GROUP#group-b', 'member'],
    ])
    const members = await Membership.query('pk').eq('GROUP#group-a').where('sk').beginsWith('USER#').exec()
    expect(members.map((edge) => edge['sk'])).toEqual(['USER#user-1', 'USER#user-2'])
  })
})
