import { afterEach, expect, test } from 'vitest'
import { seedOfRun } from '../support/randomness.ts'
import { rounds } from '../support/rounds.ts'
import { faultKinds, type FaultKind } from './faults/faults.ts'
import { HistoryRun } from './history-run.ts'
import { RegionRun } from './regions/region-run.ts'
import { startOnLmdb, startOnPostgres, type ServerGroup } from './servers/server-group.ts'

/** Longer ones are `npm run histories`. */
const limits = { transactions: rounds(3_000, 20_000), seconds: 5, least: 200 }
const seed = seedOfRun()
let group: ServerGroup | undefined

afterEach(async () => {
  await group?.close()
  group = undefined
})

/** A strongly consistent global table of the same servers, for a moment, while its regions are isolated. */
async function anomaliesOfRegions(
  started: ServerGroup,
  kinds: readonly FaultKind[],
  hasWitness: boolean,
): Promise<readonly unknown[]> {
  const faults = { kinds, everyMs: 600 }
  const run = await RegionRun.open(started, { seed, clientsPerRegion: 4, faults, hasWitness })
  const { anomalies, answered } = await run.epoch({ operations: 5_000, seconds: 1.5, least: 20 })
  run.close()
  expect(answered).toBeGreaterThanOrEqual(20)
  return anomalies
}

async function open(started: ServerGroup, kinds: readonly FaultKind[]): Promise<HistoryRun> {
  group = started
  return HistoryRun.open(started, { seed, clients: 24, faults: { kinds, everyMs: 600 } })
}

test(
  'a server that is killed, stopped and cut off is strictly serializable, its streams show each change once, and its regions are one',
  { timeout: 300_000 },
  async () => {
    const started = await startOnLmdb()
    const run = await open(started, faultKinds)
    const { anomalies, committed } = await run.epoch(limits)
    expect(anomalies).toEqual([])
    expect(await run.lastLook()).toEqual([])
    expect(await anomaliesOfRegions(started, faultKinds, false)).toEqual([])
    expect(await group?.verify()).toBeUndefined()
    expect(committed).toBeGreaterThanOrEqual(limits.least)
    run.close()
  },
)

test(
  'so are three servers on one PostgreSQL, with one of them killed while the database crashes, and a standby that takes over',
  { timeout: 300_000 },
  async () => {
    const started = await startOnPostgres(3)
    const run = await open(started, ['cut'])
    const { anomalies, committed } = await run.epoch(limits, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await started.servers[1]?.end()
      await started.database?.crash()
      await started.servers[1]?.start()
      await started.database?.failOver?.()
    })
    expect(anomalies).toEqual([])
    expect(await run.lastLook()).toEqual([])
    expect(await anomaliesOfRegions(started, ['cut'], true)).toEqual([])
    expect(await group?.verify()).toBeUndefined()
    expect(committed).toBeGreaterThanOrEqual(limits.least)
    run.close()
  },
)

test('a server whose index reads lag is found out', { timeout: 300_000 }, async () => {
  const flags = ['--consistency', 'eventual', '--consistency-lag', '2000']
  const run = await open(await startOnLmdb(flags), [])
  const { anomalies } = await run.epoch({ transactions: 500, seconds: 20 })
  expect(anomalies.map(({ kind }) => kind).join()).toContain('G-single')
  run.close()
})
