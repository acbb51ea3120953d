import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { beforeAll, expect, test } from 'vitest'
import {
  leaderboardItems,
  leaderboardTable,
  matchesNewestFirst,
  playerItem,
  playerKey,
  players,
  ranked,
  ratingKey,
  season,
} from '../domains/leaderboard.ts'
import { describeOnSdk } from './describe-on-sdk.ts'

const { TableName } = leaderboardTable

describeOnSdk('A leaderboard', ({ sdk, plain }) => {
  const [nighthawk] = players

  beforeAll(async () => {
    await sdk().send(new CreateTableCommand(leaderboardTable))
    const puts = leaderboardItems().map((Item) => ({ PutRequest: { Item } }))
    await plain().batchWrite({ RequestItems: { [TableName]: puts } })
  })

  const handlesByRating = async (Limit?: number): Promise<unknown[]> => {
    const { items } = await plain().query({
      TableName,
      IndexName: 'seasons',
      KeyConditionExpression: 'season = :season',
      ExpressionAttributeValues: { ':season': `SEASON#${season}` },
      ScanIndexForward: false,
      Limit,
    })
    return items.map((item) => item['handle'])
  }

  test('a profile is fetched by player id', async () => {
    expect(await plain().get({ TableName, Key: playerKey('u8231') })).toEqual(playerItem(nighthawk))
  })

  test('matches come newest first', async () => {
    const { items } = await plain().query({
      TableName,
      KeyConditionExpression: 'partitionId = :player AND begins_with(rangeId, :match)',
      ExpressionAttributeValues: { ':player': 'PLAYER#u8231', ':match': 'MATCH#' },
      ScanIndexForward: false,
    })
    expect(items.map((item) => item['playedAt'])).toEqual(matchesNewestFirst)
  })

  test('padded ratings rank the players of a season as numbers would', async () => {
    expect(await handlesByRating()).toEqual(ranked)
    expect(await handlesByRating(2)).toEqual(ranked.slice(0, 2))
  })

  test('a player rises with the rating', async () => {
    await plain().update({
      TableName,
      Key: playerKey('u1007'),
      UpdateExpression: 'SET rating = :rating',
      ExpressionAttributeValues: { ':rating': ratingKey(9999) },
    })
    expect(await handlesByRating()).toEqual(['zugzwang', 'pawnstorm', 'nighthawk', 'gambit'])
  })

  test('a handle leads to its player', async () => {
    const { items } = await plain().query({
      TableName,
      IndexName: 'handles',
      KeyConditionExpression: 'handleKey = :handle',
      ExpressionAttributeValues: { ':handle': 'HANDLE#nighthawk' },
    })
    expect(items).toEqual([{ ...playerKey('u8231'), handleKey: 'HANDLE#nighthawk' }])
  })
})
