import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import type { PlainItem } from './plain-item.ts'

/** Players of a game with their matches, ranked by rating within a season and found by their handle. */
export const leaderboardTable = {
  TableName: 'Leaderboard',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'partitionId', KeyType: 'HASH' },
    { AttributeName: 'rangeId', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: ['partitionId', 'rangeId', 'season', 'rating', 'handleKey'].map((name) => ({
    AttributeName: name,
    AttributeType: 'S' as const,
  })),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'seasons',
      KeySchema: [
        { AttributeName: 'season', KeyType: 'HASH' },
        { AttributeName: 'rating', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['handle', 'playerId'] },
    },
    {
      IndexName: 'handles',
      KeySchema: [{ AttributeName: 'handleKey', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
} satisfies CreateTableCommandInput

export interface Player {
  readonly playerId: string
  readonly handle: string
  readonly rating: number
}

export interface Match {
  readonly playerId: string
  readonly playedAt: string
  readonly result: 'win' | 'loss'
  readonly ratingDelta: number
}

export const season = '2026-Q2'

/** As text without padding, 977 would rank above 1842 and 10250 below both. */
export const players: readonly [Player, ...Player[]] = [
  { playerId: 'u8231', handle: 'nighthawk', rating: 1842 },
  { playerId: 'u1007', handle: 'pawnstorm', rating: 977 },
  { playerId: 'u4410', handle: 'zugzwang', rating: 10250 },
  { playerId: 'u5120', handle: 'gambit', rating: 1500 },
]

export const matches: readonly Match[] = [
  { playerId: 'u8231', playedAt: '2026-06-23T11', result: 'loss', ratingDelta: -15 },
  { playerId: 'u8231', playedAt: '2026-06-23T14', result: 'win', ratingDelta: 18 },
  { playerId: 'u8231', playedAt: '2026-06-22T20', result: 'win', ratingDelta: 12 },
]

export const ranked = ['zugzwang', 'nighthawk', 'gambit', 'pawnstorm'] as const
export const matchesNewestFirst = ['2026-06-23T14', '2026-06-23T11', '2026-06-22T20'] as const

export function ratingKey(rating: number): string {
  return `RATING#${String(rating).padStart(5, '0')}`
}

export function playerItem(player: Player): PlainItem {
  return {
    ...playerKey(player.playerId),
    playerId: player.playerId,
    handle: player.handle,
    season: `SEASON#${season}`,
    rating: ratingKey(player.rating),
    handleKey: `HANDLE#${player.handle}`,
  }
}

export function playerKey(playerId: string): { partitionId: string; rangeId: string } {
  return { partitionId: `PLAYER#${playerId}`, rangeId: 'PROFILE' }
}

function matchItem(match: Match): PlainItem {
  return { partitionId: `PLAYER#${match.playerId}`, rangeId: `MATCH#${match.playedAt}`, ...match }
}

export function leaderboardItems(): PlainItem[] {
  return [...players.map(playerItem), ...matches.map(matchItem)]
}
