import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { runSeeds } from './run-seeds.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-simulation-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The same each time: so many seeds leave little to chance. `npm run simulate -- --seed N` runs others, as many as wanted. */
const firstSeed = 1

/** A tenth of what it takes to leave little to chance; HASHRANGE_ROUNDS=all takes all of it. */
const share = process.env['HASHRANGE_ROUNDS'] === 'all' ? 1 : 1 / 10

test('whatever the disk and the clock do, nothing acknowledged is lost and nothing refused comes back', async () => {
  const report = await runSeeds({ firstSeed, seeds: 1_000 * share, folder })
  expect(report.violation).toBeUndefined()
  expect(report.crashes).toBeGreaterThan(1_000 * share)
  expect(report.crashesInRecovery).toBeGreaterThan(100 * share)
  expect(report.noticed).toBeGreaterThan(0)
}, 900_000)

test('indexes, counts, streams, tokens and expiries are exact after whatever happened', async () => {
  const report = await runSeeds({ firstSeed, seeds: 60 * share, of: 'engine', folder })
  expect(report.violation).toBeUndefined()
  expect(report.crashes).toBeGreaterThan(60 * share)
}, 900_000)

test('encrypted data is as safe', async () => {
  const report = await runSeeds({ firstSeed: 1_001, seeds: 30 * share, of: 'encrypted-engine', folder })
  expect(report.violation).toBeUndefined()
  expect(report.crashes).toBeGreaterThan(30 * share)
}, 300_000)

test('the bugs that the store once had are found when they are put back', () => {
  const script = fileURLToPath(new URL('../../../../scripts/simulate.mjs', import.meta.url))
  const words = [script, '--seed', '1', '--seeds', '1000', '--plant', 'all']
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  expect(status, stdout).toBe(0)
}, 900_000)
