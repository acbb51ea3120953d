import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { music } from './music.model.ts'

const id = (n: number): string => String(n).padStart(26, '0')

test('the chart of a month is in order, whichever shards its songs are in', async () => {
  const { db, close } = await testDatabase(music)
  try {
    for (let n = 1; n <= 20; n++) {
      const song = { albumId: id(1), track: n, songId: id(n), title: `Song ${n}`, seconds: 200, month: '2026-01' }
      await db.Song.create({ ...song, plays: (n * 7919) % 1000 })
    }
    const { items } = await db.charts({ month: '2026-01' })
    const plays = items.Song.map((song) => song.plays)
    expect(plays).toHaveLength(10)
    expect(plays).toEqual(plays.toSorted((a, b) => b - a))
  } finally {
    await close()
  }
})
