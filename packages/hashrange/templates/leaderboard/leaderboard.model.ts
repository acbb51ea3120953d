import { entity, model, now, s } from '@hashrange/model'

const Player = entity('Player', { playerId: s.ulid(), name: s.string().size(16) })
  .key({ pk: 'PLAYER#{playerId}', sk: 'PLAYER' })
  .unique('name')
  .volume({ items: 200_000 })

/** A player's best score in a game. */
const Score = entity('Score', {
  playerId: s.ulid(),
  gameId: s.string().size(12).distinct(50),
  points: s.int().range(0, 99_999_999),
  country: s.string().size(2).distinct(200),
  achievedAt: s.iso('second').default(now),
  shard: s.shard(4, 'playerId'),
})
  .key({ pk: 'PLAYER#{playerId}', sk: 'SCORE#{gameId}' })
  .index('top', { pk: 'TOP#{shard}#{gameId}', sk: '{points:08:desc}#{playerId}' })
  // A key of several attributes, as DynamoDB has since 2025: no text is composed for it.
  .index('byCountry', { pk: ['gameId', 'country'], sk: ['points'] })
  .volume({ items: 1_000_000, perPartition: 5, maxPerPartition: 50 })

export const leaderboard = model({
  name: 'leaderboard',
  owner: 'games team',
  table: { indexes: { byCountry: { projection: ['achievedAt'] } } },
  entities: { Player, Score },
  patterns: (p) => ({
    player: p.query({ pk: 'PLAYER#{playerId}', traffic: { rate: 200 }, budget: { requests: 1 } }),
    playerByName: p.lookup('Player', 'name', { traffic: { rate: 5 } }),
    top: p.query({
      on: 'top',
      pk: 'TOP#{shard}#{gameId}',
      limit: 10,
      traffic: { rate: 300 },
      budget: { requests: 4 },
    }),
    topOfCountry: p.query({
      on: 'byCountry',
      pk: ['gameId', 'country'],
      order: 'desc',
      limit: 10,
      traffic: { rate: 50 },
    }),
    join: p.create('Player', { traffic: { rate: 1 } }),
    record: p.upsert('Score', { traffic: { rate: 100 } }),
  }),
})
