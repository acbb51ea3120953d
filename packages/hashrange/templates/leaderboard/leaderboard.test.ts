import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { leaderboard } from './leaderboard.model.ts'

const id = (n: number): string => String(n).padStart(26, '0')

test('the best come first, in the game and in their country', async () => {
  const { db, close } = await testDatabase(leaderboard)
  try {
    for (let n = 1; n <= 12; n++) {
      const country = n % 2 === 0 ? 'PT' : 'JP'
      await db.Score.upsert({ playerId: id(n), gameId: 'tetris', points: n * 100, country })
    }
    const { items } = await db.top({ gameId: 'tetris' })
    expect(items.Score.map(({ points }) => points)).toEqual([1200, 1100, 1000, 900, 800, 700, 600, 500, 400, 300])
    const { items: portuguese } = await db.topOfCountry({ gameId: 'tetris', country: 'PT' })
    expect(portuguese.Score[0]?.points).toBe(1200)
  } finally {
    await close()
  }
})
