import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seedOfRun, Randomness } from '../support/randomness.ts'
import { KillRun, noKills } from './kill-run.ts'

const helpText = `Kills a server while it writes and compacts its data, and again while it recovers, and checks that nothing is lost.

Usage: npm run kills -- [options]

  --rounds N     how often (default 100)
  --seed N       what is done, and when, follows from it, as far as the machine allows
  --path FOLDER  where the data goes, in a new subfolder every 10 rounds (default: a temporary folder).
                 A subfolder is removed when its rounds found no problem
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    path: { type: 'string' },
    help: { type: 'boolean' },
  },
})

/** Each round checks the whole folder, so a folder that grew for ever would make rounds ever slower. */
const roundsPerFolder = 10

// Whoever is gone leaves no server behind.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

if (values.help === true) console.log(helpText)
else process.exitCode = await run(Number(values.rounds), Number(values.seed ?? seedOfRun()))

async function run(rounds: number, seed: number): Promise<number> {
  const base = values.path ?? mkdtempSync(join(tmpdir(), 'hashrange-kills-'))
  console.log(`${rounds} rounds in ${base}, seed ${seed}`)
  const startedAtMs = performance.now()
  const random = new Randomness(seed)
  const counts = noKills()
  const summary = (): string => {
    const { rounds: done, acknowledged, endedInStart, endedAfterStart, interrupted, compactions } = counts
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
    return (
      `${done} rounds in ${seconds} s: ${acknowledged} acknowledged writes; ${compactions} compactions; ${endedInStart} starts ended before they served ` +
      `and ${endedAfterStart} after, ${interrupted} of them by Ctrl+C`
    )
  }
  while (counts.rounds < rounds) {
    const folder = join(base, `from-round-${counts.rounds + 1}`)
    const kills = new KillRun(folder, random.fork(), counts)
    for (let n = 0; n < roundsPerFolder && counts.rounds < rounds; n++) {
      const round = counts.rounds + 1
      const problems = await kills.round().catch((error: unknown) => [String(error)])
      if (problems.length > 0) {
        console.error(`Round ${round} of seed ${seed} found ${problems.length} problems:`)
        for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`)
        console.error(`The data is in ${folder}. Until then: ${summary()}.`)
        return 1
      }
      if (round % 10 === 0 && round < rounds) console.log(summary())
    }
    rmSync(folder, { recursive: true })
  }
  console.log(`${summary()}. Nothing was lost.`)
  if (values.path === undefined) rmSync(base, { recursive: true })
  return 0
}
