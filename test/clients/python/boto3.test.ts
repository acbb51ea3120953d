import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needsBoto3, run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'
import * as leaderboard from '../domains/leaderboard.ts'
import * as memberships from '../domains/memberships.ts'
import * as music from '../domains/music.ts'
import * as payments from '../domains/payments.ts'
import * as sessions from '../domains/sessions.ts'
import * as shop from '../domains/shop.ts'

const shopData = { table: shop.shopTable, items: shop.shopItems(), answers: shop.shopAnswers }
const song = { artist: music.artist, title: 'Air Song', durationSeconds: 741 }

/** The scripts beside this file, with the data of their domains. A script asserts by itself. */
const scripts: Record<string, object> = {
  shop_resource: shopData,
  shop_client: shopData,
  music: {
    table: music.musicTable,
    artist: music.artist,
    shardCount: music.shardCount,
    songs: music.songs.map(music.songItem),
    externalIds: music.externalIds,
    pointers: music.externalIds.map((external) => music.externalIdItem(external, song)),
    artistItems: music.artistItems,
    albumsAndArtist: music.albumsAndArtist,
  },
  leaderboard: {
    table: leaderboard.leaderboardTable,
    items: leaderboard.leaderboardItems(),
    season: leaderboard.season,
    ranked: leaderboard.ranked,
    matchesNewestFirst: leaderboard.matchesNewestFirst,
  },
  memberships: {
    table: memberships.membershipsTable,
    edges: memberships.memberships.flatMap(memberships.bothEdges),
  },
  payments: {
    tables: payments.paymentTables,
    accounts: payments.accounts,
    paidOrder: payments.paidOrder,
    contention: payments.contention,
  },
  streams: { table: sessions.sessionsTable },
  kinesis: { table: sessions.sessionsTable },
  partiql: { table: music.musicTable },
  time_to_live: { table: sessions.sessionsTable },
  backups: { table: sessions.sessionsTable },
}

for (const [script, domain] of Object.entries(scripts)) {
  describeIf(needsBoto3, `boto3 with ${script}.py`, () => {
    const database = servedDatabase({ ttlSweepMs: 100 })

    test('runs to its end', async () => {
      const path = fileURLToPath(new URL(`./${script}.py`, import.meta.url))
      const input = JSON.stringify({ endpoint: database.endpoint(), domain })
      const { code, stdout, stderr } = await run('python3', [path], input)
      expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: '' })
    })
  })
}
