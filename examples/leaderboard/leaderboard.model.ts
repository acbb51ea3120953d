import { entity, model, now, s, ulid, type StandardSchema } from '@hashrange/model'

/** A handle is part of an address: letters, digits and underscores, compared without case. */
const handleText: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'leaderboard',
    validate: (value) =>
      typeof value === 'string' && /^\w{3,20}$/.test(value)
        ? { value: value.toLowerCase() }
        : { issues: [{ message: 'has 3 to 20 letters, digits or underscores' }] },
  },
}

const seasonText: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'leaderboard',
    validate: (value) =>
      typeof value === 'string' && /^\w[\w-]*$/.test(value)
        ? { value }
        : { issues: [{ message: "is a season such as '2026-Q2'" }] },
  },
}

const handle = () => s.string().check(handleText).size(10)
const season = () => s.string().check(seasonText).size(7)
const rating = () => s.int().range(0, 99_999)
const country = () => s.string().size(2).distinct(200)

export const Player = entity('Player', {
  playerId: s.ulid().default(ulid),
  country: country(),
  handle: handle(),
  createdAt: s.iso('second').default(now).readOnly(),
  matchesPlayed: s.int().default(0),
  wins: s.int().default(0),
  badges: s.set(s.string().size(8)).count(3, 50),
  /** The newest first, at most ten: `modify` cuts it. */
  form: s
    .list(s.enum('win', 'loss', 'draw'))
    .count(5, 10)
    .default([]),
})
  .key({ pk: 'PLAYER#{playerId}', sk: 'PROFILE' })
  .unique('handle', { pk: 'HANDLE#{handle}', sk: 'HANDLE' })
  .volume({ items: 2_000_000 })
  .owner('players')

export const Match = entity('Match', {
  playerId: s.ulid(),
  matchId: s.ulid(),
  playedAt: s.iso(),
  opponentId: s.ulid(),
  map: s.enum('harbour', 'desert', 'station'),
  result: s.enum('win', 'loss', 'draw'),
  score: s.int().range(0, 9_999_999),
  ratingDelta: s.int().range(-200, 200),
})
  .key({ pk: 'PLAYER#{playerId}', sk: 'MATCH#{playedAt}#{matchId}' })
  .index('gsi1', { pk: 'BEST#{playerId}#{map}', sk: '{score:07:desc}#{matchId}' })
  .volume({ items: 400_000_000, perPartition: 200 })
  .owner('matches')

/** Where a player stands in a season. Its index entry is the ranking. */
export const Standing = entity('Standing', {
  playerId: s.ulid(),
  season: season(),
  rating: rating(),
  country: country(),
  /** A copy of the player's, so that a ranking shows names without a request for each. */
  handle: handle(),
  version: s.version(),
  shard: s.shard(8, 'playerId'),
})
  .key({ pk: 'PLAYER#{playerId}', sk: 'STANDING#{season}' })
  .index('ranking', { pk: 'SEASON#{season}#{shard}', sk: 'RATING#{rating:05}#{playerId}' })
  .index('byCountry', { pk: ['season', 'country'], sk: ['rating', 'playerId'] })
  .volume({ items: 6_000_000, perPartition: 3, maxPerPartition: 12 })
  .owner('ranking')

// ---- teams: many players in many teams, each relation stored from both sides ---------------------------------------------

export const Team = entity('Team', {
  teamId: s.ulid().default(ulid),
  name: s.string().size(16),
  members: s.int().default(0),
})
  .key({ pk: 'TEAM#{teamId}', sk: 'TEAM' })
  .volume({ items: 200_000 })
  .owner('players')

export const Membership = entity('Membership', {
  playerId: s.ulid(),
  teamId: s.ulid(),
  role: s.enum('captain', 'member').default('member'),
  since: s.iso('day').default(now),
})
  .key({ pk: 'PLAYER#{playerId}', sk: 'TEAM#{teamId}' })
  .indexItem('member', { pk: 'TEAM#{teamId}', sk: 'PLAYER#{playerId}', include: ['role'] })
  .volume({ items: 3_000_000, perPartition: 2, maxPerPartition: 50 })
  .owner('players')

