import { parseArgs } from 'node:util'
import { Randomness, seedOfRun } from '../support/randomness.ts'
import { ordeal } from './ordeal.ts'

const helpText = `Changes items while functions get their changes, fail and are killed, on a server that is killed, and
checks that every change was delivered in order, that no checkpoint was ahead, and that what is derived is right.

Usage: npm run ordeal -- [options]

  --changes N    changes that a function writes down (default 100000)
  --derived N    changes of a table from which other items are derived (default: a tenth of that)
  --kills N      how often the server is killed (default 20)
  --pause S      the longest time between two kills, in seconds (default 5)
  --seed N       what is done, and when, follows from it, as far as the machine allows
`

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '100000' },
    derived: { type: 'string' },
    kills: { type: 'string', default: '20' },
    pause: { type: 'string', default: '5' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
})

// Whoever is gone leaves no server behind.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

if (values.help === true) console.log(helpText)
else process.exitCode = await main(Number(values.changes), Number(values.seed ?? seedOfRun()))

async function main(changes: number, seed: number): Promise<number> {
  const startedAtMs = performance.now()
  const seconds = (): number => Math.round((performance.now() - startedAtMs) / 1_000)
  console.log(`${changes} changes, seed ${seed}`)
  const { problems, ...figures } = await ordeal({
    changes,
    derivedChanges: Number(values.derived ?? changes / 10),
    kills: Number(values.kills),
    killMs: Number(values.pause) * 1_000,
    random: new Randomness(seed),
    tell: (sentence) => console.log(`${seconds()} s: ${sentence}`),
  })
  console.log(`${seconds()} s: ${JSON.stringify(figures, null, 2)}`)
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'Nothing was lost.' : `Seed ${seed} found problems.`)
  return problems.length === 0 ? 0 : 1
}
