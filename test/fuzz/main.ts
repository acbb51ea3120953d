import { parseArgs } from 'node:util'
import { seedOfRun } from '../support/randomness.ts'
import { FuzzRun } from './fuzz-run.ts'

const helpText = `Asks a server for anything, over every protocol: no 500, no hang, no crash.

Usage: npm run fuzz -- [options]

  --requests N   how many (default 100000)
  --seed N       what is asked for follows from it
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
})

process.once('SIGINT', () => process.exit(130))

if (values.help === true) console.log(helpText)
else process.exitCode = await fuzz(Number(values.requests), Number(values.seed ?? seedOfRun()))

async function fuzz(requests: number, firstSeed: number): Promise<number> {
  const atOnce = 1_000
  const run = new FuzzRun()
  await run.start()
  let found = 0
  console.log(`${requests} requests, seed ${firstSeed}`)
  for (let seed = firstSeed; run.counts.requests < requests; seed++) {
    const findings = await run.ask(seed, atOnce)
    for (const { problem, request } of findings) {
      found++
      console.error(`Seed ${seed}: a request ${problem}:`)
      console.error(`  ${JSON.stringify({ ...request, body: request.body.toString().slice(0, 2_000) })}`)
    }
    if (findings.some(({ problem }) => problem.includes('ended the server'))) break
    if (run.counts.requests % 10_000 === 0)
      console.log(`${run.counts.requests} requests: ${JSON.stringify(run.counts.answers)}`)
  }
  await run.stop()
  console.log(`${run.counts.requests} requests: ${JSON.stringify(run.counts.answers)}; ${found} findings.`)
  return found === 0 ? 0 : 1
}
