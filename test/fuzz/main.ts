import { parseArgs } from 'node:util'
import { seedOfRun } from '../support/randomness.ts'
import { FuzzRun, type FuzzFinding } from './fuzz-run.ts'
import { fuzzDocuments } from './models/fuzz-documents.ts'

const helpText = `Asks a server for anything, over every protocol, and has it load any model file: no 500, no hang, no crash.

Usage: npm run fuzz -- [options]

  --requests N   how many (default 100000)
  --documents N  how many files of other tools are imported as models (default 20000)
  --models N     how many model files are loaded that are wrong somewhere (default 50)
  --seed N       what is asked for follows from it
  --store URL    the PostgreSQL database of the server, with nothing in it that is needed (default: in memory)
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    documents: { type: 'string', default: '20000' },
    models: { type: 'string', default: '50' },
    seed: { type: 'string' },
    store: { type: 'string' },
    help: { type: 'boolean' },
  },
})

const atOnce = 1_000

process.once('SIGINT', () => process.exit(130))

if (values.help === true) console.log(helpText)
else process.exitCode = await fuzz(Number(values.seed ?? seedOfRun()))

async function fuzz(seed: number): Promise<number> {
  console.log(`seed ${seed}`)
  const found = (await fuzzTheLibrary(Number(values.documents), seed)) + (await fuzzTheServer(seed))
  console.log(`${found} findings.`)
  return found === 0 ? 0 : 1
}

async function fuzzTheLibrary(documents: number, firstSeed: number): Promise<number> {
  const counts = { refused: 0, 'refused as a model': 0, read: 0 }
  let found = 0
  for (let done = 0; done < documents; done += atOnce) {
    const seed = firstSeed + done / atOnce
    for (const { problem, document } of await fuzzDocuments(seed, Math.min(atOnce, documents - done), counts)) {
      found++
      console.error(`Seed ${seed}: a model file ${problem}:\n  ${JSON.stringify(document).slice(0, 2_000)}`)
    }
  }
  console.log(`${documents} model files of other tools: ${JSON.stringify(counts)}`)
  return found
}

async function fuzzTheServer(firstSeed: number): Promise<number> {
  const run = new FuzzRun(values.store)
  await run.start()
  let found = 0
  const tell = (seed: number, findings: readonly FuzzFinding[]): boolean => {
    found += findings.length
    for (const { problem, request } of findings) {
      console.error(`Seed ${seed}: a request ${problem}:`)
      console.error(`  ${JSON.stringify({ ...request, body: request.body.toString().slice(0, 2_000) })}`)
    }
    return !findings.some(({ problem }) => problem.includes('ended the server'))
  }
  const summary = (): string => `${run.counts.requests} requests: ${JSON.stringify(run.counts.answers)}`
  let isUp = tell(firstSeed, await run.askAboutModels(firstSeed, Number(values.models)))
  for (let done = 0; isUp && done < Number(values.requests); done += atOnce) {
    const seed = firstSeed + done / atOnce
    isUp = tell(seed, await run.ask(seed, atOnce))
    if ((done + atOnce) % 10_000 === 0) console.log(summary())
  }
  await run.stop()
  console.log(summary())
  return found
}
