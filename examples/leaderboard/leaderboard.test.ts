import { add, addToSet, exists, removeFromSet, type Client } from '@hashrange/model'
import { expect, test } from 'vitest'
import { describeOnEach } from '../testing/describe-on-each.ts'
import { leaderboard } from './leaderboard.model.ts'

type Db = Client<typeof leaderboard>

const season = '2026-Q2'

async function signUp(db: Db, handle: string, country = 'nz'): Promise<string> {
  return (await db.signUp({ handle, country, badges: [] })).item.playerId
}

async function enter(db: Db, handle: string, rating: number, country = 'nz'): Promise<string> {
  const playerId = await signUp(db, handle, country)
  await db.enterSeason({ playerId, season, rating, country, handle })
  return playerId
}

function matchId(n: number): string {
  return `01J${String(n).padStart(23, '0')}`
}

describeOnEach(leaderboard, (openModel) => {
  test('a handle leads to one player, in whatever case', async () => {
    const { db } = await openModel()
    const playerId = await signUp(db, 'NightHawk')
    expect((await db.profile({ playerId })).item).toMatchObject({ handle: 'nighthawk', matchesPlayed: 0, form: [] })
    const { item, cost } = await db.playerByHandle({ handle: 'NIGHTHAWK' })
    expect(item?.playerId).toBe(playerId)
    expect(cost.requests).toBe(2)
    await expect(signUp(db, 'nighthawk')).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
    await expect(signUp(db, 'night hawk')).rejects.toThrow('has 3 to 20 letters')
  })

  test('another handle is another one everywhere', async () => {
    const { db } = await openModel()
    const playerId = await enter(db, 'nighthawk', 1842)
    await db.rename((t) => [
      t.Player.update({ playerId }, { handle: 'dayhawk' }),
      t.Standing.update({ playerId, season }, { handle: 'dayhawk' }),
    ])
    expect((await db.playerByHandle({ handle: 'nighthawk' })).item).toBeUndefined()
    expect((await db.playerByHandle({ handle: 'dayhawk' })).item?.playerId).toBe(playerId)
    expect((await db.top({ season })).items.Standing.map(({ handle }) => handle)).toEqual(['dayhawk'])
    await signUp(db, 'nighthawk')
  })

  test('matches come newest first, and best scores first from a key that counts down', async () => {
    const { db } = await openModel()
    const playerId = await signUp(db, 'nighthawk')
    const scores = [900, 12_000, 10_500, 11_000]
    await db.batchWrite((b) =>
      scores.map((score, n) =>
        b.Match.put({
          playerId,
          matchId: matchId(n),
          playedAt: `2026-06-23T1${n}:00:00Z`,
          opponentId: matchId(99),
          map: 'desert',
          result: 'win',
          score,
          ratingDelta: 18,
        }),
      ),
    )
    const recent = await db.recentMatches({ playerId, playedAt: { begins: '2026-06-23' } }, { limit: 2 })
    expect(recent.items.Match.map(({ score }) => score)).toEqual([11_000, 10_500])
    const bests = await db.personalBests({ playerId, map: 'desert' })
    expect(bests.items.Match.map(({ score }) => score)).toEqual([12_000, 11_000, 10_500, 900])
    const good = await db.personalBests({ playerId, map: 'desert', score: { from: 11_000 } })
    expect(good.items.Match.map(({ score }) => score)).toEqual([12_000, 11_000])
  })

  test('the best of a season come from eight shards in order, numbers of any length', async () => {
    const { db, client } = await openModel()
    const ratings = [1842, 9, 1000, 10_005, 1843, 350, 99, 1842]
    for (const [n, rating] of ratings.entries()) await enter(db, `player${n}`, rating, n % 2 === 0 ? 'nz' : 'fr')
    const { items } = await db.top({ season }, { limit: 5 })
    expect(items.Standing.map(({ rating }) => rating)).toEqual([10_005, 1843, 1842, 1842, 1000])
    const band = await db.top({ season, rating: { from: 99, to: 1000 } })
    expect(band.items.Standing.map(({ rating }) => rating)).toEqual([1000, 350, 99])
    const { Items = [] } = await client.scan({ TableName: 'leaderboard', IndexName: 'ranking' })
    expect(new Set(Items.map(({ rankingpk }) => rankingpk?.S)).size).toBeGreaterThan(1)

    const french = await db.topOfCountry({ season, country: 'fr' })
    expect(french.items.Standing.map(({ rating, handle }) => [rating, handle])).toEqual([
      [10_005, 'player3'],
      [1842, 'player7'],
      [350, 'player5'],
      [9, 'player1'],
    ])
    const few = await db.topOfCountry({ season, country: 'fr', rating: { from: 350, to: 2000 } })
    expect(few.items.Standing.map(({ rating }) => rating)).toEqual([1842, 350])
  })

  test('a match counts for both players, or for none', async () => {
    const { db } = await openModel()
    const [winner, loser] = [await enter(db, 'nighthawk', 1842), await enter(db, 'daydove', 1850)]
    const finish = (n: number) =>
      db.finishMatch((t) =>
        [
          { playerId: winner, opponentId: loser, result: 'win', score: 12_000, ratingDelta: 18 } as const,
          { playerId: loser, opponentId: winner, result: 'loss', score: 9000, ratingDelta: -15 } as const,
        ].flatMap(({ playerId, ...side }) => [
          t.Match.create({
            playerId,
            matchId: matchId(n),
            playedAt: '2026-06-23T14:00:00Z',
            map: 'station',
            ...side,
          }),
          t.Player.update({ playerId }, { matchesPlayed: add(1), wins: add(side.result === 'win' ? 1 : 0) }),
          // The rating is a part of a key, which modify reads and writes as a whole.
          t.Standing.modify({ playerId, season }, (standing) => ({
            ...standing,
            rating: standing.rating + side.ratingDelta,
          })),
        ]),
      )
    await finish(1)
    await expect(finish(1)).rejects.toMatchObject({ code: 'ALREADY_EXISTS', entity: 'Match' })
    await finish(2)
    expect((await db.top({ season })).items.Standing.map(({ handle, rating }) => [handle, rating])).toEqual([
      ['nighthawk', 1878],
      ['daydove', 1820],
    ])
    expect((await db.profile({ playerId: winner })).item).toMatchObject({ matchesPlayed: 2, wins: 2 })
    expect((await db.standing({ playerId: loser, season })).item).toMatchObject({ rating: 1820, version: 3 })
    const page = await db.playerPage({ playerId: winner })
    expect(page.items.Player[0]?.handle).toBe('nighthawk')
    expect(page.items.Standing).toHaveLength(1)
    expect(page.items.Match).toHaveLength(2)
    expect(page.cost.requests).toBe(1)
  })

  test('badges are a set, and the form of the last ten matches is a list', async () => {
    const { db } = await openModel()
    const playerId = await signUp(db, 'nighthawk')
    await Promise.all(
      ['first', 'tenth', 'first'].map((badge) => db.awardBadge({ playerId }, { badges: addToSet(badge) })),
    )
    expect((await db.profile({ playerId })).item?.badges).toEqual(new Set(['first', 'tenth']))
    await db.awardBadge({ playerId }, { badges: removeFromSet('first') })
    for (let n = 0; n < 12; n++) {
      const result = n === 11 ? ('loss' as const) : ('win' as const)
      await db.noteForm({ playerId }, (player) => ({ ...player, form: [result, ...player.form.slice(0, 9)] }))
    }
    const { item } = await db.profile({ playerId })
    expect(item?.badges).toEqual(new Set(['tenth']))
    expect(item?.form).toEqual(['loss', ...Array<string>(9).fill('win')])
  })

  test('teams of a player and players of a team are each one query', async () => {
    const { db } = await openModel()
    const players = [await signUp(db, 'nighthawk'), await signUp(db, 'daydove')]
    const teams = [(await db.foundTeam({ name: 'Owls' })).item, (await db.foundTeam({ name: 'Larks' })).item]
    const join = (playerId = '', teamId = '', role: 'captain' | 'member' = 'member') =>
      db.joinTeam((t) => [
        t.Player.check({ playerId }, { handle: exists() }),
        t.Team.update({ teamId }, { members: add(1) }),
        t.Membership.create({ playerId, teamId, role }),
      ])
    const [owls, larks] = teams.map(({ teamId }) => teamId)
    await join(players[0], owls, 'captain')
    await join(players[1], owls)
    await join(players[0], larks)
    await expect(join(matchId(404), owls)).rejects.toMatchObject({ code: 'NOT_FOUND', entity: 'Player' })

    const mine = await db.teamsOfPlayer({ playerId: players[0] ?? '' })
    expect(new Set(mine.items.Membership.map(({ teamId }) => teamId))).toEqual(new Set([owls, larks]))
    const page = await db.teamPage({ teamId: owls ?? '' })
    expect(page.items.Team[0]).toMatchObject({ name: 'Owls', members: 2 })
    expect(new Map(page.items['Membership.member'].map(({ playerId, role }) => [playerId, role]))).toEqual(
      new Map([
        [players[0], 'captain'],
        [players[1], 'member'],
      ]),
    )

    const key = { playerId: players[1] ?? '', teamId: owls ?? '' }
    await db.promote(key, { role: 'captain' })
    expect((await db.teamPage({ teamId: key.teamId })).items['Membership.member'].map(({ role }) => role)).toEqual([
      'captain',
      'captain',
    ])
    await db.leaveTeam(key)
    expect((await db.teamPage({ teamId: owls ?? '' })).items['Membership.member']).toHaveLength(1)
  })
})
