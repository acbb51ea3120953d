import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { seedOfRun, Randomness } from '../support/randomness.ts'
import { rounds as roundsOf } from '../support/rounds.ts'
import { KillRun, noKills } from './kill-run.ts'

/** A thousand are `npm run kills -- --rounds 1000`. */
const rounds = roundsOf(3, 6)
const seed = seedOfRun()
const folder = mkdtempSync(join(tmpdir(), 'hashrange-kills-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  'a server that is killed while it writes, and killed while it recovers, loses nothing it has acknowledged',
  { timeout: 300_000 },
  async () => {
    const counts = noKills()
    const kills = new KillRun(folder, new Randomness(seed), counts)
    for (let round = 0; round < rounds; round++) expect(await kills.round()).toEqual([])
    expect(counts.acknowledged).toBeGreaterThan(rounds)
    expect(counts.endedInStart + counts.endedAfterStart).toBeGreaterThanOrEqual(rounds)
  },
)
