import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { anySeed, Randomness } from '../support/randomness.ts'
import { KillRun } from './kill-run.ts'

const helpText = `Kills a server while it writes, and again while it recovers, and checks that nothing is lost.

Usage: npm run kills -- [options]

  --rounds N     how often (default 100)
  --seed N       what is done, and when, follows from it, as far as the machine allows
  --path FOLDER  where the data goes (default a new folder, which is removed if all is well)
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    path: { type: 'string' },
    help: { type: 'boolean' },
  },
})

// Whoever is gone leaves no server behind.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

if (values.help === true) console.log(helpText)
else process.exitCode = await run(Number(values.rounds), Number(values.seed ?? anySeed()))

async function run(rounds: number, seed: number): Promise<number> {
  const folder = values.path ?? mkdtempSync(join(tmpdir(), 'hashrange-kills-'))
  console.log(`${rounds} rounds on ${folder}, seed ${seed}`)
  const startedAtMs = performance.now()
  const kills = new KillRun(folder, new Randomness(seed))
  const summary = (): string => {
    const { rounds: done, acknowledged, endedInStart, endedAfterStart, interrupted } = kills.counts
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
    return (
      `${done} rounds in ${seconds} s: ${acknowledged} acknowledged writes; ${endedInStart} starts ended before they served ` +
      `and ${endedAfterStart} after, ${interrupted} of them by Ctrl+C`
    )
  }
  for (let round = 1; round <= rounds; round++) {
    const problems = await kills.round().catch((error: unknown) => [String(error)])
    if (problems.length > 0) {
      console.error(`Round ${round} of seed ${seed} found ${problems.length} problems:`)
      for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`)
      console.error(`The data is in ${folder}. Until then: ${summary()}.`)
      return 1
    }
    if (round % 10 === 0 && round < rounds) console.log(summary())
  }
  console.log(`${summary()}. Nothing was lost.`)
  if (values.path === undefined) rmSync(folder, { recursive: true })
  return 0
}