export const leaderboard = model({
  name: 'leaderboard',
  description: 'Players, their matches, and who is ahead this season',
  owner: 'game',
  table: {
    pk: 'partitionId',
    sk: 'rangeId',
    billing: { mode: 'provisioned', readUnits: 4000, writeUnits: 4000 },
    indexes: {
      gsi1: { pk: 'gsiPartition', sk: 'gsiSort', projection: ['playedAt', 'opponentId'] },
      ranking: { projection: ['handle'] },
      byCountry: { projection: ['handle'] },
    },
  },
  entities: { Player, Match, Standing, Team, Membership },
  patterns: (p) => ({
    // Players.
    profile: p.get('Player', { traffic: { rate: 1000, peakRate: 3000 }, budget: { requests: 1, readUnits: 0.5 } }),
    playerByHandle: p.lookup('Player', 'handle', {
      description: 'The public page of a player',
      traffic: { rate: 200, peakRate: 800 },
      budget: { requests: 2, readUnits: 1 },
    }),
    playerPage: p.query({
      description: 'The profile, the standings and the newest matches, in one request',
      pk: 'PLAYER#{playerId}',
      between: ['MATCH#', 'STANDING#~'],
      order: 'desc',
      limit: 30,
      traffic: { rate: 300 },
      budget: { requests: 1 },
    }),
    signUp: p.create('Player', { traffic: { rate: 5 }, budget: { requests: 1 } }),
    rename: p.transact(
      { 'Player.update': 1, 'Standing.update': 1 },
      { description: 'Another handle, in the copies too', traffic: { rate: 0.5 } },
    ),
    awardBadge: p.update('Player', { changes: ['badges'], traffic: { rate: 10 }, budget: { requests: 1 } }),
    noteForm: p.modify('Player', { changes: ['form'], traffic: { rate: 100 } }),

    // Matches.
    recentMatches: p.query({
      description: 'Newest first',
      pk: 'PLAYER#{playerId}',
      sk: 'MATCH#*',
      range: 'playedAt',
      order: 'desc',
      limit: 20,
      traffic: { rate: 400, peakRate: 1000 },
      budget: { requests: 1, readUnits: 1 },
    }),
    personalBests: p.query({
      description: 'The highest scores first, though the query ascends: the key counts down',
      on: 'gsi1',
      pk: 'BEST#{playerId}#{map}',
      range: 'score',
      limit: 5,
      traffic: { rate: 50 },
      budget: { requests: 1, readUnits: 0.5 },
    }),
    finishMatch: p.transact(
      { 'Match.create': 2, 'Player.update': 2, 'Standing.modify': 2 },
      { description: 'Both sides of a match, all or nothing', traffic: { rate: 100, peakRate: 300 } },
    ),

    // Ranking.
    top: p.query({
      description: 'The best of a season: eight partitions, merged',
      on: 'ranking',
      pk: 'SEASON#{season}#{shard}',
      sk: 'RATING#*',
      range: 'rating',
      order: 'desc',
      limit: 10,
      traffic: { rate: 200, peakRate: 600, hotKeyShare: 0.9, items: 10 },
      budget: { requests: 16 },
    }),
    topOfCountry: p.query({
      description: 'The key is the attributes themselves: nothing to pad',
      on: 'byCountry',
      pk: ['season', 'country'],
      range: 'rating',
      order: 'desc',
      limit: 10,
      traffic: { rate: 50, items: 10 },
      budget: { requests: 1, readUnits: 0.5 },
    }),
    standing: p.get('Standing', { consistent: true, traffic: { rate: 300 }, budget: { readUnits: 1 } }),
    enterSeason: p.create('Standing', { traffic: { rate: 5, peakRate: 50 } }),

    // Teams.
    teamsOfPlayer: p.query({
      pk: 'PLAYER#{playerId}',
      sk: 'TEAM#*',
      traffic: { rate: 50 },
      budget: { requests: 1 },
    }),
    teamPage: p.query({ pk: 'TEAM#{teamId}', limit: 100, traffic: { rate: 50 }, budget: { requests: 1 } }),
    foundTeam: p.create('Team', { traffic: { rate: 0.5 } }),
    joinTeam: p.transact(
      { 'Player.check': 1, 'Team.update': 1, 'Membership.create': 1 },
      { traffic: { rate: 5 }, budget: { requests: 1 } },
    ),
    leaveTeam: p.delete('Membership', { traffic: { rate: 2 } }),
    promote: p.update('Membership', { changes: ['role'], traffic: { rate: 0.1 } }),
  }),
})
